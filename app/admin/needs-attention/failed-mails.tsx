import { useState } from 'react'
import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Panel, Row } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { MailDialog, MailServerError } from '../mail/mail-dialog.tsx'
import { mailName } from '../mail/mail-names.ts'
import { useFailedMails, useRetryMail, type FailedMail, type Mail } from '../mail/sent-mails.ts'
import styles from './needs-attention.module.css'

const EMPTY = {
  title: 'No failed e-mails',
  advice: 'An e-mail that the mail server refuses for three days appears here with the server’s message.',
}

export function FailedMails() {
  const mails = useFailedMails()
  const [openMail, setOpenMail] = useState<Mail | null>(null)

  return (
    <>
      <ResourceList title="Failed e-mails" query={mails} rowsOf={(rows) => rows} empty={EMPTY}>
        {(rows) => (
          <ul className={styles.cards}>
            {rows.map((mail) => (
              <li key={mail.id}>
                <FailedMailCard mail={mail} onOpen={() => setOpenMail(mail)} />
              </li>
            ))}
          </ul>
        )}
      </ResourceList>
      {openMail && <MailDialog mail={openMail} onClose={() => setOpenMail(null)} />}
    </>
  )
}

function FailedMailCard({ mail, onOpen }: { mail: FailedMail; onOpen: () => void }) {
  const retry = useRetryMail()
  const name = mail.subject ?? mailName(mail.template)

  return (
    <Panel as="article" gap={3} justify="start" breakWords className={styles.card} aria-label={name}>
      <h3>{name}</h3>
      <p>
        To {mail.recipient ?? 'the shop'}, <LocalDateTime at={mail.created_at} />
        {mail.order_id && (
          <>
            , <Link to={`/admin/orders/${mail.order_id}`}>its order</Link>
          </>
        )}
      </p>
      <MailServerError mail={mail} />
      <Row gap={2} align="stretch" wrap className={styles.actions}>
        <Button look="solid" disabled={retry.isPending} onClick={() => retry.mutate(mail.id)}>
          Try again
        </Button>
        <Button onClick={onOpen}>View e-mail</Button>
      </Row>
    </Panel>
  )
}
