import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { DialogButton } from '../form/dialog-button.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { MailDialog, MailServerError } from '../mail/mail-dialog.tsx'
import { mailName, useFailedMails, useRetryMail, type FailedMail } from '../mail/sent-mails.ts'
import { Card, Cards } from './card.tsx'

const EMPTY = {
  title: 'No failed e-mails',
  advice: 'An e-mail that the mail server refuses for three days appears here with the server’s message.',
}

export function FailedMails() {
  return (
    <ResourceList title="Failed e-mails" query={useFailedMails()} rowsOf={(rows) => rows} empty={EMPTY}>
      {(rows) => <Cards items={rows}>{(mail) => <FailedMailCard mail={mail} />}</Cards>}
    </ResourceList>
  )
}

function FailedMailCard({ mail }: { mail: FailedMail }) {
  const retry = useRetryMail()
  return (
    <Card
      title={mail.subject ?? mailName(mail.template)}
      actions={
        <>
          <Button look="solid" disabled={retry.isPending} onClick={() => retry.mutate({ mail_id: mail.id })}>
            Try again
          </Button>
          <DialogButton renderDialog={(close) => <MailDialog mail={mail} onClose={close} />}>
            View e-mail
          </DialogButton>
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
