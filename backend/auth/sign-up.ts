import { randomUUID } from 'node:crypto'
import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { challengeMembers, parseChallenge, type Challenge } from './codes/flow-state.ts'
import { redirectOf } from './codes/redirects.ts'
import { requireMailAllowed, sendCode } from './codes/send-code.ts'
import { AuthError, invalidInput } from './errors.ts'
import { evenly } from './limits/even-time.ts'
import { takeTry } from './limits/take-try.ts'
import type { AuthParts } from './parts.ts'
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
import { insertUser, type NewUser } from './users/insert-user.ts'
import { userAnswer, type UserAnswer } from './users/user-answer.ts'
import { findUserByEmail, loadUser, type Metadata } from './users/user-row.ts'

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
  await takeTry(auth.database.owner, {
    bucket: 'attempt',
    subject: originOf(c).address ?? 'unknown',
    limit: settings.limits.attemptsPerAddress,
  })

  const newUser = { email, userMetadata: data, isConfirmed: settings.autoconfirm, isSelfMade: true }
  if (settings.autoconfirm)
    return signUpAtOnce(auth, c, { ...newUser, passwordHash: await hashPassword(password) })

  await requireMailAllowed(auth, 'confirmation', email)
  const challenge = parseChallenge(body)
  return evenly(settings.evenAnswerMs, async () =>
    signUpByMail(auth, c, { ...newUser, passwordHash: await hashPassword(password), challenge }),
  )
}

async function signUpAtOnce(auth: AuthParts, c: Context, newUser: NewUser): Promise<Response> {
  const grant = await inTransaction(auth.database.owner, async (client) => {
    const user = await insertUser(client, newUser)
    return openSession(client, { userId: user.id, method: 'password', origin: originOf(c) })
  })
  return c.json(await tokenAnswer(auth, grant))
}

type Applicant = NewUser & { challenge: Challenge | null }

async function signUpByMail(auth: AuthParts, c: Context, applicant: Applicant): Promise<Response> {
  const redirectTo = redirectOf(auth, c)
  const answer = await inTransaction(auth.database.owner, async (client) => {
    const user = await unconfirmedUser(client, applicant)
    if (!user) return nobody(applicant.email, applicant.userMetadata)
    const { email, challenge } = applicant
    await sendCode(auth, client, { kind: 'confirmation', userId: user.id, to: email, redirectTo, challenge })
    return userAnswer(await loadUser(client, user.id))
  })
  return c.json(answer)
}

/** Null when the address has a confirmed account. One that waits is left as it is: this may be somebody else. */
async function unconfirmedUser(client: PoolClient, applicant: Applicant) {
  const known = await findUserByEmail(client, applicant.email)
  if (!known) return insertUser(client, applicant)
  return known.email_confirmed_at ? null : known
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
