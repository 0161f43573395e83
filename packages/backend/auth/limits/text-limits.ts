import type { PoolClient } from 'pg'

import { siteOf } from '#backend/http/network.ts'
import { AuthError } from '../errors.ts'
import type { AuthContext } from '../auth-context.ts'
import { hasShownFactorFrom } from './known-networks.ts'
import { tryConsumeRateLimit } from './rate-limit.ts'

export interface TextSender {
  phone: string
  userId: string
  address: string
  /** The phone is a verified factor of the account. */
  isVerified: boolean
}

/**
 * Consumes the text message limits, in the transaction that sends the text. Throws 429 `over_sms_send_rate_limit`. A limit per phone
 * alone would let one account text any number of strangers at the shop's expense.
 *
 * For a verified phone, networks where a factor was verified have separate limits (decision 0033): otherwise a stranger who knows the
 * number, a thief who knows the password, or neighbours in the same mobile network could exhaust the owner's sign-in texts. Texts to
 * phones that are being set up have their own limits of the address and the shop, because anyone can cause them.
 */
export async function requireTextAllowed(
  { settings }: AuthContext,
  client: PoolClient,
  { phone, userId, address, isVerified }: TextSender,
): Promise<void> {
  const { textsPerPhone, textsPerAccount, textsPerAddress, textsPerShop, setupTextsPerShop } = settings.limits
  const isOwners = isVerified && (await hasShownFactorFrom(client, userId, address))
  const site = siteOf(address)
  const place = isOwners ? ` ${userId} known network` : ''
  const rateLimits = [
    { bucket: 'text to phone', subject: `${phone}${place}`, limit: textsPerPhone },
    { bucket: 'text by account', subject: `${userId}${place}`, limit: textsPerAccount },
    ...(isVerified
      ? [
          { bucket: 'text by address', subject: `${site}${place}`, limit: textsPerAddress },
          { bucket: 'text by shop', subject: 'shop', limit: textsPerShop },
        ]
      : [
          { bucket: 'setup text by address', subject: site, limit: textsPerAddress },
          { bucket: 'setup text by shop', subject: 'shop', limit: setupTextsPerShop },
        ]),
  ]
  for (const each of rateLimits) {
    if (await tryConsumeRateLimit(client, each)) continue
    throw new AuthError('over_sms_send_rate_limit', 'Too many texts have been sent. Please try again later.')
  }
}
