import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { writeAuditEntry } from './audit-log.ts'
import { AuthError } from './errors.ts'
import { resetPasswordLimit, limitPasswordAttempts } from './limits/password-limits.ts'
import type { AuthContext } from './auth-context.ts'
import { hashPassword, isBcrypt, isPassword } from './passwords/hash-password.ts'
import { optionalEmail, optionalText, requestSource, parseBody } from './request.ts'
import { openSession } from './sessions/open-session.ts'
import { tokenResponse } from './sessions/token-response.ts'
import { findUserByEmail, findUserById, isBanned, type UserRow } from './users/user-row.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).default(''),
})

/** POST /token?grant_type=password */
export async function signIn(auth: AuthContext, c: Context): Promise<Response> {
  const { email, phone, password } = await parseBody(c, schema)
  if (phone) throw new AuthError('phone_provider_disabled', 'Phone logins are disabled')
  if (!email) throw new AuthError('validation_failed', 'missing email or phone')

  const source = requestSource(c)
  const user = await verifyPassword(auth, { email, password, address: source.address })
  const rehashed = isBcrypt(user.encrypted_password ?? '') ? await hashPassword(password) : null

  const grant = await inTransaction(auth.database.owner, async (client) => {
    await requireSamePassword(client, user, password)
    if (rehashed) await upgradeHash(client, user, rehashed)
    return openSession(client, { userId: user.id, method: 'password', source })
  })
  return c.json(await tokenResponse(auth, grant))
}

/** Throws the same error after the same work for a wrong password and an unknown account. */
async function verifyPassword(
  auth: AuthContext,
  { email, password, address }: { email: string; password: string; address: string | null },
): Promise<UserRow> {
  const { owner } = auth.database
  await limitPasswordAttempts(auth, { email, address })

  const user = await findUserByEmail(owner, email)
  const isRight = await isPassword(password, user?.encrypted_password ?? null)
  if (!user || !isRight) {
    // For unknown accounts too, so that timing does not reveal whether the account exists.
    const actor = user?.id ?? null
    await writeAuditEntry(owner, { action: 'login_failed', logType: 'account', actor, address })
    throw new AuthError('invalid_credentials', 'Invalid login credentials')
  }

  await resetPasswordLimit(auth, { email, address })
  if (isBanned(user)) throw new AuthError('user_banned', 'User is banned')
  if (!user.email_confirmed_at) throw new AuthError('email_not_confirmed', 'Email not confirmed')
  return user
}

/**
 * Locks the account and throws if its password has changed since it was checked without a lock. Otherwise a sign-in that races a
 * password change could open a session after the change has ended all others.
 */
async function requireSamePassword(client: PoolClient, checked: UserRow, password: string): Promise<void> {
  await client.query('select from auth.users where id = $1 for no key update', [checked.id])
  const current = await findUserById(client, checked.id)
  const [before, now] = [checked.encrypted_password ?? '', current?.encrypted_password ?? '']
  // Another sign-in may have replaced a bcrypt hash with one of the same password.
  const isRight = now === before || (isBcrypt(before) && (await isPassword(password, now)))
  if (!current || !isRight) throw new AuthError('invalid_credentials', 'Invalid login credentials')
  if (isBanned(current)) throw new AuthError('user_banned', 'User is banned')
}

/** Replaces the hash only if it is still the checked one, so that a concurrent password change is kept. */
async function upgradeHash(client: PoolClient, user: UserRow, rehashed: string): Promise<void> {
  await client.query(
    'update auth.users set encrypted_password = $2 where id = $1 and encrypted_password = $3',
    [user.id, rehashed, user.encrypted_password],
  )
}
