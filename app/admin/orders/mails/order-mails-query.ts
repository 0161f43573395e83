import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../../list/use-change.ts'

export type MailStatus = 'queued' | 'sent' | 'failed'

/** A row of the outbox, without what it says. */
export interface Mail {
  id: string
  template: string
  /** Null is the shop itself. */
  recipient: string | null
  sent_to: string | null
  subject: string | null
  status: MailStatus
  attempts: number
  /** The mail server's words at the last try. */
  last_error: string | null
  is_marketing: boolean
  created_at: string
  sent_at: string | null
}

const HEAD =
  'id, template, recipient, sent_to, subject, status, attempts, last_error, is_marketing, created_at, sent_at'

export function useMailsOfOrder(orderId: string) {
  return useQuery({
    queryKey: ['orders', 'mails', orderId],
    queryFn: () =>
      askBackend<Mail[]>((backend) =>
        backend.from('mails').select(HEAD).eq('props->>orderId', orderId).order('created_at'),
      ),
  })
}

export type FailedMail = Mail & { order_id: string | null }

/** Newest first. */
export function useFailedMails() {
  return useQuery({
    queryKey: ['mails', 'failed'],
    queryFn: () =>
      askBackend<FailedMail[]>((backend) =>
        backend
          .from('mails')
          .select(`${HEAD}, order_id:props->>orderId`)
          .eq('status', 'failed')
          .order('created_at', { ascending: false })
          .limit(200)
          .overrideTypes<FailedMail[], { merge: false }>(),
      ),
  })
}

export interface MailAsSent {
  html: string | null
  text: string | null
}

export function useMailAsSent(id: string) {
  return useQuery({
    queryKey: ['mails', 'as-sent', id],
    queryFn: () =>
      askBackend<MailAsSent>((backend) => backend.from('mails').select('html, text').eq('id', id).single()),
  })
}

/** Tries a mail now that waits or has failed. */
export function useRetryMail() {
  return useChange({
    change: (mailId: string) => tellBackend((backend) => backend.rpc('retry_mail', { mail_id: mailId })),
    done: 'The mail is being sent',
    refreshes: ['orders', 'mails'],
  })
}

/** Sends once more what was sent already. */
export function useResendMail() {
  return useChange({
    change: (mailId: string) => tellBackend((backend) => backend.rpc('resend_mail', { mail_id: mailId })),
    done: 'The mail goes out once more',
    refreshes: ['orders', 'mails'],
  })
}
