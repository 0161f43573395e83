import type { Pool } from 'pg'
import type { Settings } from './settings.ts'

/** Told to the database once the shop opens: PayFast's interface takes refunds from a live account only. */
export async function tellRefundWay(owner: Pool, { payfast }: Pick<Settings, 'payfast'>): Promise<void> {
  const refund_way = payfast.mode === 'live' ? 'payfast' : 'by_hand'
  await owner.query('select private.set_shop_rules($1)', [{ refund_way }])
}
