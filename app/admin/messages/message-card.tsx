import { Check, Mail, Undo2 } from 'lucide-react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Hint, Row, Panel, Text } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { EmailText } from '../mail/email-text.tsx'
import { useMarkMessage, type Message, type Reply } from './message.ts'
import styles from './messages.module.css'

interface Props {
  message: Message
  /** Who marked the message as done; undefined until the name is loaded. */
  doneBy: string | null | undefined
  /** Undefined until loaded. */
  replies: Reply[] | undefined
  nameOf: (id: string) => string | undefined
  onAnswer: () => void
}

export function MessageCard({ message, doneBy, replies, nameOf, onAnswer }: Props) {
  const mark = useMarkMessage(message.id)
  const isDone = message.state === 'done'

  return (
    <Panel as="article" gap={3} breakWords aria-label={message.subject}>
      <Row as="header" gap={2} justify="between" wrap>
        <h3>{message.subject}</h3>
        {isDone && <Badge tone="success">{replies?.length ? 'Answered' : 'Done'}</Badge>}
      </Row>
      <Hint>
        {message.name},{' '}
        <a href={`mailto:${message.email}`}>
          <EmailText email={message.email} />
        </a>
        , <LocalDateTime at={message.created_at} />
        {message.answered_at && (
          <>
            . Done{doneBy && ` by ${doneBy}`}, <LocalDateTime at={message.answered_at} />
          </>
        )}
      </Hint>
      <Text preLine>{message.message}</Text>
      {replies?.map((reply) => (
        <ReplyEntry key={reply.id} reply={reply} by={nameOf(reply.replied_by)} />
      ))}
      {isDone && replies?.length === 0 && (
        <Hint>Answers that you send from your own e-mail program do not appear here.</Hint>
      )}
      <Row gap={2} align="stretch" wrap>
        <Button look="solid" onClick={onAnswer}>
          <Mail size={18} aria-hidden /> {isDone ? 'Answer again' : 'Answer'}
        </Button>
        {isDone ? (
          <Button disabled={mark.isPending} onClick={() => mark.mutate('open')}>
            <Undo2 size={18} aria-hidden /> Reopen
          </Button>
        ) : (
          <Button disabled={mark.isPending} onClick={() => mark.mutate('done')}>
            <Check size={18} aria-hidden /> Mark as done
          </Button>
        )}
      </Row>
    </Panel>
  )
}

const DELIVERY: Record<string, { label: string; tone: BadgeTone }> = {
  queued: { label: 'Waiting to be sent', tone: 'warning' },
  sent: { label: 'Sent', tone: 'success' },
  failed: { label: 'Not delivered', tone: 'danger' },
}

function ReplyEntry({ reply, by }: { reply: Reply; by: string | undefined }) {
  const delivery = reply.delivery && DELIVERY[reply.delivery]
  return (
    <Panel
      as="section"
      padding="s"
      gap={1}
      className={styles.reply}
      aria-label={`Answer${by ? ` by ${by}` : ''}`}
    >
      <Hint>
        Answered{by && ` by ${by}`}, <LocalDateTime at={reply.created_at} />{' '}
        {delivery && <Badge tone={delivery.tone}>{delivery.label}</Badge>}
      </Hint>
      <Text preLine>{reply.message}</Text>
    </Panel>
  )
}
