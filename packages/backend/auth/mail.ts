import type { PoolClient } from 'pg'

export type MailKind =
  | 'confirmation'
  /** The same link for an account that can already sign in; only the mail's text differs. */
  | 'verification'
  | 'recovery'
  | 'magic_link'
  | 'invite'
  | 'email_change_current'
  | 'email_change_new'
  | 'reauthentication'

export interface AuthMail {
  kind: MailKind
  to: string
  userId: string
  /** Six digits, to be typed in. */
  code: string
  /** Signs in; null for mails that carry only the code. */
  link: string | null
}

/**
 * Called in the transaction that created the code, so that code and queued mail are committed together. The code is stored nowhere
 * else in plain text.
 */
export type SendMail = (client: PoolClient, mail: AuthMail) => Promise<void>

export interface AuthText {
  /** In international form, with the plus sign. */
  to: string
  channel: 'sms' | 'whatsapp'
  code: string
}

/** Called in the transaction that created the code, as `SendMail` is. */
export type SendText = (client: PoolClient, text: AuthText) => Promise<void>
