import type { Context } from 'hono'
import { z } from 'zod'

import { inTransaction } from '#backend/database/transaction.ts'
import { AuthError, invalidInput } from '../errors.ts'
import { withMinimumDuration } from '../limits/minimum-duration.ts'
import type { AuthParts } from '../parts.ts'
import { normalisePhone, optionalEmail, optionalText, originOf, readBody } from '../request.ts'
import { bearerOf, isHalfProven, requireAnySession } from '../sessions/require-session.ts'
import { openSession } from '../sessions/open-session.ts'
import { tokenAnswer } from '../sessions/token-answer.ts'
import { countGuess, typedCodeLimits } from './count-guess.ts'
import { redeemCode, type Presented } from './redeem-code.ts'

const schema = z.object({
  type: z.enum(['signup', 'invite', 'recovery', 'magiclink', 'email', 'email_change', 'sms', 'phone_change']),
  email: optionalEmail,
  phone: optionalText,
  token: optionalText,
  token_hash: optionalText,
})

/** POST /verify with a typed code, or with the secret of a link that a page of the application's own received. */
export async function verify(auth: AuthParts, c: Context): Promise<Response> {
  const presented = { ...presentedIn(await readBody(c, schema)), signedInAs: await shownAccount(auth, c) }
  const origin = originOf(c)
  const limits = 'address' in presented ? typedCodeLimits(auth, presented.address) : []
  const guess = await countGuess(auth, origin, limits)

  const result = await withMinimumDuration(auth.settings.minimumResponseMs, () =>
    inTransaction(auth.database.owner, async (client) => {
      const redeemed = await redeemCode(auth, client, presented)
      if (redeemed.outcome !== 'proven') return redeemed
      return openSession(client, { userId: redeemed.userId, method: 'otp', origin })
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
  return c.json(await tokenAnswer(auth, result))
}

/** The account whose session the request carries; a call without one, or with one that has ended, is answered as well. */
async function shownAccount(auth: AuthParts, c: Context): Promise<string | null> {
  const bearer = bearerOf(c)
  if (!bearer || bearer.startsWith('sb_')) return null
  try {
    const signedIn = await requireAnySession(auth, c)
    return isHalfProven(signedIn) ? null : signedIn.user.id
  } catch (error) {
    if (error instanceof AuthError) return null
    throw error
  }
}

function presentedIn({ type, email, phone, token, token_hash: secret }: z.infer<typeof schema>): Presented {
  // Nobody signs in by phone, so no code for one can be right; the form is checked first, as GoTrue does.
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
