-- Running totals of sales, so that the dashboard reads days instead of years of orders.
--
-- Triggers add the difference of each change. To avoid waiting, each transaction writes a row of its own where it can: `shard` is
-- the backend's process id in sales_days, and promo_sales skips locked rows. Readers add the rows up. Refunds are compared with
-- the ledger at the end of the transaction (counted_refunds). recount_sales() rebuilds everything.
-- Not granted: triggers write and views read, as the owner.

comment on table private.promo_sales is 'Paid orders, net revenue and discounts of a promo code. The rows of a code add up.';
comment on column private.promo_sales.revenue is 'Rand, net of refunds.';
comment on column private.promo_sales.paid_orders is 'Paid orders that used the code and are not cancelled.';
comment on column private.promo_sales.discounted is
  'Rand that these orders would have cost more without the code.';
comment on column private.promo_sales.promo_code_id is
  'No foreign key: it would lock the code again at the end of each payment.';

-- Runs with the caller's rights, so the policies of promo_codes apply. The sums are a left join, which the planner drops when only
-- codes are counted.
create or replace view public.promo_code_results with (security_invoker = true) as
  select p.*,
    case
      when not p.is_active then 'switched_off'
      when p.expires_at <= now() then 'expired'
      when p.times_used >= p.usage_limit then 'used_up'
      when p.starts_at > now() then 'scheduled'
      else 'live'
    end as state,
    sales.paid_orders, sales.revenue, sales.discounted
  from public.promo_codes p
  left join lateral (
    select coalesce(sum(s.paid_orders), 0)::int as paid_orders, coalesce(sum(s.revenue), 0) as revenue, coalesce(sum(s.discounted), 0) as discounted
    from private.sales_with(p.id) s
  ) as sales on true;

comment on view public.promo_code_results is
  'Promo codes with their state (live, scheduled, expired, used_up, switched_off), paid orders and revenue in rand.';
comment on column public.promo_code_results.state is 'live, scheduled, expired, used_up or switched_off.';
comment on column public.promo_code_results.paid_orders is 'Paid orders that used the code and are not cancelled.';
comment on column public.promo_code_results.revenue is 'Rand of these orders, net of refunds.';
comment on column public.promo_code_results.discounted is 'Rand that they would have cost more without the code.';
grant select on public.promo_code_results to authenticated, service_role;
comment on table private.counted_refunds is
  'The amount in rand by which each refund reduces revenue. Derived from the ledger.';
comment on column private.counted_refunds.amount is
  'Rand by which the refund reduces revenue; less than the refund when the order was overpaid.';
comment on column private.counted_refunds.refunded_at is 'When the refund was done. Its day is the day of the figures.';
comment on column private.counted_refunds.promo_code_id is
  'The promo code of the order, whose revenue the refund reduces too.';
comment on column private.counted_refunds.order_id is 'The order of the refund. No foreign key.';
comment on table private.sales_days is
  'Orders placed and sales paid on each day of South African time. The shards of a day add up.';
comment on column private.sales_days.revenue is 'Rand, gross: totals of the orders paid on this day.';
comment on column private.sales_days.refunds is 'Rand refunded on this day, of orders paid on any day.';
comment on column private.sales_days.day is 'Day in South African time.';
comment on column private.sales_days.shard is 'Process id of the backend that wrote the row; 0 after a recount.';
comment on column private.sales_days.orders is 'Orders placed on this day.';
comment on column private.sales_days.paid_orders is 'Orders paid on this day and not cancelled since.';

-- Rebuilds all totals from orders and ledger, for rows that were written without the triggers.
create or replace function private.recount_sales() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.counted_refunds;
    insert into private.counted_refunds
    select e.* from (select distinct r.order_id from public.payment_refunds r where r.order_id is not null) refunded,
      private.expected_refunds(refunded.order_id) e;
    delete from private.sales_days;
    insert into private.sales_days (day, shard, orders, paid_orders, revenue, refunds)
    select s.day, 0, sum(s.orders), sum(s.paid_orders), sum(s.revenue), sum(s.refunds)
    from (
      select s.day, s.orders, s.paid_orders, s.revenue, 0::numeric as refunds from public.orders o, private.sales_in(o, 1) s
      union all
      select private.local_day(c.refunded_at), 0, 0, 0, c.amount from private.counted_refunds c
    ) as s
    group by s.day;
    delete from private.promo_sales;
    insert into private.promo_sales (promo_code_id, paid_orders, revenue, discounted)
    select s.promo_code_id, sum(s.paid_orders), sum(s.revenue), sum(s.discounted)
    from (
      select s.* from public.orders o, private.promo_sales_in(o, 1) s where o.promo_code_id is not null
      union all
      select c.promo_code_id, 0, -c.amount, 0 from private.counted_refunds c where c.promo_code_id is not null
    ) as s
    group by s.promo_code_id;
  $$;

