import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { challengeMembers, parseChallenge, type Challenge } from './codes/flow-state.ts'
import { redirectOf } from './codes/redirects.ts'
import { confirmationKind, isMailAllowed, requireMailAllowed, sendCode } from './codes/send-code.ts'
import { AuthError, invalidInput } from './errors.ts'
import { withMinimumDuration } from './limits/minimum-duration.ts'
import { consumeAttempt, requireSignUpAllowed } from './limits/rate-limit.ts'
import type { AuthContext } from './auth-context.ts'
import { hasProvenMailbox } from './mailbox/mailbox-proof.ts'
import { recordSecondSignUp } from './mailbox/replace-sign-up.ts'
import { hashPassword } from './passwords/hash-password.ts'
import { requireGoodPassword } from './passwords/password-rules.ts'
import {
  metadataSchema,
  optionalEmail,
  optionalText,
  requestSource,
  parseBody,
  requireSmallMetadata,
} from './request.ts'
import { openSession } from './sessions/open-session.ts'
import { tokenResponse } from './sessions/token-response.ts'
import { alreadyRegistered, insertUser, type NewUser } from './users/insert-user.ts'
import { userResponse, type UserResponse } from './users/user-response.ts'
import { findUserByEmail, loadUser, type Metadata, type UserRow } from './users/user-row.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).nullish(),
  data: metadataSchema,
  ...challengeMembers,
})

/** POST /signup */
export async function signUp(auth: AuthContext, c: Context): Promise<Response> {
  const body = await parseBody(c, schema)
  const { email, phone, password, data } = body
  const { settings } = auth
  if (!settings.isSignUpOpen) throw new AuthError('signup_disabled', 'Signups not allowed for this instance')
  if (phone) throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
  if (!email) throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (!password) throw invalidInput('Signup requires a valid password')
  requireGoodPassword(password, settings.passwordMinLength)
  requireSmallMetadata(data)
  await consumeAttempt(auth, c)

  const applicant: Applicant = {
    email,
    password,
    userMetadata: data,
    isConfirmed: settings.autoconfirm,
    isSelfRegistered: true,
    passwordHash: '',
    challenge: parseChallenge(body),
    redirectTo: redirectOf(auth, c),
  }
  if (settings.autoconfirm) {
    return signUpAtOnce(auth, c, { ...applicant, passwordHash: await hashPassword(password) })
  }
  await requireMailAllowed(auth, 'confirmation', email)
  // Counts sign-ups of known addresses too: a refusal must not reveal that an address is new.
  await requireSignUpAllowed(auth, c)
  return withMinimumDuration(settings.minimumResponseMs, async () =>
    c.json(await signUpByMail(auth, { ...applicant, passwordHash: await hashPassword(password) })),
  )
}

interface Applicant extends NewUser {
  password: string
  passwordHash: string
  challenge: Challenge | null
  redirectTo: string
}

/** Throws the same error for verified and unverified accounts of the address. */
async function signUpAtOnce(auth: AuthContext, c: Context, applicant: Applicant): Promise<Response> {
  const { owner } = auth.database
  if (await findUserByEmail(owner, applicant.email)) {
    await withMinimumDuration(auth.settings.minimumResponseMs, () => offerReplacement(auth, applicant))
    throw alreadyRegistered()
  }
  await requireSignUpAllowed(auth, c)
  const grant = await inTransaction(owner, async (client) => {
    const user = await insertUser(client, applicant)
    return openSession(client, { userId: user.id, method: 'password', source: requestSource(c) })
  })
  return c.json(await tokenResponse(auth, grant))
}

/** Mails the link with which the mailbox's reader can take over an unverified sign-up. */
async function offerReplacement(auth: AuthContext, applicant: Applicant): Promise<void> {
  if (!(await isMailAllowed(auth, 'confirmation', applicant.email))) return
  await inTransaction(auth.database.owner, async (client) => {
    const known = await findUserByEmail(client, applicant.email)
    if (known && !(await hasProvenMailbox(client, known.id)))
      await mailReplacementLink(auth, client, { known, applicant })
  })
}

async function signUpByMail(auth: AuthContext, applicant: Applicant): Promise<object> {
  const { email, userMetadata, challenge, redirectTo } = applicant
  return inTransaction(auth.database.owner, async (client) => {
    const known = await findUserByEmail(client, email)
    if (!known) {
      const user = await insertUser(client, applicant)
      await sendCode(auth, client, {
        kind: 'confirmation',
        userId: user.id,
        to: email,
        redirectTo,
        challenge,
      })
      return userResponse(await loadUser(client, user.id))
    }
    if (await hasProvenMailbox(client, known.id)) return fakeNewUser(email, userMetadata)
    await mailReplacementLink(auth, client, { known, applicant })
    return fakeFirstSignUp(email, userMetadata)
  })
}

/** Keeps the unverified account unchanged, because the applicant may be a stranger; the mailbox's reader decides. */
async function mailReplacementLink(
  auth: AuthContext,
  client: PoolClient,
  { known, applicant }: { known: UserRow; applicant: Applicant },
): Promise<void> {
  const { email, password, challenge, redirectTo } = applicant
  await recordSecondSignUp(client, known.id, password)
  const kind = confirmationKind(known)
  await sendCode(auth, client, { kind, userId: known.id, to: email, redirectTo, challenge })
}

/** The response for an address that already has a verified account: looks like a new account. */
function fakeNewUser(email: string, userMetadata: Metadata): Partial<UserResponse> {
  const now = new Date().toISOString()
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: '',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: userMetadata,
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  }
}

/** The response for an unverified account: looks like a first sign-up, with random ids. */
function fakeFirstSignUp(email: string, userMetadata: Metadata): Partial<UserResponse> {
  const user = fakeNewUser(email, userMetadata)
  const { id = '', created_at: now } = user
  const claims = { ...userMetadata, sub: id, email, email_verified: false, phone_verified: false }
  const identity = {
    identity_id: randomUUID(),
    id,
    user_id: id,
    identity_data: claims,
    provider: 'email',
    last_sign_in_at: now,
    created_at: now,
    updated_at: now,
    email,
  }
  return { ...user, role: 'authenticated', user_metadata: claims, identities: [identity] }
}
