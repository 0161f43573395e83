import type { Pool } from 'pg'

/** Queries by rule: each returns the rows that break an invariant while no work is in flight. */
const RULES = {
  'stock is the sum of its movements': `
    select v.id from public.product_variants v
    where v.stock_quantity <> (select coalesce(sum(m.quantity), 0) from public.stock_movements m where m.variant_id = v.id)`,

  'reservations do not exceed the stock': `
    select v.id from public.product_variants v join public.stock_reservations h on h.variant_id = v.id and h.expires_at > now()
    group by v.id having sum(h.quantity) > v.stock_quantity`,

  'only orders that await payment reserve lures': `
    select h.order_id from public.stock_reservations h join public.orders o on o.id = h.order_id
    where o.status <> 'pending_payment'`,

  'an order has taken its lures from stock once, or returned them': `
    select m.order_id, m.variant_id from public.stock_movements m
    where m.order_id is not null
    group by m.order_id, m.variant_id
    having sum(m.quantity) not in (0, -(
      select coalesce(sum(i.quantity - i.returned_quantity), 0) from public.order_items i
      where i.order_id = m.order_id and i.variant_id = m.variant_id))
      and exists (select from public.orders o where o.id = m.order_id)`,

  'an order is paid if and only if it cost nothing, or the payments that paid it and their shortfall are exactly its total': `
    select o.id from public.orders o
    left join lateral (
      select sum(p.amount_gross + coalesce(a.shortfall, 0)) as amount
      from public.payments p left join public.payment_acceptances a on a.payment_id = p.id
      where p.order_id = o.id and (p.outcome in ('paid', 'reinstated') or a.payment_id is not null)
    ) as paid on true
    where o.placed_at is not null and (o.paid_at is not null) <> (o.total_amount = coalesce(paid.amount, 0))`,

  'an order is paid by one payment, or by two with a request for the difference': `
    select b.order_id from public.payment_balances b where b.pays_order
    group by b.order_id
    having count(*) > 1 + (
      select count(*) from public.payment_top_ups t
      where t.order_id = b.order_id and exists (select from public.payment_acceptances a where a.payment_id = t.payment_id and a.shortfall = 0))`,

  'the returned quantity of a line is the sum of its refunds': `
    select i.id from public.order_items i
    where i.returned_quantity <> (
      select coalesce(sum(r.quantity), 0) from public.payment_refund_items r join public.refunds f on f.id = r.refund_id
      where r.order_item_id = i.id and f.state <> 'withdrawn')`,

  'no lure is returned by a payment that did not pay its order': `
    select r.refund_id from public.payment_refund_items r
    join public.payment_refunds f on f.id = r.refund_id join public.payment_balances b using (payment_id)
    where not b.pays_order`,

  'a cancelled order with money has an open refund task, unless an admin dismissed that amount': `
    select o.id from public.orders o
    cross join lateral (
      select coalesce(sum(b.refundable), 0) as amount from public.payment_balances b where b.order_id = o.id) as held
    left join public.refund_tasks t on t.order_id = o.id and t.is_open
    where case
      when t.id is not null then o.status <> 'cancelled' or t.outstanding <> held.amount
      when o.status = 'cancelled' then held.amount > coalesce((
        select max(d.outstanding) from public.refund_tasks d
        where d.order_id = o.id and d.ended_as = 'dismissed' and d.ended_at >= o.cancelled_at), 0)
      else false end`,

  'an order that was fully refunded while cancelled is not reinstated': `
    select o.id from public.orders o
    where o.status <> 'cancelled' and exists (
      select from public.refund_tasks t where t.order_id = o.id and t.ended_as = 'withdrawn' and t.outstanding < t.paying_amount
        and t.ended_at = (select max(w.ended_at) from public.refund_tasks w where w.order_id = o.id))`,

  'the order of a payment that is not fully refunded exists': `
    select b.payment_id from public.payment_balances b join public.payments p on p.id = b.payment_id
    where p.outcome not in ('order_deleted', 'unknown_order') and b.amount_gross > b.given_back
      and not exists (select from public.orders o where o.id = b.order_id)`,

  'no unpaid order is processed or shipped': `
    select o.id from public.orders o where o.paid_at is null and o.status not in ('pending_payment', 'cancelled')`,

  'a payment that paid no order has a payment issue': `
    select p.id from public.payments p
    where p.outcome not in ('paid', 'reinstated')
      and not exists (select from public.payment_issues c where c.notice_id = p.notice_id and c.kind = p.outcome)`,

  'every notice has an outcome': `
    select n.id from public.payment_notices n
    where not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)`,

  'the refunds of a payment do not exceed its amount': `
    select p.id from public.payments p
    where p.amount_gross < (
      select coalesce(sum(r.amount), 0) from public.refunds r where r.payment_id = p.id and r.counts)`,

  'a refund is withdrawn at most once, and its customer gets one correction mail': `
    select r.id from public.payment_refunds r
    join public.payment_refund_events e on e.refund_id = r.id and e.state = 'withdrawn'
    where exists (select from public.orders o where o.id = r.order_id and o.customer_email is not null)
    group by r.id
    having count(*) > 1 or 1 <> (select count(*) from public.mails m where m.key = 'refund-correction:' || r.id)`,

  'the uses of a promo code are the valid orders that use it': `
    select c.code from public.promo_codes c
    where c.times_used <> (
        select count(*) from public.promo_redemptions r where r.promo_code_id = c.id and r.released_at is null)
      or c.times_used <> (
        select count(*) from public.orders o
        where o.promo_code_id = c.id and o.placed_at is not null and o.status <> 'cancelled')`,

  // A reinstated order keeps its discount, even if other orders have used the code up meanwhile.
  'a promo code is not used more often than its limit': `
    select c.code from public.promo_codes c
    where c.usage_limit < (
      select count(*) from public.orders o
      where o.promo_code_id = c.id and o.placed_at is not null and o.status <> 'cancelled'
        and not exists (select from public.order_events e where e.order_id = o.id and e.kind = 'reinstated'))`,

  'a paid order has sent its customer and the shop their mails': `
    select o.id from public.orders o
    where o.paid_at is not null and 2 <> (
      select count(*) from public.mails m
      where m.key in ('order-confirmation:' || o.id, 'order-notification:' || o.id) and m.status = 'sent')`,

  'every mail has been sent': `select m.key, m.attempts, m.last_error from public.mails m where m.status <> 'sent'`,
}

/** Returns the rows that break each rule, by the rule's sentence; empty if the ledger adds up. */
export async function findBrokenSums(observer: Pool): Promise<Record<string, unknown[]>> {
  const results = await Promise.all(
    Object.entries(RULES).map(async ([rule, query]) => [rule, (await observer.query(query)).rows] as const),
  )
  return Object.fromEntries(results.filter(([, rows]) => rows.length > 0))
}
