import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { DeleteDialog } from '../form/delete-dialog.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { MailDialog, MailServerError } from '../mail/mail-dialog.tsx'
import {
  mailName,
  useDeleteFailedMail,
  useFailedMails,
  useRetryMail,
  type FailedMail,
  type Mail,
} from '../mail/sent-mails.ts'
import { Card, Cards } from './card.tsx'

const EMPTY = {
  title: 'No failed e-mails',
  advice: 'An e-mail that the mail server refuses for three days appears here with the server’s message.',
}

export function FailedMails() {
  const mails = useFailedMails()
  const deleteMail = useDeleteFailedMail()
  // Here and not in the card, which unmounts once the mail is sent or deleted.
  const [openMail, setOpenMail] = useState<Mail | null>(null)
  const [deleting, setDeleting] = useState<Mail | null>(null)
  return (
    <>
      <ResourceList title="Failed e-mails" query={mails} rowsOf={(rows) => rows} empty={EMPTY}>
        {(rows) => (
          <Cards items={rows}>
            {(mail) => (
              <FailedMailCard
                mail={mail}
                onOpen={() => setOpenMail(mail)}
                onDelete={() => setDeleting(mail)}
              />
            )}
          </Cards>
        )}
      </ResourceList>
      {openMail && <MailDialog mail={openMail} onClose={() => setOpenMail(null)} />}
      <DeleteDialog
        title="Delete e-mail"
        question={`The e-mail to ${deleting?.recipient ?? 'the shop'} will not be sent.`}
        row={deleting && { mail_id: deleting.id }}
        mutation={deleteMail}
        onClose={() => setDeleting(null)}
      />
    </>
  )
}

interface CardProps {
  mail: FailedMail
  onOpen: () => void
  onDelete: () => void
}

function FailedMailCard({ mail, onOpen, onDelete }: CardProps) {
  const retry = useRetryMail()
  return (
    <Card
      title={mail.subject ?? mailName(mail.template)}
      actions={
        <>
          <Button look="solid" disabled={retry.isPending} onClick={() => retry.mutate({ mail_id: mail.id })}>
            Try again
          </Button>
          <Button onClick={onOpen}>View e-mail</Button>
          <Button onClick={onDelete}>Delete</Button>
        </>
      }
    >
      <p>
        To {mail.recipient ?? 'the shop'}, <LocalDateTime at={mail.created_at} />
        {mail.order_id && (
          <>
            , <Link to={`/admin/orders/${mail.order_id}`}>its order</Link>
          </>
        )}
      </p>
      <MailServerError mail={mail} />
    </Card>
  )
}
