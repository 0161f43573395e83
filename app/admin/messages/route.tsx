import { useState } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { useIsHelper } from '../frame/role.ts'
import { EmailDialog } from '../list/email-dialog.tsx'
import { ExportButton } from '../list/export-button.tsx'
import { ListScreen } from '../list/list-screen.tsx'
import { useList } from '../list/use-list.ts'
import { useNames } from '../notes/names.ts'
import { MESSAGES, MESSAGES_FILE } from './message-list.ts'
import type { Message } from './message.ts'
import { MessageCard } from './message-card.tsx'
import styles from './messages.module.css'

const EMPTY = {
  title: 'Every message is answered',
  advice: 'What people write by the contact form waits here.',
}

/** What people wrote by the contact form, until somebody says that it is done. */
export default function Messages() {
  const isHelper = useIsHelper()
  const messages = useList(MESSAGES)
  const names = useNames((messages.page.data?.rows ?? []).flatMap(({ answered_by }) => answered_by ?? []))
  const [answering, setAnswering] = useState<Message | null>(null)

  return (
    <>
      <ListScreen
        list={messages}
        empty={EMPTY}
        action={
          !isHelper && (
            <div className={styles.actions}>
              <ExportButton list={messages} file={MESSAGES_FILE} />
              <ButtonLink to="/admin/subscribers">Newsletter subscribers</ButtonLink>
            </div>
          )
        }
      >
        {(rows) => (
          <ul className={styles.messages}>
            {rows.map((message) => (
              <li key={message.id}>
                <MessageCard
                  message={message}
                  doneBy={message.answered_by && names.data?.get(message.answered_by)}
                  onAnswer={() => setAnswering(message)}
                />
              </li>
            ))}
          </ul>
        )}
      </ListScreen>
      {answering && (
        <EmailDialog
          recipient={{ email: answering.email, full_name: answering.name }}
          subject={`Re: ${answering.subject}`}
          onClose={() => setAnswering(null)}
        />
      )}
    </>
  )
}
