import { createHmac } from 'node:crypto'
import type { PayfastAccount } from '#payments/payfast/account.ts'
import type { ShopParts } from './shop-parts.ts'

/**
 * Returns the merchant account. Derives a missing simulator passphrase from the shop's secret key, so that all processes on
 * one database share it and outsiders cannot sign notices.
 */
export function payfastAccount({ settings, keys }: Pick<ShopParts, 'settings' | 'keys'>): PayfastAccount {
  const { payfast } = settings
  if (payfast.passphrase !== null || payfast.mode !== 'simulator') return payfast
  const passphrase = createHmac('sha256', keys.secret).update('payment simulator').digest('hex').slice(0, 32)
  return { ...payfast, passphrase }
}
