import type { Pool, PoolClient } from 'pg'

import { asText, selectValue } from '#backend/database/select-rows.ts'
import { AuthError } from '../errors.ts'
import { tryConsumeRateLimit, consumeOrRetryAfter, type RateLimit } from '../limits/rate-limit.ts'
import type { AuthMail, MailKind } from '../mail.ts'
import type { AuthContext } from '../auth-context.ts'
import type { UserRow } from '../users/user-row.ts'
import { beginFlow, type Challenge } from './flow-state.ts'
import { newCode, storeCode, type CodeType } from './one-time-codes.ts'

/** By mail: the code's type, the link's `type` parameter, and the column of `auth.users` with the time of sending. */
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
 * Each group of mails has separate limits. With shared ones, a stranger's requests or a thief in a stolen session could exhaust the
 * owner's recovery mails.
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

/** Mails that any visitor can request for any account; each one signs in. */
const FOR_STRANGERS = new Set<MailKind>(['recovery', 'magic_link', 'confirmation', 'verification'])

/** Returns the kind of mail that confirms this account's address. */
export function confirmationKind(user: Pick<UserRow, 'email_confirmed_at'>): 'confirmation' | 'verification' {
  return user.email_confirmed_at ? 'verification' : 'confirmation'
}

export interface CodeToSend extends Pick<AuthMail, 'kind' | 'userId' | 'to'> {
  redirectTo: string
  challenge?: Challenge | null
}

/**
 * Creates, stores and mails a code in the caller's transaction. When a mailbox has had too many mails that strangers can request, it
 * sends nothing and keeps the earlier code: an error would reveal that the account exists.
 */
export async function sendCode(auth: AuthContext, client: PoolClient, sending: CodeToSend): Promise<void> {
  const { kind, userId, to } = sending
  if (FOR_STRANGERS.has(kind) && !(await consumeMailboxLimits(auth, client, to))) return
  const made = await makeCode(auth, client, sending)
  await auth.sendMail(client, { kind, to, userId, code: made.code, link: made.link })
}

export interface MadeCode {
  code: string
  /** The link's token. */
  secret: string
  link: string | null
}

export async function makeCode(
  auth: AuthContext,
  client: PoolClient,
  sending: CodeToSend,
): Promise<MadeCode> {
  const { kind, userId, to, redirectTo, challenge } = sending
  const { type, link, sentAt } = MAILS[kind]
  // Lock the account before its codes, as everywhere, to avoid deadlocks.
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

export function linkOf(auth: AuthContext, { secret, type, redirectTo, path }: Link): string {
  const query = new URLSearchParams({ token: secret, type, redirect_to: redirectTo })
  return `${auth.publicUrl}/auth/v1/${path}?${query}`
}

/**
 * Consumes the mail limits of an address. Throws 429 `over_email_send_rate_limit` with the seconds to wait. Counts by the typed address,
 * so that the response does not reveal whether it has an account.
 */
export async function requireMailAllowed(auth: AuthContext, kind: MailKind, to: string): Promise<void> {
  refuseUnlessZero(await secondsUntilMail(auth, kind, to))
}

export async function consumeMailLimit(auth: AuthContext, rateLimit: RateLimit): Promise<void> {
  refuseUnlessZero(await consumeOrRetryAfter(auth.database.owner, rateLimit))
}

function refuseUnlessZero(seconds: number): void {
  if (seconds === 0) return
  throw new AuthError(
    'over_email_send_rate_limit',
    `For security purposes, you can only request this after ${seconds} seconds.`,
  )
}

/** As `requireMailAllowed`, for callers whose response must not reveal whether a mail is sent. */
export async function isMailAllowed(auth: AuthContext, kind: MailKind, to: string): Promise<boolean> {
  return (await secondsUntilMail(auth, kind, to)) === 0
}

/** Checks the shortest limit first, so that a refused request does not consume the longer ones. */
async function secondsUntilMail(
  { database, settings }: AuthContext,
  kind: MailKind,
  to: string,
): Promise<number> {
  const { mailsPerAccount, mailsPerAccountAndHour, mailsPerAccountAndDay } = settings.limits
  const mailbox = await mailboxOf(database.owner, to)
  const rateLimits = [
    { bucket: `mail ${kind}`, subject: mailbox, limit: mailsPerAccount },
    { bucket: 'mails of an hour', subject: `${GROUPS[kind]} ${mailbox}`, limit: mailsPerAccountAndHour },
    { bucket: 'mails of a day', subject: `${GROUPS[kind]} ${mailbox}`, limit: mailsPerAccountAndDay },
  ]
  for (const rateLimit of rateLimits) {
    // One by one: a request that one limit refuses must not consume the next.
    const seconds = await consumeOrRetryAfter(database.owner, rateLimit)
    if (seconds > 0) return seconds
  }
  return 0
}

/** Returns whether the mailbox may get another mail that strangers can request. Counts all groups together. */
async function consumeMailboxLimits(
  { settings: { limits } }: AuthContext,
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

/** Different spellings of one mailbox share their limits (decision 0034). */
function mailboxOf(database: Pool | PoolClient, address: string): Promise<string> {
  return selectValue(database, asText, ['select auth.mailbox_of($1)', address])
}
