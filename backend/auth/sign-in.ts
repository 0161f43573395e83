import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError } from './errors.ts'
import { resetPasswordLimit, limitPasswordAttempts } from './limits/password-limits.ts'
import type { AuthParts } from './parts.ts'
import { hashPassword, isBcrypt, isPassword } from './passwords/hash-password.ts'
import { optionalEmail, optionalText, originOf, readBody } from './request.ts'
import { openSession } from './sessions/open-session.ts'
import { tokenAnswer } from './sessions/token-answer.ts'
import { findUserByEmail, findUserById, isBanned, type UserRow } from './users/user-row.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).default(''),
})

/** POST /token?grant_type=password */
export async function signIn(auth: AuthParts, c: Context): Promise<Response> {
  const { email, phone, password } = await readBody(c, schema)
  if (phone) throw new AuthError('phone_provider_disabled', 'Phone logins are disabled')
  if (!email) throw new AuthError('validation_failed', 'missing email or phone')

  const origin = originOf(c)
  const user = await provePassword(auth, { email, password, address: origin.address })
  const rehashed = isBcrypt(user.encrypted_password ?? '') ? await hashPassword(password) : null

  const grant = await inTransaction(auth.database.owner, async (client) => {
    await requireStillRight(client, user, password)
    if (rehashed) await upgradeHash(client, user, rehashed)
    return openSession(client, { userId: user.id, method: 'password', origin })
  })
  return c.json(await tokenAnswer(auth, grant))
}

interface Claimed {
  email: string
  password: string
  address: string | null
}

/** One answer for a wrong password and for no account, after the same work. */
async function provePassword(auth: AuthParts, { email, password, address }: Claimed): Promise<UserRow> {
  const { owner } = auth.database
  await limitPasswordAttempts(auth, { email, address })

  const user = await findUserByEmail(owner, email)
  const isRight = await isPassword(password, user?.encrypted_password ?? null)
  if (!user || !isRight) throw new AuthError('invalid_credentials', 'Invalid login credentials')

  await resetPasswordLimit(auth, { email, address })
  if (isBanned(user)) throw new AuthError('user_banned', 'User is banned')
  if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed', 'Email not confirmed')
  return user
}

/**
 * Locks the account and throws unless the password that was checked is still its password. Checking takes a while and holds no lock:
 * without this, a sign-in that races a change of the password would open a session after the change has ended all others.
 */
async function requireStillRight(client: PoolClient, checked: UserRow, password: string): Promise<void> {
  await client.query('select from auth.users where id = $1 for no key update', [checked.id])
  const current = await findUserById(client, checked.id)
  const [before, now] = [checked.encrypted_password ?? '', current?.encrypted_password ?? '']
  // Another sign-in may have replaced a bcrypt hash with one of the same password.
  const isRight = now === before || (isBcrypt(before) && (await isPassword(password, now)))
  if (!current || !isRight) throw new AuthError('invalid_credentials', 'Invalid login credentials')
  if (isBanned(current)) throw new AuthError('user_banned', 'User is banned')
}

/** Only while the hash is the one that was checked: a password changed meanwhile stays changed. */
async function upgradeHash(client: PoolClient, user: UserRow, rehashed: string): Promise<void> {
  await client.query(
    'update auth.users set encrypted_password = $2 where id = $1 and encrypted_password = $3',
    [user.id, rehashed, user.encrypted_password],
  )
}
