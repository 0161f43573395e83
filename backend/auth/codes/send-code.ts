import type { Pool, PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import { tryConsumeRateLimit, consumeOrRetryAfter, type RateLimit } from '../limits/rate-limit.ts'
import type { MailKind } from '../mail.ts'
import type { AuthParts } from '../parts.ts'
import type { UserRow } from '../users/user-row.ts'
import { beginFlow, type Challenge } from './flow-state.ts'
import { newCode, storeCode, type CodeType } from './one-time-codes.ts'

/** What each mail is about: the code it carries, the `type` of its link, and where the account notes the sending. */
const MAILS: Record<MailKind, { type: CodeType; link: string | null; sentAt: string }> = {
  confirmation: { type: 'confirmation_token', link: 'signup', sentAt: 'confirmation_sent_at' },
  verification: { type: 'confirmation_token', link: 'signup', sentAt: 'confirmation_sent_at' },
  invite: { type: 'confirmation_token', link: 'invite', sentAt: 'invited_at' },
  recovery: { type: 'recovery_token', link: 'recovery', sentAt: 'recovery_sent_at' },
  magic_link: { type: 'recovery_token', link: 'magiclink', sentAt: 'recovery_sent_at' },
  email_change_current: {
    type: 'email_change_token_current',
    link: 'email_change',
    sentAt: 'email_change_sent_at',
  },
  email_change_new: { type: 'email_change_token_new', link: 'email_change', sentAt: 'email_change_sent_at' },
  reauthentication: { type: 'reauthentication_token', link: null, sentAt: 'reauthentication_sent_at' },
}

/**
 * The mails of a group have limits of their own. With one for all, a stranger who asks for mails that are never sent, or a thief who
 * asks for codes in a stolen session, would use up the owner's recovery mails.
 */
const GROUPS: Record<MailKind, 'recovery' | 'sign-up' | 'change'> = {
  recovery: 'recovery',
  magic_link: 'recovery',
  confirmation: 'sign-up',
  verification: 'sign-up',
  invite: 'sign-up',
  email_change_current: 'change',
  email_change_new: 'change',
  reauthentication: 'change',
}

/** Every visitor can have these mailed to an account, and each lets the reader of the mailbox in. */
const FOR_STRANGERS = new Set<MailKind>(['recovery', 'magic_link', 'confirmation', 'verification'])

/** The kind of mail that confirms this account's address. */
export function confirmationFor(user: Pick<UserRow, 'email_confirmed_at'>): 'confirmation' | 'verification' {
  return user.email_confirmed_at ? 'verification' : 'confirmation'
}

export interface CodeToSend {
  kind: MailKind
  userId: string
  to: string
  redirectTo: string
  challenge?: Challenge | null
}

/**
 * Makes a code, notes it and has it mailed, all in the caller's transaction. Sends nothing, and keeps the code before it, when the mailbox
 * was sent too much of what strangers can ask for: a refusal would tell that there is an account.
 */
export async function sendCode(auth: AuthParts, client: PoolClient, sending: CodeToSend): Promise<void> {
  const { kind, userId, to } = sending
  if (FOR_STRANGERS.has(kind) && !(await hasRoomFor(auth, client, to))) return
  const made = await makeCode(auth, client, sending)
  await auth.sendMail(client, { kind, to, userId, code: made.code, link: made.link })
}

export interface MadeCode {
  code: string
  /** What the link carries. */
  secret: string
  link: string | null
}

export async function makeCode(auth: AuthParts, client: PoolClient, sending: CodeToSend): Promise<MadeCode> {
  const { kind, userId, to, redirectTo, challenge } = sending
  const { type, link, sentAt } = MAILS[kind]
  // The account before its codes, as everywhere, so that two requests never wait for each other.
  await client.query(`update auth.users set ${sentAt} = now(), updated_at = now() where id = $1`, [userId])
  const code = newCode()
  const flowId = challenge ? await beginFlow(client, userId, { ...challenge, purpose: link ?? kind }) : null
  const owner = { userId, type, address: to }
  const secret = await storeCode(client, { owner, code, flowId, key: auth.keys.secret })
  return {
    code,
    secret,
    link: link && linkOf(auth, { secret, type: link, redirectTo, path: auth.settings.linkPath }),
  }
}

interface Link {
  secret: string
  type: string
  redirectTo: string
  path: 'verify' | 'confirm'
}

export function linkOf(auth: AuthParts, { secret, type, redirectTo, path }: Link): string {
  const query = new URLSearchParams({ token: secret, type, redirect_to: redirectTo })
  return `${auth.publicUrl}/auth/v1/${path}?${query}`
}

/**
 * Throws 429 `over_email_send_rate_limit` with the seconds to wait when the address had too many mails. Counted by the address that
 * was typed, not by the account: the answer is the same whether there is one.
 */
export async function requireMailAllowed(auth: AuthParts, kind: MailKind, to: string): Promise<void> {
  refuseMailFor(await secondsUntilMail(auth, kind, to))
}

export async function requireMails(auth: AuthParts, rateLimit: RateLimit): Promise<void> {
  refuseMailFor(await consumeOrRetryAfter(auth.database.owner, rateLimit))
}

function refuseMailFor(seconds: number): void {
  if (seconds === 0) return
  throw new AuthError(
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
  )
}

/** The same count, for callers whose answer must not tell whether a mail goes out. */
export async function isMailAllowed(auth: AuthParts, kind: MailKind, to: string): Promise<boolean> {
  return (await secondsUntilMail(auth, kind, to)) === 0
}

/** The short limit first: a request that it refuses uses up nothing of the longer ones. */
async function secondsUntilMail(
  { database, settings }: AuthParts,
  kind: MailKind,
  to: string,
): Promise<number> {
  const { mailsPerAccount, mailsPerAccountAndHour, mailsPerAccountAndDay } = settings.limits
  const mailbox = await mailboxOf(database.owner, to)
  const tries = [
    { bucket: `mail ${kind}`, subject: mailbox, limit: mailsPerAccount },
    { bucket: 'mails of an hour', subject: `${GROUPS[kind]} ${mailbox}`, limit: mailsPerAccountAndHour },
    { bucket: 'mails of a day', subject: `${GROUPS[kind]} ${mailbox}`, limit: mailsPerAccountAndDay },
  ]
  for (const rateLimit of tries) {
    // oxlint-disable-next-line no-await-in-loop -- what one limit refuses may not fill the next
    const seconds = await consumeOrRetryAfter(database.owner, rateLimit)
    if (seconds > 0) return seconds
  }
  return 0
}

/** Counts the mails that are sent, in whichever group: what strangers can send to one mailbox must not grow with the groups. */
async function hasRoomFor(
  { settings: { limits } }: AuthParts,
  client: PoolClient,
  to: string,
): Promise<boolean> {
  const subject = await mailboxOf(client, to)
  return (
    (await tryConsumeRateLimit(client, {
      bucket: 'sent of an hour',
      subject,
      limit: limits.mailsPerAccountAndHour,
    })) &&
    (await tryConsumeRateLimit(client, {
      bucket: 'sent of a day',
      subject,
      limit: limits.mailsPerAccountAndDay,
    }))
  )
}

/** Spellings of one mailbox count together (decision 0034). */
async function mailboxOf(database: Pool | PoolClient, address: string): Promise<string> {
  const { rows } = await database.query<{ mailbox: string }>('select auth.mailbox_of($1) as mailbox', [
    address,
  ])
  return rows[0]?.mailbox ?? address
}
