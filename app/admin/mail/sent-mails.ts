import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Tables } from '#database'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'
import { isMailName, MAIL_NAMES } from '#domain/mails.ts'

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
export const useRetryMail = () =>
  useRpcMutation('retry_mail', { success: 'Sending the e-mail', invalidates: ['order-mails', 'mails'] })

/** Deletes a failed mail that can never arrive. */
export const useDeleteFailedMail = () =>
  useRpcMutation('delete_failed_mail', {
    success: 'E-mail deleted',
    invalidates: ['order-mails', 'mails'],
  })

/** Sends another copy of a sent mail. */
export const useResendMail = () =>
  useRpcMutation('resend_mail', {
    success: 'Sending the e-mail again',
    invalidates: ['order-mails', 'mails'],
  })

/** The template's name for staff. Mails of older versions may have other templates. */
export function mailName(template: string): string {
  return isMailName(template) ? MAIL_NAMES[template] : template.replaceAll('-', ' ')
}
