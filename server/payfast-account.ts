import { createHmac } from 'node:crypto'
import type { PayfastAccount } from '#payments/payfast/account.ts'
import type { ShopParts } from './api.ts'

/**
 * The merchant account of the settings. The simulator's passphrase, when none is set, comes from the shop's secret key:
 * every process over one database arrives at the same, and nobody outside can sign a notice with it.
 */
export function payfastAccount({ settings, keys }: Pick<ShopParts, 'settings' | 'keys'>): PayfastAccount {
  const { payfast } = settings
  if (payfast.passphrase !== null || payfast.mode !== 'simulator') return payfast
  const passphrase = createHmac('sha256', keys.secret).update('payment simulator').digest('hex').slice(0, 32)
  return { ...payfast, passphrase }
}
