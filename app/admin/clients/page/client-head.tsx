import { Download, Mail, Pencil, UserX } from 'lucide-react'
import { saveFile } from '#app/account/save-file.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Hint, Row, Stack } from '#app/ui/layout.tsx'
import { useRpcMutation, useToastMutation } from '#app/data/use-toast-mutation.ts'
import { LocalDate } from '#app/ui/local-date.tsx'
import { useLateNavigate } from '#app/ui/use-late-navigate.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { EmailDialog } from '../../mail/email-dialog.tsx'
import { EmailText } from '../../mail/email-text.tsx'
import { ClientDialog } from '../client-dialog.tsx'
import { clientName } from '../client.ts'
import type { ClientOverview } from './client-queries.ts'
import { DialogButton } from '../../form/dialog-button.tsx'

export function ClientHead({ client }: { client: ClientOverview }) {
  const { email, phone, address, city, state, zip_code } = client
  const place = [address, city, state, zip_code].filter(Boolean).join(', ')

  return (
    <Row as="header" gap={4} align="start" justify="between" wrap>
      <Stack gap={1} shrinks>
        <Row as="h2" gap={3} wrap breakWords>
          {clientName(client)} {client.is_admin && <Badge>Admin</Badge>}
        </Row>
        <Row as="p" gap={1} columnGap={4} align="stretch" wrap breakWords>
          {email && (
            <a href={`mailto:${email}`}>
              <EmailText email={email} />
            </a>
          )}
          {phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{formatPhone(phone)}</a>}
          {place && <span>{place}</span>}
        </Row>
        <Hint breakWords>
          Joined <LocalDate at={client.created_at} />
          {client.last_sign_in_at ? (
            <>
              , last signed in <LocalDate at={client.last_sign_in_at} />
            </>
          ) : (
            ', has never signed in'
          )}
        </Hint>
      </Stack>
      <Actions client={client} />
    </Row>
  )
}

function Actions({ client }: { client: ClientOverview }) {
  const exporting = useExport(client)
  return (
    <Row gap={2} align="stretch" wrap>
      <DialogButton look="solid" renderDialog={(close) => <EmailDialog recipient={client} onClose={close} />}>
        <Mail size={18} aria-hidden /> Send Email
      </DialogButton>
      <DialogButton renderDialog={(close) => <ClientDialog client={client} isEditing onClose={close} />}>
        <Pencil size={18} aria-hidden /> Edit
      </DialogButton>
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download size={18} aria-hidden /> {exporting.isPending ? 'Exporting...' : 'Export data'}
      </Button>
      {!client.is_admin && (
        <DialogButton look="danger" renderDialog={(close) => <EraseDialog client={client} onClose={close} />}>
          <UserX size={18} aria-hidden /> Erase
        </DialogButton>
      )}
    </Row>
  )
}

/** Downloads the same file as the client's own account page. */
function useExport({ id, email }: ClientOverview) {
  return useToastMutation({
    mutationFn: async () => {
      const data = await queryBackend((backend) => backend.rpc('export_client', { client_id: id }))
      saveFile({
        name: `client-${email ?? id}-${new Date().toISOString().slice(0, 10)}.json`,
        type: 'application/json',
        content: JSON.stringify(data, null, 2),
      })
    },
    invalidates: [],
  })
}

function EraseDialog({ client, onClose }: { client: ClientOverview; onClose: () => void }) {
  const erase = useRpcMutation('erase_client', {
    success: 'Client erased',
    invalidates: ['profiles', 'orders', 'subscribers'],
  })
  const navigate = useLateNavigate()
  const leave = () => navigate('/admin/clients', { replace: true })

  return (
    <ConfirmDialog
      title={`Erase ${clientName(client)}`}
      question="This deletes the sign-in, profile, cart and your notes, ends the newsletter and cancels an unpaid order. Orders keep their name and address for the five years that tax law requires. We’ll e-mail the client that the account is closed. This cannot be undone."
      confirm={{ label: 'Erase client', busyLabel: 'Erasing...', isBusy: erase.isPending }}
      isOpen
      onConfirm={() => erase.mutate({ client_id: client.id }, { onSuccess: leave })}
      onClose={onClose}
    />
  )
}
