import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { challengeMembers, parseChallenge, type Challenge } from './codes/flow-state.ts'
import { redirectOf } from './codes/redirects.ts'
import { confirmationFor, isMailAllowed, requireMailAllowed, sendCode } from './codes/send-code.ts'
import { AuthError, invalidInput } from './errors.ts'
import { withMinimumDuration } from './limits/minimum-duration.ts'
import { consumeRateLimit } from './limits/rate-limit.ts'
import type { AuthParts } from './parts.ts'
import { hasProvenMailbox } from './mailbox/mailbox-proof.ts'
import { noteSecondSignUp } from './mailbox/replace-sign-up.ts'
import { hashPassword } from './passwords/hash-password.ts'
import { requireGoodPassword } from './passwords/password-rules.ts'
import {
  metadataSchema,
  optionalEmail,
  optionalText,
  originOf,
  readBody,
  requireSmallMetadata,
} from './request.ts'
import { openSession } from './sessions/open-session.ts'
import { tokenAnswer } from './sessions/token-answer.ts'
import { alreadyRegistered, insertUser, type NewUser } from './users/insert-user.ts'
import { userAnswer, type UserAnswer } from './users/user-answer.ts'
import { findUserByEmail, loadUser, type Metadata, type UserRow } from './users/user-row.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).nullish(),
  data: metadataSchema,
  ...challengeMembers,
})

/** POST /signup */
export async function signUp(auth: AuthParts, c: Context): Promise<Response> {
  const body = await readBody(c, schema)
  const { email, phone, password, data } = body
  const { settings } = auth
  if (!settings.isSignUpOpen) throw new AuthError('signup_disabled', 'Signups not allowed for this instance')
  if (phone) throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
  if (!email) throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (!password) throw invalidInput('Signup requires a valid password')
  requireGoodPassword(password, settings.passwordMinLength)
  requireSmallMetadata(data)
  await consumeRateLimit(auth.database.owner, {
    bucket: 'attempt',
    subject: originOf(c).address ?? 'unknown',
    limit: settings.limits.attemptsPerAddress,
  })

  const applicant: Applicant = {
    email,
    password,
    userMetadata: data,
    isConfirmed: settings.autoconfirm,
    isSelfMade: true,
    passwordHash: '',
    challenge: parseChallenge(body),
    redirectTo: redirectOf(auth, c),
  }
  if (settings.autoconfirm) {
    return signUpAtOnce(auth, c, { ...applicant, passwordHash: await hashPassword(password) })
  }
  await requireMailAllowed(auth, 'confirmation', email)
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

/** An address that is taken gets one answer, whether its account is verified or not. */
async function signUpAtOnce(auth: AuthParts, c: Context, applicant: Applicant): Promise<Response> {
  const { owner } = auth.database
  if (await findUserByEmail(owner, applicant.email)) {
    await withMinimumDuration(auth.settings.minimumResponseMs, () => offerReplacement(auth, applicant))
    throw alreadyRegistered()
  }
  const grant = await inTransaction(owner, async (client) => {
    const user = await insertUser(client, applicant)
    return openSession(client, { userId: user.id, method: 'password', origin: originOf(c) })
  })
  return c.json(await tokenAnswer(auth, grant))
}

/** Mails the link by which the reader of the mailbox takes the place of an unverified sign-up. */
async function offerReplacement(auth: AuthParts, applicant: Applicant): Promise<void> {
  if (!(await isMailAllowed(auth, 'confirmation', applicant.email))) return
  await inTransaction(auth.database.owner, async (client) => {
    const known = await findUserByEmail(client, applicant.email)
    if (known && !(await hasProvenMailbox(client, known.id)))
      await awaitProof(auth, client, { known, applicant })
  })
}

async function signUpByMail(auth: AuthParts, applicant: Applicant): Promise<object> {
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
      return userAnswer(await loadUser(client, user.id))
    }
    if (await hasProvenMailbox(client, known.id)) return nobody(email, userMetadata)
    await awaitProof(auth, client, { known, applicant })
    return newcomer(email, userMetadata)
  })
}

interface Replacement {
  known: UserRow
  applicant: Applicant
}

/** The unverified account stays as it is, since this may be a stranger: the reader of the mailbox decides whose it is. */
async function awaitProof(
  auth: AuthParts,
  client: PoolClient,
  { known, applicant }: Replacement,
): Promise<void> {
  const { email, password, challenge, redirectTo } = applicant
  await noteSecondSignUp(client, known.id, password)
  const kind = confirmationFor(known)
  await sendCode(auth, client, { kind, userId: known.id, to: email, redirectTo, challenge })
}

/** What a new account would look like, for an address that already has one. */
function nobody(email: string, userMetadata: Metadata): Partial<UserAnswer> {
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

/** The answer of a first sign-up, with ids that belong to no account: nothing of the unverified account shows. */
function newcomer(email: string, userMetadata: Metadata): Partial<UserAnswer> {
  const answer = nobody(email, userMetadata)
  const { id = '', created_at: now } = answer
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
  return { ...answer, role: 'authenticated', user_metadata: claims, identities: [identity] }
}
