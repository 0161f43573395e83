import { Merge } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Hint, Row, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { clientName } from '../client.ts'
import { useMergeClients, type Duplicate, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

/** Lists other accounts with the same mailbox or phone number. */
export function Duplicates({ client }: { client: ClientOverview }) {
  const [merged, setMerged] = useState<Duplicate | null>(null)
  if (client.duplicates.length === 0) return null

  return (
    <Stack as="section" gap={3} aria-label="Possible duplicates">
      <h3>Possible duplicates</h3>
      <Hint breakWords>These accounts have the same mailbox or phone number.</Hint>
      <ul className={styles.duplicates}>
        {client.duplicates.map((other) => (
          <li key={other.id}>
            <Other other={other} onMerge={() => setMerged(other)} />
          </li>
        ))}
      </ul>
      <MergeDialog client={client} merged={merged} onClose={() => setMerged(null)} />
    </Stack>
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

function Other({ other, onMerge }: { other: Duplicate; onMerge: () => void }) {
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
        {problem && (
          <p className={styles.problem}>{PROBLEMS[problem] ?? 'These accounts cannot be merged.'}</p>
        )}
      </div>
      {!problem && (
        <Button onClick={onMerge}>
          <Merge size={18} aria-hidden /> Merge into this account
        </Button>
      )}
    </Row>
  )
}

interface MergeProps {
  client: ClientOverview
  merged: Duplicate | null
  onClose: () => void
}

function MergeDialog({ client, merged, onClose }: MergeProps) {
  const merge = useMergeClients(client.id)

  return (
    <ConfirmDialog
      title="Merge accounts"
      question={`This moves the orders, notes, consents and promo code uses of ${merged?.email ?? 'the other account'} to ${client.email ?? clientName(client)} and fills in missing details. The other account is deleted with its sign-in and cart. This cannot be undone.`}
      confirm={{ label: 'Merge', busyLabel: 'Merging...', isBusy: merge.isPending }}
      isOpen={merged !== null}
      onConfirm={() => merged && merge.mutate(merged, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
