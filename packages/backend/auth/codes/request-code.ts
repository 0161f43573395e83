import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from '../errors.ts'
import { withMinimumDuration } from '../limits/minimum-duration.ts'
import { consumeAttempt, requireSignUpAllowed } from '../limits/rate-limit.ts'
import { hasProvenMailbox } from '../mailbox/mailbox-proof.ts'
import type { AuthContext } from '../auth-context.ts'
import {
  metadataSchema,
  optionalEmail,
  optionalText,
  parseBody,
  requireEmail,
  requireSmallMetadata,
} from '../request.ts'
import { requireSession, requireUnchanged } from '../sessions/require-session.ts'
import { insertUser } from '../users/insert-user.ts'
import { findUserByEmail, type UserRow } from '../users/user-row.ts'
import { mailAddressChange, requireChangeAllowed } from './address-change.ts'
import { challengeMembers, parseChallenge } from './flow-state.ts'
import { redirectOf } from './redirects.ts'
import { confirmationKind, requireMailAllowed, sendCode } from './send-code.ts'

const recoverSchema = z.object({ email: optionalEmail, ...challengeMembers })

/** POST /recover: the response does not reveal whether the account exists. */
export async function recover(auth: AuthContext, c: Context): Promise<Response> {
  const body = await parseBody(c, recoverSchema)
  const email = requireEmail(body.email)
  await consumeAttempt(auth, c)
  await requireMailAllowed(auth, 'recovery', email)

  const challenge = parseChallenge(body)
  await withMinimumDuration(auth.settings.minimumResponseMs, async () => {
    const user = await findUserByEmail(auth.database.owner, email)
    if (user) await mailCode(auth, c, { user, kind: 'recovery', challenge })
  })
  return c.json({})
}

const codeSchema = z.object({
  email: optionalEmail,
  phone: optionalText,
  create_user: z.boolean().default(true),
  data: metadataSchema,
  ...challengeMembers,
})

/** POST /otp and /magiclink: mails a sign-in link; creates a missing account if sign-up is open. */
export async function requestSignInCode(auth: AuthContext, c: Context): Promise<Response> {
  if (!auth.settings.isMailSignInOpen) throw new AuthError('otp_disabled', 'Sign-in by mail is disabled')
  const body = await parseBody(c, codeSchema)
  if (body.phone) throw new AuthError('phone_provider_disabled', 'Unsupported phone provider')
  const email = requireEmail(body.email)
  requireSmallMetadata(body.data)
  await consumeAttempt(auth, c)
  await requireMailAllowed(auth, 'magic_link', email)

  const challenge = parseChallenge(body)
  await withMinimumDuration(auth.settings.minimumResponseMs, async () => {
    const known = await findUserByEmail(auth.database.owner, email)
    // The hosted service's response. It reveals which addresses have accounts, so the shop turns `isMailSignInOpen` off.
    if (!known && !body.create_user) throw new AuthError('otp_disabled', 'Signups not allowed for otp')
    if (!known && !auth.settings.isSignUpOpen) return
    if (!known) await requireSignUpAllowed(auth, c)
    const user = known ?? (await addUser(auth, email, body.data))
    await mailCode(auth, c, { user, kind: known ? 'magic_link' : 'confirmation', challenge })
  })
  return c.json({})
}

async function addUser(
  auth: AuthContext,
  email: string,
  userMetadata: Record<string, unknown>,
): Promise<UserRow> {
  return inTransaction(auth.database.owner, (client) =>
    insertUser(client, {
      email,
      passwordHash: null,
      isConfirmed: false,
      userMetadata,
      isSelfRegistered: true,
    }),
  )
}

const resendSchema = z.object({
  type: z.enum(['signup', 'email_change', 'sms', 'phone_change']),
  email: optionalEmail,
  ...challengeMembers,
})

/** POST /resend: mails a pending confirmation again. */
export async function resend(auth: AuthContext, c: Context): Promise<Response> {
  const body = await parseBody(c, resendSchema)
  if (body.type === 'sms' || body.type === 'phone_change') {
    throw new AuthError('phone_provider_disabled', 'Unsupported phone provider')
  }
  const request = { email: requireEmail(body.email), challenge: parseChallenge(body) }
  await consumeAttempt(auth, c)
  await (body.type === 'signup' ? resendConfirmation : resendAddressChange)(auth, c, request)
  return c.json({})
}

interface ResendRequest {
  email: string
  challenge: ReturnType<typeof parseChallenge>
}

async function resendConfirmation(
  auth: AuthContext,
  c: Context,
  { email, challenge }: ResendRequest,
): Promise<void> {
  await requireMailAllowed(auth, 'confirmation', email)
  await withMinimumDuration(auth.settings.minimumResponseMs, async () => {
    const user = await findUserByEmail(auth.database.owner, email)
    if (user && !(await hasProvenMailbox(auth.database.owner, user.id)))
      await mailCode(auth, c, { user, kind: confirmationKind(user), challenge })
  })
}

/**
 * Requires the session of the account that began the change: otherwise a thief whose session has ended could still have the links sent.
 */
async function resendAddressChange(
  auth: AuthContext,
  c: Context,
  { email, challenge }: ResendRequest,
): Promise<void> {
  const signedIn = await requireSession(auth, c)
  const { user } = signedIn
  if (!user.email_change || (email !== user.email && email !== user.email_change)) return
  await requireChangeAllowed(auth, user.id, user.email_change)
  await inTransaction(auth.database.owner, async (client) => {
    await requireUnchanged(client, signedIn)
    await mailAddressChange(auth, client, { user, redirectTo: redirectOf(auth, c), challenge })
  })
}

interface CodeMail {
  user: UserRow
  kind: 'recovery' | 'magic_link' | 'confirmation' | 'verification'
  challenge: ReturnType<typeof parseChallenge>
}

async function mailCode(auth: AuthContext, c: Context, { user, kind, challenge }: CodeMail): Promise<void> {
  const redirectTo = redirectOf(auth, c)
  await inTransaction(auth.database.owner, (client) =>
    sendCode(auth, client, { kind, userId: user.id, to: user.email ?? '', redirectTo, challenge }),
  )
}
