import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { beginAddressChange } from '../codes/address-change.ts'
import { redirectOf } from '../codes/redirects.ts'
import { linkOf, makeCode, sendCode } from '../codes/send-code.ts'
import { AuthError, invalidInput } from '../errors.ts'
import type { MailKind } from '../mail.ts'
import { recordSecondSignUp } from '../mailbox/replace-sign-up.ts'
import type { AuthContext } from '../auth-context.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { metadataSchema, optionalEmail, parseBody, requireEmail, requireSmallMetadata } from '../request.ts'
import { insertUser } from '../users/insert-user.ts'
import { userResponse } from '../users/user-response.ts'
import { findUserByEmail, loadUser, type Metadata, type UserRow } from '../users/user-row.ts'
import { emailExists } from './write-user.ts'

const schema = z.object({
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email_change_current', 'email_change_new']),
  email: optionalEmail,
  new_email: optionalEmail,
  password: z.string().max(4096).nullish(),
  data: metadataSchema,
})

type LinkRequest = z.infer<typeof schema>

const MAIL_KINDS: Record<LinkRequest['type'], MailKind> = {
  signup: 'confirmation',
  invite: 'invite',
  recovery: 'recovery',
  magiclink: 'magic_link',
  email_change_current: 'email_change_current',
  email_change_new: 'email_change_new',
}

/** POST /admin/generate_link: returns link and code without mailing them, for servers that send their own mails. */
export async function generateLink(auth: AuthContext, c: Context): Promise<Response> {
  const request = await parseBody(c, schema)
  const email = requireEmail(request.email)
  const passwordHash = await hashSignUpPassword(auth, request)
  const redirectTo = redirectOf(auth, c)

  const { user, newCode } = await inTransaction(auth.database.owner, async (client) => {
    const { id } = await findOrCreateUser(client, { ...request, email, passwordHash })
    const to = request.type === 'email_change_new' ? await beginRequestedChange(client, id, request) : email
    if (request.type === 'email_change_current') await beginRequestedChange(client, id, request)
    const made = await makeCode(auth, client, { kind: MAIL_KINDS[request.type], userId: id, to, redirectTo })
    return { user: await loadUser(client, id), newCode: made }
  })
  const type = request.type.startsWith('email_change') ? 'email_change' : request.type
  return c.json({
    ...userResponse(user),
    action_link: linkOf(auth, { secret: newCode.secret, type, redirectTo, path: 'verify' }),
    email_otp: newCode.code,
    hashed_token: newCode.secret,
    verification_type: request.type,
    redirect_to: redirectTo,
  })
}

async function hashSignUpPassword(
  auth: AuthContext,
  { type, password, data }: LinkRequest,
): Promise<string | null> {
  requireSmallMetadata(data)
  if (type !== 'signup') return null
  if (!password) throw invalidInput('Signup requires a valid password')
  requireGoodPassword(password, auth.settings.passwordMinLength)
  return hashPassword(password)
}

/** Creates missing accounts for sign-up, invitation and sign-in links; the other types require one. */
async function findOrCreateUser(
  client: PoolClient,
  { type, email, password, data, passwordHash }: LinkRequest & { email: string; passwordHash: string | null },
): Promise<UserRow> {
  const known = await findUserByEmail(client, email)
  if (known?.email_confirmed_at && (type === 'signup' || type === 'invite')) throw emailExists()
  if (known && type === 'signup' && password) await recordSecondSignUp(client, known.id, password)
  if (known) return known
  if (type !== 'signup' && type !== 'invite' && type !== 'magiclink') {
    throw new AuthError('user_not_found', 'User with this email not found', { status: 404 })
  }
  return insertUser(client, { email, passwordHash, isConfirmed: false, userMetadata: data })
}

async function beginRequestedChange(
  client: PoolClient,
  userId: string,
  { new_email: newEmail }: LinkRequest,
): Promise<string> {
  const address = requireEmail(newEmail)
  if (await findUserByEmail(client, address)) throw emailExists()
  await beginAddressChange(client, userId, address)
  return address
}

const inviteSchema = z.object({ email: optionalEmail, data: metadataSchema })

/** POST /invite: creates an account without a password and mails its link. */
export async function invite(auth: AuthContext, c: Context): Promise<Response> {
  const body = await parseBody(c, inviteSchema)
  const email = requireEmail(body.email)
  requireSmallMetadata(body.data)
  const redirectTo = redirectOf(auth, c)
  const user = await inTransaction(auth.database.owner, async (client) => {
    const { id } = await findOrInvite(client, email, body.data)
    await sendCode(auth, client, { kind: 'invite', userId: id, to: email, redirectTo })
    return loadUser(client, id)
  })
  return c.json(userResponse(user))
}

async function findOrInvite(client: PoolClient, email: string, userMetadata: Metadata): Promise<UserRow> {
  const known = await findUserByEmail(client, email)
  if (known?.email_confirmed_at) throw emailExists()
  return known ?? insertUser(client, { email, passwordHash: null, isConfirmed: false, userMetadata })
}
