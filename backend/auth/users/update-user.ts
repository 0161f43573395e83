import type { Context } from 'hono'
import type { PoolClient } from 'pg'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { redirectOf } from '../codes/redirects.ts'
import { challengeMembers, parseChallenge } from '../codes/flow-state.ts'
import { applyEmailChange } from '../codes/redeem-code.ts'
import { requireMailAllowed, sendCode } from '../codes/send-code.ts'
import { hashCode, takeCode } from '../codes/one-time-codes.ts'
import { AuthError } from '../errors.ts'
import { takeTry } from '../limits/take-try.ts'
import type { AuthParts } from '../parts.ts'
import { hashPassword, isPassword } from '../passwords/hash-password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { optionalEmail, optionalText, readBody, requireSmallMetadata } from '../request.ts'
import { requireSession, type SignedIn } from '../sessions/require-session.ts'
import { userAnswer } from './user-answer.ts'
import { findUserByEmail, loadUser, verifiedFactors } from './user-row.ts'

const schema = z.object({
  email: optionalEmail,
  phone: optionalText,
  password: z.string().max(4096).nullish(),
  data: z.record(z.string(), z.unknown()).nullish(),
  nonce: optionalText,
  current_password: z.string().max(4096).nullish(),
  ...challengeMembers,
})

type Changes = z.infer<typeof schema>

/** PUT /user: whatever of e-mail, password and metadata is sent. */
export async function updateUser(auth: AuthParts, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c)
  const changes = await readBody(c, schema)
  const { user } = signedIn
  if (changes.phone) throw new AuthError('phone_provider_disabled', 'Phone updates are disabled')
  const newEmail = changes.email && changes.email !== user.email ? changes.email : null
  if ((changes.password || newEmail) && verifiedFactors(user).length > 0 && signedIn.aal === 'aal1') {
    throw new AuthError(
      'insufficient_aal',
      'AAL2 session is required to update email or password when MFA is enabled.',
    )
  }
  const passwordHash = changes.password
    ? await provenNewHash(auth, signedIn, { ...changes, password: changes.password })
    : null
  if (newEmail && auth.settings.isEmailChangeMailed)
    await requireMailAllowed(auth, 'email_change_new', newEmail)

  const changed = await inTransaction(auth.database.owner, async (client) => {
    if (changes.data) await mergeMetadata(client, user.id, changes.data)
    if (passwordHash) await setPassword(client, signedIn, passwordHash)
    if (newEmail) {
      const redirectTo = redirectOf(auth, c)
      await beginEmailChange(auth, client, {
        signedIn,
        newEmail,
        redirectTo,
        challenge: parseChallenge(changes),
      })
    }
    return loadUser(client, user.id)
  })
  return c.json(userAnswer(changed))
}

/** A member set to null is taken away. */
async function mergeMetadata(
  client: PoolClient,
  userId: string,
  data: Record<string, unknown>,
): Promise<void> {
  const { rows } = await client.query<{ metadata: Record<string, unknown> }>(
    `update auth.users set updated_at = now(), raw_user_meta_data = (
       select coalesce(jsonb_object_agg(key, value), '{}')
       from jsonb_each(coalesce(raw_user_meta_data, '{}') || $2) where value <> 'null'
     )
     where id = $1 returning raw_user_meta_data as metadata`,
    [userId, data],
  )
  requireSmallMetadata(rows[0]?.metadata ?? {})
}

async function provenNewHash(auth: AuthParts, signedIn: SignedIn, changes: Changes & { password: string }) {
  const { user } = signedIn
  requireGoodPassword(changes.password, auth.settings.passwordMinLength)
  await takeTry(auth.database.owner, {
    bucket: 'change password',
    subject: user.id,
    limit: auth.settings.limits.failuresPerAccount,
  })
  await requireRecentProof(auth, signedIn, changes)
  if (user.encrypted_password && (await isPassword(changes.password, user.encrypted_password))) {
    throw new AuthError('same_password', 'New password should be different from the old password.')
  }
  return hashPassword(changes.password)
}

/** Somebody at an unattended screen has the session, but neither the mail nor the old password. */
async function requireRecentProof(
  auth: AuthParts,
  { user, isRecent }: SignedIn,
  changes: Changes,
): Promise<void> {
  if (!auth.settings.passwordChangeNeedsReauthentication || isRecent) return
  if (changes.current_password) {
    if (await isPassword(changes.current_password, user.encrypted_password)) return
    throw new AuthError('invalid_credentials', 'The current password is wrong')
  }
  const { nonce } = changes
  if (!nonce) throw new AuthError('reauthentication_needed', 'Password update requires reauthentication')
  const taken = await inTransaction(auth.database.owner, (client) =>
    takeCode(client, {
      hash: hashCode(user.email ?? '', nonce),
      types: ['reauthentication_token'],
      lifetimeSeconds: auth.settings.codeLifetimeSeconds,
    }),
  )
  if (taken?.userId !== user.id)
    throw new AuthError('reauthentication_not_valid', 'Nonce has expired or is invalid')
}

/** Whoever knew the old password is signed out everywhere else. */
async function setPassword(
  client: PoolClient,
  { user, sessionId }: SignedIn,
  passwordHash: string,
): Promise<void> {
  await client.query('update auth.users set encrypted_password = $2, updated_at = now() where id = $1', [
    user.id,
    passwordHash,
  ])
  await client.query('delete from auth.sessions where user_id = $1 and id <> $2', [user.id, sessionId])
}

interface EmailChange {
  signedIn: SignedIn
  newEmail: string
  redirectTo: string
  challenge: ReturnType<typeof parseChallenge>
}

async function beginEmailChange(auth: AuthParts, client: PoolClient, change: EmailChange): Promise<void> {
  const { signedIn, newEmail, redirectTo, challenge } = change
  const { user } = signedIn
  await client.query(
    'update auth.users set email_change = $2, email_change_confirm_status = 0, updated_at = now() where id = $1',
    [user.id, newEmail],
  )
  if (!auth.settings.isEmailChangeMailed) return applyEmailChange(client, user.id)

  const common = { userId: user.id, redirectTo, challenge }
  if (user.email && auth.settings.isEmailChangeConfirmedTwice) {
    await sendCode(auth, client, { ...common, kind: 'email_change_current', to: user.email })
  }
  // An address with an account of its own gets no mail, and the answer does not tell.
  if (await findUserByEmail(client, newEmail)) return
  await sendCode(auth, client, { ...common, kind: 'email_change_new', to: newEmail })
}
