import type { PoolClient } from 'pg'

import { AuthError } from '../errors.ts'
import type { AuthParts } from '../parts.ts'
import { countTry } from './take-try.ts'

export interface TextSender {
  phone: string
  userId: string
  address: string
}

/**
 * Counts a text to a phone, in the transaction that sends it. By phone alone, one account could send texts to any number of
 * strangers at the shop's expense.
 */
export async function requireTextAllowed(
  { settings }: AuthParts,
  client: PoolClient,
  { phone, userId, address }: TextSender,
): Promise<void> {
  const { textsPerPhone, textsPerAccount, textsPerAddress, textsPerShop } = settings.limits
  const tries = [
    { bucket: 'text to phone', subject: phone, limit: textsPerPhone },
    { bucket: 'text by account', subject: userId, limit: textsPerAccount },
    { bucket: 'text by address', subject: address, limit: textsPerAddress },
    { bucket: 'text by shop', subject: 'shop', limit: textsPerShop },
  ]
  for (const each of tries) {
    // oxlint-disable-next-line no-await-in-loop -- one connection answers them one after the other anyway
    if (await countTry(client, each)) continue
    throw new AuthError('over_sms_send_rate_limit', 'Too many texts have been sent. Please try again later.')
  }
}
