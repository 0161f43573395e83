import type { Pool } from 'pg'
import type { Settings } from './settings.ts'

/** Stores how refunds are paid: only a live PayFast account can refund through PayFast's API. */
export async function syncRefundMethod(owner: Pool, { payfast }: Pick<Settings, 'payfast'>): Promise<void> {
  const refund_way = payfast.mode === 'live' ? 'payfast' : 'by_hand'
  await owner.query('select private.set_shop_rules($1)', [{ refund_way }])
}