-- Into the row of this backend, which no other transaction writes.
create or replace function private.add_refunds(day date, refunds numeric) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.sales_days as kept (day, shard, orders, paid_orders, revenue, refunds)
    values (add_refunds.day, pg_backend_pid(), 0, 0, 0, add_refunds.refunds)
    on conflict on constraint shard_twice do update set refunds = kept.refunds + excluded.refunds
  $$;

-- Into a row of the code that is not locked, or a new one, so that payments never wait for each other.
create or replace function private.add_promo_sales(code uuid, paid_orders int, revenue numeric, discounted numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update private.promo_sales kept
    set paid_orders = kept.paid_orders + add_promo_sales.paid_orders, revenue = kept.revenue + add_promo_sales.revenue,
      discounted = kept.discounted + add_promo_sales.discounted
    where kept.id = (select s.id from private.promo_sales s where s.promo_code_id = code limit 1 for update skip locked);
    if not found then
      insert into private.promo_sales (promo_code_id, paid_orders, revenue, discounted)
      values (code, add_promo_sales.paid_orders, add_promo_sales.revenue, add_promo_sales.discounted);
    end if;
  end
  $$;

-- The amounts by which the refunds of an order reduce revenue. Money paid in excess of the total is refunded first and takes nothing off; a sale
-- never falls below zero. The day is that of the state `done`, so a withdrawn refund leaves the figures of its day.
create or replace function private.expected_refunds(order_id uuid) returns setof private.counted_refunds
  language sql stable
  set search_path = ''
  as $$
    with sale as (
      select o.id, o.promo_code_id, o.total_amount,
        greatest(0, (select coalesce(sum(b.amount_gross), 0) from public.payment_balances b where b.order_id = o.id) - o.total_amount) as overpaid
      from public.orders o
      where o.id = expected_refunds.order_id and o.placed_at is not null and o.paid_at is not null and o.status <> 'cancelled'
    ), done as (
      select r.id, r.amount, r.state_since as done_at
      from public.refunds r
      where r.order_id = expected_refunds.order_id and r.state = 'done'
    ), running as (
      select d.*, sum(d.amount) over (order by d.done_at, d.id) as until_now from done d
    ), counted as (
      select r.id as refund_id, s.id as order_id, s.promo_code_id, r.done_at,
        least(s.total_amount, greatest(0, r.until_now - s.overpaid))
          - least(s.total_amount, greatest(0, r.until_now - r.amount - s.overpaid)) as amount
      from sale s, running r
    )
    select c.* from counted c where c.amount > 0
  $$;

-- Replaces the counted refunds of an order and adds the differences to the totals. It runs in deferred triggers, after every other
-- lock, so its advisory lock cannot be part of a deadlock.
create or replace function private.sync_refunds_of(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  declare
    before private.counted_refunds[];
  begin
    if not exists (select from public.payment_refunds r where r.order_id = sync_refunds_of.order_id) then
      return;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('refunds of order ' || sync_refunds_of.order_id, 0));
    with gone as (delete from private.counted_refunds c where c.order_id = sync_refunds_of.order_id returning c)
    select array_agg(g.c) into before from gone g;
    insert into private.counted_refunds select * from private.expected_refunds(sync_refunds_of.order_id);

    perform private.add_refunds(private.local_day(d.refunded_at), sum(d.amount))
    from private.refund_differences(sync_refunds_of.order_id, before) d
    group by private.local_day(d.refunded_at) having sum(d.amount) <> 0;
    perform private.add_promo_sales(d.promo_code_id, 0, -sum(d.amount), 0)
    from private.refund_differences(sync_refunds_of.order_id, before) d
    where d.promo_code_id is not null
    group by d.promo_code_id having sum(d.amount) <> 0;
  end
  $$;

-- Old rows with a minus, new ones with a plus.
create or replace function private.refund_differences(order_id uuid, before private.counted_refunds[])
  returns table (promo_code_id uuid, refunded_at timestamptz, amount numeric)
  language sql stable
  set search_path = ''
  as $$
    select b.promo_code_id, b.refunded_at, -b.amount from unnest(before) b
    union all
    select c.promo_code_id, c.refunded_at, c.amount from private.counted_refunds c where c.order_id = refund_differences.order_id
  $$;

-- Everything that can change the counted refunds of an order: a payment or its withdrawal, a step of a refund, the order's status.
create or replace function private.count_refunds() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_table_name = 'orders' then
      perform private.sync_refunds_of(old.id);
    elsif tg_table_name in ('payments', 'payment_withdrawals') then
      perform private.sync_refunds_of(new.order_id);
    else
      perform private.sync_refunds_of(r.order_id) from public.payment_refunds r where r.id = new.refund_id and r.order_id is not null;
    end if;
    return null;
  end
  $$;
comment on function private.count_refunds is 'Trigger: brings the counted refunds of an order up to date.';

create constraint trigger count_refunds after insert on public.payments
  deferrable initially deferred
  for each row when (new.order_id is not null)
  execute function private.count_refunds();
create constraint trigger count_refunds after insert on public.payment_withdrawals
  deferrable initially deferred
  for each row execute function private.count_refunds();
create constraint trigger count_refunds after update of status, paid_at, total_amount, promo_code_id on public.orders
  deferrable initially deferred
  for each row when (coalesce(old.paid_at, new.paid_at) is not null)
  execute function private.count_refunds();
create constraint trigger keep_refunds_of_gone after delete on public.orders
  deferrable initially deferred
  for each row when (old.paid_at is not null)
  execute function private.count_refunds();
create constraint trigger count_refunds after insert on public.payment_refund_events
  deferrable initially deferred
  for each row when (new.state in ('done', 'withdrawn'))
  execute function private.count_refunds();

-- Refunds made in a period.
create or replace function private.refunds_of(from_day date, to_day date, zone text) returns setof private.counted_refunds
  language sql stable
  set search_path = ''
  as $$
    select c.* from private.counted_refunds c
    where c.refunded_at >= (from_day::timestamp at time zone zone) and c.refunded_at < ((to_day + 1)::timestamp at time zone zone)
  $$;
comment on function private.refunds_of is 'Refunds of a period that count.';

-- For the view promo_code_results only. Security definer, because callers cannot read the private table.
create or replace function private.sales_with(code uuid) returns table (paid_orders int, revenue numeric, discounted numeric)
  language plpgsql stable security definer
  set search_path = ''
  rows 1
  as $$
  begin
    return query select s.paid_orders, s.revenue, s.discounted from private.promo_sales s where s.promo_code_id = sales_with.code;
  end
  $$;
comment on function private.sales_with is 'Rows of promo_sales for a code. They add up.';
grant execute on function private.sales_with to authenticated, service_role;

-- What an order contributes to the totals of its code, with a sign. The discount is the part that was due: a fixed code can exceed what the
-- order would have cost. The oldest orders have no subtotal; least() then returns the code's value. promo_sales has no foreign key to promo_codes, which would
-- lock the code again at the end of each payment.
create or replace function private.promo_sales_in(o public.orders, sign int)
  returns table (promo_code_id uuid, paid_orders int, revenue numeric, discounted numeric)
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if o.promo_code_id is not null and o.paid_at is not null and o.status <> 'cancelled' then
      return query values (o.promo_code_id, sign, sign * o.total_amount,
        sign * least(o.discount_amount, o.subtotal_amount + o.shipping_cost));
    end if;
  end
  $$;

-- Adds the difference between the old and the new row of an order.
create or replace function private.count_promo_sales() returns trigger
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  begin
    perform private.add_promo_sales(s.promo_code_id, sum(s.paid_orders)::int, sum(s.revenue), sum(s.discounted))
    from (
      select * from private.promo_sales_in(old, -1) where tg_op <> 'INSERT'
      union all
      select * from private.promo_sales_in(new, 1) where tg_op <> 'DELETE'
    ) as s
    group by s.promo_code_id having sum(s.paid_orders) <> 0 or sum(s.revenue) <> 0 or sum(s.discounted) <> 0;
    return null;
  end
  $$;
comment on function private.count_promo_sales is 'Trigger: brings the totals of promo codes up to date.';

create trigger keep_promo_sales_of_new after insert on public.orders
  for each row when (new.promo_code_id is not null and new.paid_at is not null)
  execute function private.count_promo_sales();
create trigger count_promo_sales after update of
    promo_code_id, paid_at, status, total_amount, discount_amount, subtotal_amount, shipping_cost on public.orders
  for each row when (coalesce(old.promo_code_id, new.promo_code_id) is not null and coalesce(old.paid_at, new.paid_at) is not null)
  execute function private.count_promo_sales();
create trigger keep_promo_sales_of_gone after delete on public.orders
  for each row when (old.promo_code_id is not null and old.paid_at is not null)
  execute function private.count_promo_sales();
