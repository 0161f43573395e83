import { TextField } from '#app/ui/form/field.tsx'
import { Hint, Panel, Text } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { DialogForm } from '../form/dialog-form.tsx'
import formStyles from '../form/form-dialog.module.css'
import { StaffEmailPreview } from '../mail/staff-email-preview.tsx'
import { useEmailDraft } from '../mail/use-email-draft.tsx'
import { answerSubject, parseAnsweredError, useAnswerMessage, type Message } from './message.ts'
import styles from './messages.module.css'

interface Props {
  message: Message
  /** Who marked the message as done; undefined until the name is loaded. */
  doneBy: string | null | undefined
  onClose: () => void
}

/** Shows the question above the answer. The mail quotes it too. */
export function AnswerDialog({ message, doneBy, onClose }: Props) {
  const answer = useAnswerMessage(message.id)
  const draft = useEmailDraft({ subject: answerSubject(message.subject), name: message.name })
  const conflict = parseAnsweredError(answer.error)
  const isAnswered = message.state === 'done' || conflict !== null

  const send = () => {
    if (draft.isFilled) answer.mutate({ ...draft.values, again: isAnswered }, { onSuccess: onClose })
  }

  return (
    <DialogForm
      title={`Answer ${message.name}`}
      submit={isAnswered ? 'Send Another Answer' : 'Send Email'}
      isBusy={answer.isPending}
      isIncomplete={!draft.isFilled}
      onSubmit={send}
      onClose={onClose}
    >
      <Panel as="section" padding="s" gap={1} className={styles.question} aria-label="Question">
        <Hint>
          {message.name} wrote on <LocalDateTime at={message.created_at} />:
        </Hint>
        <Text preLine>{message.message}</Text>
      </Panel>
      {isAnswered && (
        <Panel as="p" kind="warning" gap={3} size="s" role="alert" className={formStyles.conflict}>
          {answeredText({ by: conflict?.by ?? doneBy, isNew: conflict !== null })}
        </Panel>
      )}
      <TextField label="To" value={message.email} readOnly />
      {draft.fields}
      <StaffEmailPreview mail={{ ...draft.values, submissionId: message.id }} isReady={draft.isFilled} />
    </DialogForm>
  )
}

function answeredText({ by, isNew }: { by: string | null | undefined; isNew: boolean }): string {
  const who = by ? ` by ${by}` : ''
  return isNew
    ? `Answered${who} while you were writing. Your answer is not sent yet. Send it only if it adds something.`
    : `This message is already marked as done${who}. Sending e-mails the customer again.`
}
