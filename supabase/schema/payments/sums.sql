-- The sums that always hold. The restore test (server/restore-test/) asks a restored backup for them, so the function belongs to the
-- data that it checks; tests ask for them after every kind of trouble (test/ledger/).

create or replace function private.broken_sums() returns table (rule text, rows bigint)
  language sql stable
  set search_path = ''
  as $$
    select checked.rule, checked.rows
    from (
      select 'stock is the sum of its movements' as rule, (
        select count(*) from (
          select v.id from public.product_variants v
          where v.stock_quantity <> (select coalesce(sum(m.quantity), 0) from public.stock_movements m where m.variant_id = v.id)
        ) as broken) as rows
      union all
      select 'only orders that await payment reserve lures' as rule, (
        select count(*) from (
          select h.order_id from public.stock_reservations h join public.orders o on o.id = h.order_id
          where o.status <> 'pending_payment'
        ) as broken) as rows
      union all
      select 'an order has taken its lures from stock once, or a cancelled or unpaid one returned them' as rule, (
        select count(*) from (
          select o.id, m.variant_id from public.stock_movements m join public.orders o on o.id = m.order_id
          group by o.id, m.variant_id
          having sum(m.quantity) <> -(
            select coalesce(sum(i.quantity - i.returned_quantity), 0) from public.order_items i
            where i.order_id = o.id and i.variant_id = m.variant_id) + (
            select coalesce(sum(u.quantity), 0) from private.units_to_make u
            where u.order_id = o.id and u.variant_id = m.variant_id)
            and not (o.status in ('cancelled', 'pending_payment') and sum(m.quantity) = 0)
        ) as broken) as rows
      union all
      select 'an order is paid if and only if it cost nothing, or the payments that paid it and their shortfall are exactly its total' as rule, (
        select count(*) from (
          select o.id from public.orders o
          left join lateral (
            select sum(p.amount_gross + coalesce(a.shortfall, 0)) as amount
            from public.payments p left join public.payment_acceptances a on a.payment_id = p.id
            where p.order_id = o.id and (p.outcome in ('paid', 'reinstated') or a.payment_id is not null)
              and not exists (select from public.payment_withdrawals w where w.payment_id = p.id)
          ) as paid on true
          where o.placed_at is not null and (o.paid_at is not null) <> (o.total_amount = coalesce(paid.amount, 0))
        ) as broken) as rows
      union all
      select 'an order is paid by one payment, or by two with a request for the difference' as rule, (
        select count(*) from (
          select b.order_id from public.payment_balances b where b.pays_order
          group by b.order_id
          having count(*) > 1 + (
            select count(*) from public.payment_top_ups t
            where t.order_id = b.order_id and exists (select from public.payment_acceptances a where a.payment_id = t.payment_id and a.shortfall = 0))
        ) as broken) as rows
      union all
      select 'the returned quantity of a line is the sum of its refunds' as rule, (
        select count(*) from (
          select i.id from public.order_items i
          where i.returned_quantity <> (
            select coalesce(sum(r.quantity), 0) from public.payment_refund_items r join public.refunds f on f.id = r.refund_id
            where r.order_item_id = i.id and f.state <> 'withdrawn')
        ) as broken) as rows
      union all
      select 'no lure is returned by a payment that did not pay its order' as rule, (
        select count(*) from (
          select r.refund_id from public.payment_refund_items r
          join public.payment_refunds f on f.id = r.refund_id join public.payment_balances b using (payment_id)
          where not b.pays_order
        ) as broken) as rows
      union all
      select 'a cancelled order with money has an open refund task, unless an admin dismissed that amount' as rule, (
        select count(*) from (
          select o.id from public.orders o
          cross join lateral (
            select coalesce(sum(b.refundable), 0) as amount from public.payment_balances b where b.order_id = o.id) as held
          left join public.refund_tasks t on t.order_id = o.id and t.is_open
          where case
            when t.id is not null then o.status <> 'cancelled' or t.outstanding <> held.amount
            when o.status = 'cancelled' then held.amount > coalesce((
          select max(d.outstanding) from public.refund_tasks d
              where d.order_id = o.id and d.ended_as = 'dismissed' and d.ended_at >= o.cancelled_at), 0)
            else false end
        ) as broken) as rows
      union all
      select 'an order that was fully refunded while cancelled is not reinstated' as rule, (
        select count(*) from (
          select o.id from public.orders o
          where o.status <> 'cancelled' and exists (
            select from public.refund_tasks t where t.order_id = o.id and t.ended_as = 'withdrawn' and t.outstanding < t.paying_amount
              and t.ended_at = (select max(w.ended_at) from public.refund_tasks w where w.order_id = o.id))
        ) as broken) as rows
      union all
      select 'the order of a payment that is not fully refunded exists' as rule, (
        select count(*) from (
          select b.payment_id from public.payment_balances b join public.payments p on p.id = b.payment_id
          where p.outcome not in ('order_deleted', 'unknown_order') and b.amount_gross > b.given_back
            and not exists (select from public.orders o where o.id = b.order_id)
        ) as broken) as rows
      union all
      select 'no unpaid order is processed or shipped' as rule, (
        select count(*) from (
          select o.id from public.orders o where o.paid_at is null and o.status not in ('pending_payment', 'cancelled')
        ) as broken) as rows
      union all
      select 'a payment that paid no order has a payment issue' as rule, (
        select count(*) from (
          select p.id from public.payments p
          where p.outcome not in ('paid', 'reinstated')
            and not exists (select from private.issues_of(p) c where c.kind = p.outcome)
        ) as broken) as rows
      union all
      select 'the refunds of a payment do not exceed its amount' as rule, (
        select count(*) from (
          select p.id from public.payments p
          where p.amount_gross < (
            select coalesce(sum(r.amount), 0) from public.refunds r where r.payment_id = p.id and r.counts)
        ) as broken) as rows
      union all
      select 'only manual payments without refunds are withdrawn' as rule, (
        select count(*) from (
          select w.payment_id from public.payment_withdrawals w join public.payments p on p.id = w.payment_id
          where p.way = 'payfast' or exists (select from public.refunds r where r.payment_id = p.id and r.counts)
        ) as broken) as rows
      union all
      select 'the uses of a promo code are the valid orders that use it' as rule, (
        select count(*) from (
          select c.code from public.promo_codes c
          where c.times_used <> (
          select count(*) from public.promo_redemptions r where r.promo_code_id = c.id and r.released_at is null)
            or c.times_used <> (
          select count(*) from public.orders o
              where o.promo_code_id = c.id and o.placed_at is not null and o.status <> 'cancelled')
        ) as broken) as rows
    ) as checked
    where checked.rows > 0
  $$;
comment on function private.broken_sums is 'The rules that orders, payments and stock break, with the number of rows that break each; empty if the ledger adds up.';

-- The payment ledger is append only, so a copy and the shop agree about everything before the backup.
create or replace function private.ledger_totals(as_of timestamptz) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'payments', (select count(*) from public.payments p where p.created_at <= as_of),
      'received', (select coalesce(sum(p.amount_gross), 0) from public.payments p where p.created_at <= as_of),
      'refunds', (select count(*) from public.payment_refunds r where r.created_at <= as_of),
      'requested_back', (select coalesce(sum(r.amount), 0) from public.payment_refunds r where r.created_at <= as_of))
  $$;
comment on function private.ledger_totals is 'Numbers and rand of all payments and refunds until a moment.';
