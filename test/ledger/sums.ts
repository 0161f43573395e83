import type { Pool } from 'pg'
import { z } from 'zod'
import { selectRows } from '@saltfreak/backend'

/** Queries by rule: each returns the rows that break it while no work is in flight. `private.broken_sums()` has the rules that always hold. */
const RULES = {
  'reservations do not exceed the stock': `
    select v.id from public.product_variants v join public.stock_reservations h on h.variant_id = v.id and h.expires_at > now()
    group by v.id having sum(h.quantity) > v.stock_quantity`,

  'every notice has an outcome': `
    select n.id from public.payment_notices n
    where not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)`,

  'a refund is withdrawn at most once, and its customer gets one correction mail': `
    select r.id from public.payment_refunds r
    join public.payment_refund_events e on e.refund_id = r.id and e.state = 'withdrawn'
    where exists (select from public.orders o where o.id = r.order_id and o.customer_email is not null)
    group by r.id
    having count(*) > 1 or 1 <> (select count(*) from public.mails m where m.key = 'refund-correction:' || r.id)`,

  // A reinstated order keeps its discount, even if other orders have used the code up meanwhile.
  'a promo code is not used more often than its limit': `
    select c.code from public.promo_codes c
    where c.usage_limit < (
      select count(*) from public.orders o
      where o.promo_code_id = c.id and o.placed_at is not null and o.status <> 'cancelled'
        and not exists (select from public.order_events e where e.order_id = o.id and e.kind = 'reinstated'))`,

  // A payment that is withdrawn at once takes its unsent mails with it; the next payment sends others.
  'a paid order has sent its customer and the shop their mails': `
    select o.id from public.orders o
    cross join lateral (
      select concat_ws(':', o.id, nullif(count(*), 0)) as payment from public.order_events e
      where e.order_id = o.id and e.kind = 'payment_withdrawn' and e.detail ? 'to') as latest
    where o.paid_at is not null and 2 <> (
      select count(*) from public.mails m
      where m.key in ('order-confirmation:' || latest.payment, 'order-notification:' || latest.payment) and m.status = 'sent')`,

  'every mail has been sent': `select m.key, m.attempts, m.last_error from public.mails m where m.status <> 'sent'`,
}

const ruleViolation = z.object({ rule: z.string(), rows: z.number() })

/** Returns the rows that break each rule, by the rule's sentence, or their number; empty if the ledger adds up. */
export async function findBrokenSums(observer: Pool): Promise<Record<string, unknown>> {
  const always = await selectRows(observer, ruleViolation, [
    'select rule, rows::int from private.broken_sums()',
  ])
  const results = await Promise.all(
    Object.entries(RULES).map(async ([rule, query]) => [rule, (await observer.query(query)).rows] as const),
  )
  return Object.fromEntries([
    ...always.map(({ rule, rows }) => [rule, rows] as const),
    ...results.filter(([, rows]) => rows.length > 0),
  ])
}
