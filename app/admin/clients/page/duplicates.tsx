import { Merge } from 'lucide-react'
import { Link } from 'react-router'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Hint, Row, Section, Text, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { clientName } from '../client.ts'
import type { Duplicate, ClientOverview } from './client-queries.ts'
import styles from './client.module.css'
import { DialogButton } from '../../form/dialog-button.tsx'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'

/** Lists other accounts with the same mailbox or phone number. */
export function Duplicates({ client }: { client: ClientOverview }) {
  if (client.duplicates.length === 0) return null
  return (
    <Section title="Possible duplicates">
      <Hint breakWords>These accounts have the same mailbox or phone number.</Hint>
      <Stack as="ul">
        {client.duplicates.map((other) => (
          <li key={other.id}>
            <Other client={client} other={other} />
          </li>
        ))}
      </Stack>
    </Section>
  )
}

/** Why accounts cannot be merged; the keys come from `private.merge_problem`. */
const PROBLEMS: Record<string, string> = {
  both_signed_in:
    'Both accounts have been used to sign in, and two people may share a phone. Ask the client to close one of them.',
  order_awaits_payment:
    'An order of this account is awaiting payment. Wait for the payment or cancel the order.',
  mailbox_not_verified:
    'The account to keep has not confirmed its e-mail address. Ask the client to reset the password once, which confirms it.',
  client_is_admin: 'This is an admin’s account.',
}

interface OtherProps {
  client: ClientOverview
  other: Duplicate
}

function Other({ client, other }: OtherProps) {
  const { email, phone, created_at, orders, problem } = other
  return (
    <Row divided="both" gap={3} justify="between" wrap className={styles.duplicate}>
      <div>
        <Link to={`/admin/clients/${other.id}`}>{clientName(other)}</Link>
        <Hint breakWords>
          {[email, phone && formatPhone(phone)].filter(Boolean).join(', ')}
          <br />
          {orders === 1 ? '1 order' : `${orders} orders`}, joined <LocalDate at={created_at} />
        </Hint>
        {problem && <Text size="s">{PROBLEMS[problem] ?? 'These accounts cannot be merged.'}</Text>}
      </div>
      {!problem && (
        <DialogButton renderDialog={(close) => <MergeDialog client={client} other={other} onClose={close} />}>
          <Merge size={18} aria-hidden /> Merge into this account
        </DialogButton>
      )}
    </Row>
  )
}

function MergeDialog({ client, other, onClose }: OtherProps & { onClose: () => void }) {
  const merge = useRpcMutation('merge_clients', {
    success: () => ({
      title: 'Accounts merged',
      description: `${other.email ?? 'The other account'} was merged into this one.`,
    }),
    invalidates: ['profiles', 'orders'],
  })
  const accounts = { kept_id: client.id, merged_id: other.id }

  return (
    <ConfirmDialog
      title="Merge accounts"
      question={`This moves the orders, notes, consents and promo code uses of ${other.email ?? 'the other account'} to ${client.email ?? clientName(client)} and fills in missing details. The other account is deleted with its sign-in and cart. This cannot be undone.`}
      confirm={{ label: 'Merge', busyLabel: 'Merging...', isBusy: merge.isPending }}
      isOpen
      onConfirm={() => merge.mutate(accounts, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
