import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { useIsPacker } from '../frame/role.ts'
import { Loaded } from '../list/resource-list.tsx'
import { MailContent } from './mail-content.tsx'
import { MailState } from './mail-state.tsx'
import {
  useSentMailContent,
  useResendMail,
  mailName,
  useRetryMail,
  type Mail,
  type SentMailContent,
} from './sent-mails.ts'

export function MailDialog({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  const content = useSentMailContent(mail.id)
  const retry = useRetryMail()
  const resend = useResendMail()
  const action = mailAction(mail, { isPacker: useIsPacker() })
  const change = action === 'resend' ? resend : retry

  return (
    <Dialog
      title={mail.subject ?? mailName(mail.template)}
      isOpen
      isBusy={change.isPending}
      onClose={onClose}
      size="l"
    >
      <Stack gap={3}>
        <Row as="p" gap={2} columnGap={3} wrap tone="muted" size="s" breakWords>
          <MailState mail={mail} />
          <span>To {mail.sent_to ?? mail.recipient ?? 'the shop'}</span>
          <LocalDateTime at={mail.sent_at ?? mail.created_at} />
        </Row>
        {mail.last_error && <MailServerError mail={mail} />}
        <Loaded what="This mail" query={content} height={320}>
          {(loaded) => <Content content={loaded} title={mail.subject ?? ''} />}
        </Loaded>
        {action && (
          <Button
            look="action"
            isWide
            disabled={change.isPending}
            onClick={() => change.mutate({ mail_id: mail.id }, { onSuccess: onClose })}
          >
            {action === 'resend' ? 'Send again' : 'Try again now'}
          </Button>
        )}
      </Stack>
    </Dialog>
  )
}

export function MailServerError({ mail }: { mail: Pick<Mail, 'last_error' | 'attempts'> }) {
  return (
    <Panel as="p" kind="danger" tone="danger" size="s" breakWords>
      The mail server said: <q>{mail.last_error}</q> {mail.attempts > 1 && `(${mail.attempts} attempts)`}
    </Panel>
  )
}

function Content({ content: { html, text }, title }: { content: SentMailContent; title: string }) {
  if (html !== null) return <MailContent html={html} text={text} title={title} />
  return (
    <Panel as="p" kind="empty" tone="muted">
      This e-mail is written when it is sent. There is nothing to show yet.
    </Panel>
  )
}

/** What staff can do with a mail. Marketing is never sent twice. */
export function mailAction(
  { status, is_marketing }: Pick<Mail, 'status' | 'is_marketing'>,
  { isPacker }: { isPacker: boolean },
): 'resend' | 'retry' | null {
  if (isPacker || (is_marketing && status === 'sent')) return null
  return status === 'sent' ? 'resend' : 'retry'
}
