import type { PoolClient } from 'pg'

export type MailKind =
  | 'confirmation'
  /** The same link for an account that can already sign in, so its mail says something else. */
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
  /** Opens the account; null where only the code is used. */
  link: string | null
}

/**
 * Called inside the transaction that made the code, so that the mail can be queued as a row of it: either both exist
 * or neither. The code is nowhere else in the clear.
 */
export type SendMail = (client: PoolClient, mail: AuthMail) => Promise<void>

export interface AuthText {
  /** In international form, with the plus sign. */
  to: string
  channel: 'sms' | 'whatsapp'
  code: string
}

/** Called inside the transaction that made the code, as `SendMail` is. */
export type SendText = (client: PoolClient, text: AuthText) => Promise<void>
