import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError, invalidInput } from '../errors.ts'
import { withMinimumDuration } from '../limits/minimum-duration.ts'
import type { AuthContext } from '../auth-context.ts'
import { normalisePhone, optionalEmail, optionalText, requestSource, parseBody } from '../request.ts'
import { bearerOf, needsSecondFactor, requireAnySession } from '../sessions/require-session.ts'
import { openSession } from '../sessions/open-session.ts'
import { tokenResponse } from '../sessions/token-response.ts'
import { countGuess, typedCodeLimits } from './count-guess.ts'
import { redeemCode, type PresentedCode } from './redeem-code.ts'

const schema = z.object({
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change', 'sms', 'phone_change']),
  email: optionalEmail,
  phone: optionalText,
  token: optionalText,
  token_hash: optionalText,
})

/** POST /verify with a typed code, or with a link's secret that the application's own page received. */
export async function verify(auth: AuthContext, c: Context): Promise<Response> {
  const presented = {
    ...parsePresentedCode(await parseBody(c, schema)),
    signedInAs: await signedInAccount(auth, c),
  }
  const source = requestSource(c)
  const limits = 'address' in presented ? typedCodeLimits(auth, presented.address) : []
  const guess = await countGuess(auth, source, limits)

  const result = await withMinimumDuration(auth.settings.minimumResponseMs, () =>
    inTransaction(auth.database.owner, async (client) => {
      const redeemed = await redeemCode(auth, client, presented)
      if (redeemed.outcome !== 'proven') return redeemed
      return openSession(client, { userId: redeemed.userId, method: 'otp', source })
    }),
  )

  if ('outcome' in result && result.outcome === 'refused') {
    throw new AuthError('otp_expired', 'Token has expired or is invalid')
  }
  await guess.forgive()
  if ('outcome' in result) {
    return c.json({
      code: 200,
      msg: 'Confirmation link accepted. Please proceed to confirm link sent to the other email',
    })
  }
  return c.json(await tokenResponse(auth, result))
}

/** Returns the account of the request's live session; null without one. */
async function signedInAccount(auth: AuthContext, c: Context): Promise<string | null> {
  const bearer = bearerOf(c)
  if (!bearer || bearer.startsWith('sb_')) return null
  try {
    const signedIn = await requireAnySession(auth, c)
    return needsSecondFactor(signedIn) ? null : signedIn.user.id
  } catch (error) {
    if (error instanceof AuthError) return null
    throw error
  }
}

function parsePresentedCode({
  type,
  email,
  phone,
  token,
  token_hash: secret,
}: z.infer<typeof schema>): PresentedCode {
  // Sign-in by phone is not served, so these codes are always wrong; GoTrue validates the number first.
  if (type === 'sms' || type === 'phone_change') {
    if (phone) normalisePhone(phone)
    throw new AuthError('otp_expired', 'Token has expired or is invalid')
  }
  if (secret) {
    if (email || token) throw invalidInput('Only the token_hash and type should be provided')
    return { type, secret }
  }
  if (!token) throw invalidInput('Verify requires either a token or a token hash')
  if (!email) throw invalidInput('Only an email address or phone number should be provided on verify')
  return { type, address: email, code: token }
}
