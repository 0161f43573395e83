import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { cancelPending } from '../codes/one-time-codes.ts'
import { confirmEmail } from '../codes/redeem-code.ts'
import { AuthError, invalidInput } from '../errors.ts'
import { recordProof } from '../mailbox/mailbox-proof.ts'
import type { AuthContext } from '../auth-context.ts'
import { hashPassword, isKnownHash } from '../passwords/hash-password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { setPassword } from '../passwords/set-password.ts'
import { optionalEmail, optionalText, parseBody, requireEmail, requireSmallMetadata } from '../request.ts'
import { isUuid } from '../sessions/require-session.ts'
import { changeAddress, insertUser, mergeMetadata } from '../users/insert-user.ts'
import { userResponse } from '../users/user-response.ts'
import { findUserByEmail, findUserById, loadUser, type UserRow } from '../users/user-row.ts'

const metadata = z.record(z.string(), z.unknown()).nullish()

const schema = z.object({
  id: z.uuid().nullish(),
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).nullish(),
  password_hash: optionalText,
  email_confirm: z.boolean().default(false),
  user_metadata: metadata,
  app_metadata: metadata,
  role: z.string().max(64).nullish(),
  ban_duration: z.string().max(64).nullish(),
})

type Attributes = z.infer<typeof schema>

/** POST /admin/users: creates an account without sending a mail. */
export async function createUserAsAdmin(auth: AuthContext, c: Context): Promise<Response> {
  const attributes = await parseBody(c, schema)
  if (attributes.phone) throw new AuthError('phone_provider_disabled', 'Phone users are not served')
  const email = requireEmail(attributes.email)
  if (await findUserByEmail(auth.database.owner, email)) throw emailExists()

  const passwordHash = await hashOf(auth, attributes)
  const user = await inTransaction(auth.database.owner, async (client) => {
    const { id } = await insertUser(client, {
      id: attributes.id ?? undefined,
      email,
      passwordHash,
      isConfirmed: attributes.email_confirm,
      userMetadata: attributes.user_metadata ?? {},
      appMetadata: attributes.app_metadata ?? {},
    })
    await recordVouchedMailbox(client, id, attributes)
    await writeRoleAndBan(client, id, attributes)
    return loadUser(client, id)
  })
  return c.json(userResponse(user))
}

/** With `email_confirm` the server vouches for the mailbox, so it counts as verified. */
async function recordVouchedMailbox(
  client: PoolClient,
  userId: string,
  { email_confirm: isVouched }: Attributes,
): Promise<void> {
  if (!isVouched) return
  const { email } = await loadUser(client, userId)
  if (email) await recordProof(client, { userId, address: email, method: 'service' })
}

/** PUT /admin/users/:id */
export async function updateUserAsAdmin(auth: AuthContext, c: Context): Promise<Response> {
  const { id } = await requireUser(auth, c)
  const attributes = await parseBody(c, schema)
  const passwordHash = await hashOf(auth, attributes)
  const user = await inTransaction(auth.database.owner, async (client) => {
    if (attributes.email) {
      await changeAddress(client, id, attributes.email)
      await cancelPending(client, id)
    }
    if (attributes.email_confirm) await confirmEmail(client, id)
    await recordVouchedMailbox(client, id, attributes)
    if (passwordHash) await setPassword(client, { userId: id, passwordHash })
    await writeMetadata(client, id, attributes)
    await writeRoleAndBan(client, id, attributes)
    return loadUser(client, id)
  })
  return c.json(userResponse(user))
}

export async function requireUser(auth: AuthContext, c: Context): Promise<UserRow> {
  const id = c.req.param('id')
  if (!isUuid(id)) {
    throw new AuthError('validation_failed', 'user_id must be an UUID', { status: 404 })
  }
  const user = await findUserById(auth.database.owner, id)
  if (!user) throw new AuthError('user_not_found', 'User not found', { status: 404 })
  return user
}

async function hashOf(
  auth: AuthContext,
  { password, password_hash: importedHash }: Attributes,
): Promise<string | null> {
  if (password && importedHash) throw invalidInput('Only a password or a password hash should be provided')
  if (importedHash && !isKnownHash(importedHash))
    throw invalidInput('The password hash is neither bcrypt nor argon2')
  if (importedHash) return importedHash
  if (!password) return null
  requireGoodPassword(password, auth.settings.passwordMinLength)
  return hashPassword(password)
}

async function writeMetadata(client: PoolClient, id: string, attributes: Attributes): Promise<void> {
  for (const [column, members] of [
    ['raw_user_meta_data', attributes.user_metadata],
    ['raw_app_meta_data', attributes.app_metadata],
  ] as const) {
    if (!members) continue
    requireSmallMetadata(members)
    await mergeMetadata(client, id, { column, members })
  }
}

async function writeRoleAndBan(
  client: PoolClient,
  id: string,
  { role, ban_duration: ban }: Attributes,
): Promise<void> {
  if (role) await client.query('update auth.users set role = $2 where id = $1', [id, role])
  if (!ban) return
  const seconds = ban === 'none' ? null : durationSeconds(ban)
  await client.query(
    `update auth.users set banned_until = now() + make_interval(secs => $2::float8), updated_at = now() where id = $1`,
    [id, seconds],
  )
  // The data API checks for the session, not the ban: access tokens would stay valid for up to an hour.
  if (seconds !== null) await client.query('delete from auth.sessions where user_id = $1', [id])
}

const SECONDS: Partial<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
}

/** Parses Go's duration syntax: `300ms`, `2h45m`. */
function durationSeconds(text: string): number {
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)]
  const seconds = parts.reduce(
    (sum, [, number, unit]) => sum + Number(number) * (SECONDS[unit ?? ''] ?? 0),
    0,
  )
  const isWhole = parts.map(([part]) => part).join('') === text
  if (!isWhole || parts.length === 0 || seconds > 1e11) throw invalidInput('invalid format for ban_duration')
  return seconds
}

export function emailExists(cause?: unknown): AuthError {
  return new AuthError('email_exists', 'A user with this email address has already been registered', {
    cause,
  })
}
