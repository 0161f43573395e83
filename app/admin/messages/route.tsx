import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { ButtonLink } from '#app/ui/button.tsx'
import { EmailDialog } from '../list/email-dialog.tsx'
import { ResourceList } from '../list/resource-list.tsx'
import { useMessages, type Message } from './message.ts'
import { MessageCard } from './message-card.tsx'
import styles from './messages.module.css'

const EMPTY_OPEN = {
  title: 'Every message is answered',
  advice: 'What people write by the contact form waits here.',
}
const EMPTY_ALL = { title: 'No messages yet', advice: EMPTY_OPEN.advice }

/** What people wrote by the contact form, until somebody says that it is done. */
export default function Messages() {
  const messages = useMessages()
  const [address] = useSearchParams()
  const showsAll = address.get('show') === 'all'
  const [answering, setAnswering] = useState<Message | null>(null)
  const shown = (all: Message[]) =>
    showsAll ? all : all.filter(({ contact_answers: answer }) => answer === null)

  return (
    <>
      <ResourceList
        title="Messages"
        query={messages}
        rowsOf={shown}
        empty={showsAll ? EMPTY_ALL : EMPTY_OPEN}
        action={<ButtonLink to="/admin/subscribers">Newsletter subscribers</ButtonLink>}
        filter={<Filter showsAll={showsAll} />}
      >
        {(rows) => (
          <ul className={styles.messages}>
            {rows.map((message) => (
              <li key={message.id}>
                <MessageCard message={message} onAnswer={() => setAnswering(message)} />
              </li>
            ))}
          </ul>
        )}
      </ResourceList>
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

function Filter({ showsAll }: { showsAll: boolean }) {
  return (
    <nav className={styles.shown} aria-label="Which messages">
      <Link to="/admin/messages" aria-current={!showsAll || undefined}>
        Open
      </Link>
      <Link to="/admin/messages?show=all" aria-current={showsAll || undefined}>
        All
      </Link>
    </nav>
  )
}
