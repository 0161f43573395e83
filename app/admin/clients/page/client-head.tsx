import { useMutation } from '@tanstack/react-query'
import { Download, Mail, Pencil, UserX } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { saveFile } from '#app/account/save-file.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { Hint, Row } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatPhone } from '#domain/south-africa.ts'
import { EmailDialog } from '../../mail/email-dialog.tsx'
import { EmailText } from '../../mail/email-text.tsx'
import { ClientDialog } from '../client-dialog.tsx'
import { clientName } from '../client.ts'
import { useEraseClient, type ClientOverview } from './client-queries.ts'
import styles from './client.module.css'

export function ClientHead({ client }: { client: ClientOverview }) {
  const { email, phone, address, city, state, zip_code } = client
  const place = [address, city, state, zip_code].filter(Boolean).join(', ')

  return (
    <Row as="header" gap={4} align="start" justify="between" wrap className={styles.head}>
      <div>
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
      </div>
      <Actions client={client} />
    </Row>
  )
}

type Task = 'edit' | 'email' | 'erase'

function Actions({ client }: { client: ClientOverview }) {
  const [task, setTask] = useState<Task | null>(null)
  const exporting = useExport(client)
  const close = () => setTask(null)

  return (
    <Row gap={2} align="stretch" wrap>
      <Button look="solid" onClick={() => setTask('email')}>
        <Mail size={18} aria-hidden /> Send Email
      </Button>
      <Button onClick={() => setTask('edit')}>
        <Pencil size={18} aria-hidden /> Edit
      </Button>
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Download size={18} aria-hidden /> {exporting.isPending ? 'Exporting...' : 'Export data'}
      </Button>
      {!client.is_admin && (
        <Button className={styles.erase} onClick={() => setTask('erase')}>
          <UserX size={18} aria-hidden /> Erase
        </Button>
      )}
      {task === 'email' && <EmailDialog recipient={client} onClose={close} />}
      {task === 'edit' && <ClientDialog client={client} isEditing onClose={close} />}
      <EraseDialog client={client} isOpen={task === 'erase'} onClose={close} />
    </Row>
  )
}

/** Downloads the same file as the client's own account page. */
function useExport(client: ClientOverview) {
  const toast = useToast()
  return useMutation({
    mutationFn: () => queryBackend((backend) => backend.rpc('export_client', { client_id: client.id })),
    onSuccess: (data) =>
      saveFile({
        name: `client-${client.email ?? client.id}-${new Date().toISOString().slice(0, 10)}.json`,
        type: 'application/json',
        content: JSON.stringify(data, null, 2),
      }),
    onError: (error) => toast({ title: 'Error', description: error.message, tone: 'destructive' }),
  })
}

interface EraseProps {
  client: ClientOverview
  isOpen: boolean
  onClose: () => void
}

function EraseDialog({ client, isOpen, onClose }: EraseProps) {
  const erase = useEraseClient(client.id)
  const navigate = useNavigate()

  return (
    <ConfirmDialog
      title={`Erase ${clientName(client)}`}
      question="This deletes the sign-in, profile, cart and your notes, ends the newsletter and cancels an unpaid order. Paid orders keep their name and address for the five years that tax law requires. We’ll e-mail the client that the account is closed. This cannot be undone."
      confirm={{ label: 'Erase client', busyLabel: 'Erasing...', isBusy: erase.isPending }}
      isOpen={isOpen}
      onConfirm={() =>
        erase.mutate(undefined, { onSuccess: () => void navigate('/admin/clients', { replace: true }) })
      }
      onClose={onClose}
    />
  )
}
