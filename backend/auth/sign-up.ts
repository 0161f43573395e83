import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError, invalidInput } from './errors.ts'
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
import { insertUser } from './users/insert-user.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).nullish(),
  data: metadataSchema,
})

/** POST /signup */
export async function signUp(auth: AuthParts, c: Context): Promise<Response> {
  const { email, phone, password, data } = await readBody(c, schema)
  if (!auth.settings.isSignUpOpen)
    throw new AuthError('signup_disabled', 'Signups not allowed for this instance')
  if (phone) throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
  if (!email) throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  if (!password) throw invalidInput('Signup requires a valid password')
  requireGoodPassword(password, auth.settings.passwordMinLength)
  requireSmallMetadata(data)

  const origin = originOf(c)
  await takeTry(auth.database.owner, {
    bucket: 'attempt',
    subject: origin.address ?? 'unknown',
    limit: auth.settings.limits.attemptsPerAddress,
  })

  const passwordHash = await hashPassword(password)
  const grant = await inTransaction(auth.database.owner, async (client) => {
    const user = await insertUser(client, { email, passwordHash, isConfirmed: true, userMetadata: data })
    return openSession(client, { userId: user.id, method: 'password', origin })
  })
  return c.json(await tokenAnswer(auth, grant))
}
