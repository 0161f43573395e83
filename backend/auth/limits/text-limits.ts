import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { hasShownFactorFrom } from './known-networks.ts'
import { countTry } from './take-try.ts'

export interface TextSender {
  phone: string
  userId: string
  address: string
  /** The phone is a verified factor of the account. */
  isVerified: boolean
}

/**
 * Counts a text to a phone, in the transaction that sends it. By phone alone, one account could send texts to any number of
 * strangers at the shop's expense.
 *
 * The account's own phone has texts apart at networks where a factor of the account was shown before (decision 0033): a stranger who knows
 * the number, or a thief who knows the password, would otherwise use up those that the owner signs in with.
 */
export async function requireTextAllowed(
  { settings }: AuthParts,
  client: PoolClient,
  { phone, userId, address, isVerified }: TextSender,
): Promise<void> {
  const { textsPerPhone, textsPerAccount, textsPerAddress, textsPerShop } = settings.limits
  const isOwners = isVerified && (await hasShownFactorFrom(client, userId, address))
  const place = isOwners ? ` ${userId} known network` : ''
  const tries = [
    { bucket: 'text to phone', subject: `${phone}${place}`, limit: textsPerPhone },
    { bucket: 'text by account', subject: `${userId}${place}`, limit: textsPerAccount },
    { bucket: 'text by address', subject: address, limit: textsPerAddress },
    { bucket: 'text by shop', subject: 'shop', limit: textsPerShop },
  ]
  for (const each of tries) {
    // oxlint-disable-next-line no-await-in-loop -- one connection answers them one after the other anyway
    if (await countTry(client, each)) continue
    throw new AuthError('over_sms_send_rate_limit', 'Too many texts have been sent. Please try again later.')
  }
}
