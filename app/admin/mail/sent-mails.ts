import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

export type MailStatus = Tables<'mails'>['status']

/** A row of the outbox without its content. `recipient` is null for the shop; `last_error` is the mail server's message. */
export type Mail = Pick<
  Tables<'mails'>,
  | 'id'
  | 'template'
  | 'recipient'
  | 'sent_to'
  | 'subject'
  | 'status'
  | 'attempts'
  | 'last_error'
  | 'is_marketing'
  | 'created_at'
  | 'sent_at'
>

const MAIL_COLUMNS =
  'id, template, recipient, sent_to, subject, status, attempts, last_error, is_marketing, created_at, sent_at'

export function useMailsOfOrder(orderId: string) {
  return useBackendQuery(['order-mails', orderId], (backend) =>
    backend.from('mails').select(MAIL_COLUMNS).eq('props->>orderId', orderId).order('created_at'),
  )
}

export type FailedMail = Mail & { order_id: string | null }

export function useFailedMails() {
  return useBackendQuery(['mails', 'failed'], (backend) =>
    backend
      .from('mails')
      .select(`${MAIL_COLUMNS}, order_id:props->>orderId`)
      .eq('status', 'failed')
      .order('created_at', { ascending: false })
      .limit(200),
  )
}

export type SentMailContent = Pick<Tables<'mails'>, 'html' | 'text'>

export function useSentMailContent(id: string) {
  return useBackendQuery(['mails', 'as-sent', id], (backend) =>
    backend.from('mails').select('html, text').eq('id', id).single(),
  )
}

/** Sends a queued or failed mail now. */
export function useRetryMail() {
  return useToastMutation({
    mutationFn: (mailId: string) => queryBackend((backend) => backend.rpc('retry_mail', { mail_id: mailId })),
    success: 'Sending the e-mail',
    invalidates: ['order-mails', 'mails'],
  })
}

/** Sends another copy of a sent mail. */
export function useResendMail() {
  return useToastMutation({
    mutationFn: (mailId: string) =>
      queryBackend((backend) => backend.rpc('resend_mail', { mail_id: mailId })),
    success: 'Sending the e-mail again',
    invalidates: ['order-mails', 'mails'],
  })
}
