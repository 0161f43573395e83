import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { beginAddressChange } from '../codes/address-change.ts'
import { redirectOf } from '../codes/redirects.ts'
import { linkOf, makeCode, sendCode } from '../codes/send-code.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { MailKind } from '../mail.ts'
import { noteSecondSignUp } from '../mailbox/replace-sign-up.ts'
import type { AuthParts } from '../parts.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { metadataSchema, optionalEmail, readBody, requireEmail, requireSmallMetadata } from '../request.ts'
import { insertUser } from '../users/insert-user.ts'
import { userAnswer } from '../users/user-answer.ts'
import { findUserByEmail, loadUser, type Metadata, type UserRow } from '../users/user-row.ts'
import { emailExists } from './write-user.ts'

const schema = z.object({
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email_change_current', 'email_change_new']),
  email: optionalEmail,
  new_email: optionalEmail,
  password: z.string().max(4096).nullish(),
  data: metadataSchema,
})

type Wanted = z.infer<typeof schema>

const KINDS: Record<Wanted['type'], MailKind> = {
  signup: 'confirmation',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magic_link',
  email_change_current: 'email_change_current',
  email_change_new: 'email_change_new',
}

/** POST /admin/generate_link: what a mail would carry, for a server that sends mails of its own. */
export async function generateLink(auth: AuthParts, c: Context): Promise<Response> {
  const wanted = await readBody(c, schema)
  const email = requireEmail(wanted.email)
  const passwordHash = await hashOfSignUp(auth, wanted)
  const redirectTo = redirectOf(auth, c)

  const { user, made } = await inTransaction(auth.database.owner, async (client) => {
    const { id } = await userFor(client, { ...wanted, email, passwordHash })
    const to = wanted.type === 'email_change_new' ? await beginChange(client, id, wanted) : email
    if (wanted.type === 'email_change_current') await beginChange(client, id, wanted)
    const code = await makeCode(auth, client, { kind: KINDS[wanted.type], userId: id, to, redirectTo })
    return { user: await loadUser(client, id), made: code }
  })
  const type = wanted.type.startsWith('email_change') ? 'email_change' : wanted.type
  return c.json({
    ...userAnswer(user),
    action_link: linkOf(auth, { secret: made.secret, type, redirectTo, path: 'verify' }),
    email_otp: made.code,
    hashed_token: made.secret,
    verification_type: wanted.type,
    redirect_to: redirectTo,
  })
}

async function hashOfSignUp(auth: AuthParts, { type, password, data }: Wanted): Promise<string | null> {
  requireSmallMetadata(data)
  if (type !== 'signup') return null
  if (!password) throw invalidInput('Signup requires a valid password')
  requireGoodPassword(password, auth.settings.passwordMinLength)
  return hashPassword(password)
}

/** Links for sign-up, invitation and sign-in make the account; the others are for one that is there. */
async function userFor(
  client: PoolClient,
  { type, email, password, data, passwordHash }: Wanted & { email: string; passwordHash: string | null },
): Promise<UserRow> {
  const known = await findUserByEmail(client, email)
  if (known?.email_confirmed_at && (type === 'signup' || type === 'invite')) throw emailExists()
  if (known && type === 'signup' && password) await noteSecondSignUp(client, known.id, password)
  if (known) return known
  if (type !== 'signup' && type !== 'invite' && type !== 'magiclink') {
    throw new AuthError('user_not_found', 'User with this email not found', { status: 404 })
  }
  return insertUser(client, { email, passwordHash, isConfirmed: false, userMetadata: data })
}

async function beginChange(
  client: PoolClient,
  userId: string,
  { new_email: newEmail }: Wanted,
): Promise<string> {
  const wanted = requireEmail(newEmail)
  if (await findUserByEmail(client, wanted)) throw emailExists()
  await beginAddressChange(client, userId, wanted)
  return wanted
}

const inviteSchema = z.object({ email: optionalEmail, data: metadataSchema })

/** POST /invite: an account without a password, and a mail with the way in. */
export async function invite(auth: AuthParts, c: Context): Promise<Response> {
  const body = await readBody(c, inviteSchema)
  const email = requireEmail(body.email)
  requireSmallMetadata(body.data)
  const redirectTo = redirectOf(auth, c)
  const user = await inTransaction(auth.database.owner, async (client) => {
    const { id } = await invited(client, email, body.data)
    await sendCode(auth, client, { kind: 'invite', userId: id, to: email, redirectTo })
    return loadUser(client, id)
  })
  return c.json(userAnswer(user))
}

async function invited(client: PoolClient, email: string, userMetadata: Metadata): Promise<UserRow> {
  const known = await findUserByEmail(client, email)
  if (known?.email_confirmed_at) throw emailExists()
  return known ?? insertUser(client, { email, passwordHash: null, isConfirmed: false, userMetadata })
}
