import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import {
  applyAddressChange,
  beginAddressChange,
  mailAddressChange,
  requireChangeAllowed,
} from '../codes/address-change.ts'
import { countGuess } from '../codes/count-guess.ts'
import { redirectOf } from '../codes/redirects.ts'
import { challengeMembers, parseChallenge } from '../codes/flow-state.ts'
import { takeTypedCode } from '../codes/one-time-codes.ts'
import { AuthError } from '../errors.ts'
import { consumeRateLimit } from '../limits/rate-limit.ts'
import { recordProof } from '../mailbox/mailbox-proof.ts'
import type { AuthContext } from '../auth-context.ts'
import { hashPassword, isPassword } from '../passwords/hash-password.ts'
import { requireGoodPassword } from '../passwords/password-rules.ts'
import { setPassword } from '../passwords/set-password.ts'
import {
  optionalEmail,
  optionalText,
  requestSource,
  parseBody,
  requireSmallMetadata,
  type RequestSource,
} from '../request.ts'
import { requireSession, requireUnchanged, type SignedIn } from '../sessions/require-session.ts'
import { mergeMetadata } from './insert-user.ts'
import { userResponse } from './user-response.ts'
import { loadUser, type UserRow } from './user-row.ts'

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

/** PUT /user: changes e-mail, password and metadata, as far as they are sent. */
export async function updateUser(auth: AuthContext, c: Context): Promise<Response> {
  const signedIn = await requireSession(auth, c, {
    message: 'AAL2 session is required to update email or password when MFA is enabled.',
  })
  const changes = await parseBody(c, schema)
  const { user } = signedIn
  if (changes.phone) throw new AuthError('phone_provider_disabled', 'Phone updates are disabled')
  const newEmail = changes.email && changes.email !== user.email ? changes.email : null
  const passwordHash = changes.password
    ? await hashNewPassword(auth, signedIn, {
        ...changes,
        password: changes.password,
        source: requestSource(c),
      })
    : null
  if (newEmail && auth.settings.isEmailChangeMailed) await requireChangeAllowed(auth, user.id, newEmail)

  const updated = await inTransaction(auth.database.owner, async (client) => {
    await requireUnchanged(client, signedIn)
    if (changes.data) {
      const column = 'raw_user_meta_data'
      requireSmallMetadata(await mergeMetadata(client, user.id, { column, members: changes.data }))
    }
    if (passwordHash)
      await setPassword(client, { userId: user.id, passwordHash, keepSession: signedIn.sessionId })
    if (newEmail) {
      const linkOptions = { redirectTo: redirectOf(auth, c), challenge: parseChallenge(changes) }
      await beginAddressChange(client, user.id, newEmail)
      if (auth.settings.isEmailChangeMailed) await mailAddressChange(auth, client, { user, ...linkOptions })
      else await applyAddressChange(client, user.id)
    }
    return loadUser(client, user.id)
  })
  return c.json(userResponse(updated))
}

type PasswordChange = Changes & { password: string; source: RequestSource }

async function hashNewPassword(auth: AuthContext, signedIn: SignedIn, changes: PasswordChange) {
  const { user } = signedIn
  requireGoodPassword(changes.password, auth.settings.passwordMinLength)
  await consumeRateLimit(auth.database.owner, {
    bucket: 'change password',
    subject: user.id,
    limit: auth.settings.limits.failuresPerAccount,
  })
  await requireReauthentication(auth, signedIn, changes)
  await requireOtherPassword(user, changes)
  return hashPassword(changes.password)
}

async function requireOtherPassword({ encrypted_password: stored }: UserRow, { password }: PasswordChange) {
  if (stored && (await isPassword(password, stored)))
    throw new AuthError('same_password', 'New password should be different from the old password.')
}

/** A stranger at an unattended screen has the session, but neither the mailbox nor the old password. */
async function requireReauthentication(
  auth: AuthContext,
  { user, isRecent }: SignedIn,
  changes: PasswordChange,
): Promise<void> {
  const { current_password: password, nonce, source } = changes
  if (!auth.settings.passwordChangeNeedsReauthentication || isRecent) return
  if (!password && !nonce) {
    throw new AuthError('reauthentication_needed', 'Password update requires reauthentication')
  }
  // The daily limit: `failuresPerAccount` alone would allow thousands of guesses a day. Only the account's sessions can consume it.
  const limit = auth.settings.limits.wrongCodesPerAccount
  const guess = await countGuess(auth, source, [{ bucket: 'reauthentication', subject: user.id, limit }])
  if (password) {
    if (!(await isPassword(password, user.encrypted_password)))
      throw new AuthError('invalid_credentials', 'The current password is wrong')
  } else if (!(await takeNonce(auth, user, changes))) {
    throw new AuthError('reauthentication_not_valid', 'Nonce has expired or is invalid')
  }
  await guess.forgive()
}

/** Consumes the mailed code, unless the password is the present one: the customer can send the code again with another password. */
function takeNonce(auth: AuthContext, user: UserRow, changes: PasswordChange) {
  return inTransaction(auth.database.owner, async (client) => {
    const code = await takeTypedCode(client, {
      address: user.email ?? '',
      code: changes.nonce ?? '',
      key: auth.keys.secret,
      userId: user.id,
      types: ['reauthentication_token'],
      lifetimeSeconds: auth.settings.codeLifetimeSeconds,
    })
    if (code) {
      // Throws after a right code only: a wrong one is counted, and must not tell whether the password is the present one.
      await requireOtherPassword(user, changes)
      await recordProof(client, { ...code, method: 'confirmation' })
    }
    return code
  })
}
