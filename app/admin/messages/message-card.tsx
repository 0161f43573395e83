import { Check, Mail, Undo2 } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Moment } from '#app/ui/when.tsx'
import { useMarkMessage, type Message } from './message.ts'
import styles from './messages.module.css'

interface Props {
  message: Message
  /** The name of who said that it is done, once it is known. */
  doneBy: string | null | undefined
  onAnswer: () => void
}

export function MessageCard({ message, doneBy, onAnswer }: Props) {
  const mark = useMarkMessage(message.id)
  const isDone = message.state === 'done'

  return (
    <article className={styles.message} aria-label={message.subject}>
      <header className={styles.head}>
        <h3>{message.subject}</h3>
        {isDone && <Badge tone="success">Done</Badge>}
      </header>
      <p className={styles.who}>
        {message.name}, <a href={`mailto:${message.email}`}>{message.email}</a>,{' '}
        <Moment at={message.created_at} />
        {message.answered_at && (
          <>
            . Done{doneBy && ` by ${doneBy}`}, <Moment at={message.answered_at} />
          </>
        )}
      </p>
      <p className={styles.words}>{message.message}</p>
      <div className={styles.actions}>
        <Button look="solid" onClick={onAnswer}>
          <Mail size={18} aria-hidden /> Answer
        </Button>
        {isDone ? (
          <Button disabled={mark.isPending} onClick={() => mark.mutate('open')}>
            <Undo2 size={18} aria-hidden /> Open again
          </Button>
        ) : (
          <Button disabled={mark.isPending} onClick={() => mark.mutate('done')}>
            <Check size={18} aria-hidden /> Done
          </Button>
        )}
      </div>
    </article>
  )
}
