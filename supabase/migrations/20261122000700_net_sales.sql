-- Every figure of the dashboard is net of refunds. A sale counts on the day its money came; a refund counts on the day its money went back
-- (the refund's step `done`), so the figures of a past day never change when money goes back later. What an order takes off the figures is
-- what went back beyond the money it received too much: refunding one of two payments of an order leaves its sale whole. A cancelled
-- order is no sale, so its refunds take nothing off either.

-- One row for each refund that takes something off the figures now. `private.sync_refunds_of` derives these rows from the ledger and
-- keeps the sums below in step with them; the sums of sales alone could not tell whether an order's refunds are in them.
create table private.counted_refunds (
  refund_id      uuid primary key,
  order_id       uuid not null,
  promo_code_id  uuid,
  refunded_at    timestamptz not null,
  amount         numeric not null
);
comment on table private.counted_refunds is 'What each refund of a paid, not cancelled order takes off revenue; derived from the ledger.';
create index counted_refunds_order_id_idx on private.counted_refunds (order_id);
create index counted_refunds_refunded_at_idx on private.counted_refunds (refunded_at);
alter table private.counted_refunds enable row level security;
alter table private.counted_refunds force row level security;
-- NOTE: nothing is granted: the triggers write, the figures read.

alter table private.sales_days add column refunds numeric not null default 0;
comment on column private.sales_days.revenue is 'Gross: what the orders paid on this day came to.';
comment on column private.sales_days.refunds is 'What went back on this day, of orders paid on any day.';
comment on column private.promo_sales.revenue is 'Net of refunds.';

-- The rows that an order's refunds must have. An order that no longer exists, or is no sale, has none.
create function private.expected_refunds_of(order_id uuid) returns setof private.counted_refunds
  language sql stable
  set search_path = ''
  as $$
    with sale as (
      select o.id, o.promo_code_id, o.total_amount,
        greatest(0, (select coalesce(sum(p.amount_gross), 0) from public.payments p where p.order_id = o.id) - o.total_amount) as overpaid
      from public.orders o
      where o.id = expected_refunds_of.order_id and o.placed_at is not null and o.paid_at is not null and o.status <> 'cancelled'
    ), done as (
      select r.id, r.amount, min(e.created_at) as done_at
      from public.payment_refunds r join public.payment_refund_events e on e.refund_id = r.id and e.state = 'done'
      where r.order_id = expected_refunds_of.order_id
      group by r.id
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

create function private.add_refunds(day date, refunds numeric) returns void
  language sql
  set search_path = ''
  as $$
    insert into private.sales_days as kept (day, part, orders, paid_orders, revenue, refunds)
    values (add_refunds.day, pg_backend_pid(), 0, 0, 0, add_refunds.refunds)
    on conflict on constraint part_twice do update set refunds = kept.refunds + excluded.refunds
  $$;

-- Adds to a row of the code that no other transaction holds, or to a new one, so that payments never wait for each other.
create function private.add_promo_sales(code uuid, paid_orders int, revenue numeric, discounted numeric) returns void
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

create or replace function private.keep_promo_sales() returns trigger
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

-- Replaces the rows of an order by what the ledger says now, and moves the sums by the difference. It runs at the end of a transaction,
-- after every other lock was taken, so the lock of the order's figures is the last one and cannot be part of a deadlock.
create function private.sync_refunds_of(order_id uuid) returns void
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
    insert into private.counted_refunds select * from private.expected_refunds_of(sync_refunds_of.order_id);

    perform private.add_refunds(private.shop_day(d.refunded_at), sum(d.amount))
    from private.refund_differences(sync_refunds_of.order_id, before) d
    group by private.shop_day(d.refunded_at) having sum(d.amount) <> 0;
    perform private.add_promo_sales(d.promo_code_id, 0, -sum(d.amount), 0)
    from private.refund_differences(sync_refunds_of.order_id, before) d
    where d.promo_code_id is not null
    group by d.promo_code_id having sum(d.amount) <> 0;
  end
  $$;

create function private.refund_differences(order_id uuid, before private.counted_refunds[])
  returns table (promo_code_id uuid, refunded_at timestamptz, amount numeric)
  language sql stable
  set search_path = ''
  as $$
    select b.promo_code_id, b.refunded_at, -b.amount from unnest(before) b
    union all
    select c.promo_code_id, c.refunded_at, c.amount from private.counted_refunds c where c.order_id = refund_differences.order_id
  $$;

create function private.keep_refunds() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_table_name = 'orders' then
      perform private.sync_refunds_of(old.id);
    elsif tg_table_name = 'payments' then
      perform private.sync_refunds_of(new.order_id);
    else
      perform private.sync_refunds_of(r.order_id) from public.payment_refunds r where r.id = new.refund_id and r.order_id is not null;
    end if;
    return null;
  end
  $$;
create constraint trigger keep_refunds after insert on public.payment_refund_events
  deferrable initially deferred
  for each row when (new.state = 'done')
  execute function private.keep_refunds();
create constraint trigger keep_refunds after insert on public.payments
  deferrable initially deferred
  for each row when (new.order_id is not null)
  execute function private.keep_refunds();
create constraint trigger keep_refunds after update of status, paid_at, total_amount, promo_code_id on public.orders
  deferrable initially deferred
  for each row when (coalesce(old.paid_at, new.paid_at) is not null)
  execute function private.keep_refunds();
create constraint trigger keep_refunds_of_gone after delete on public.orders
  deferrable initially deferred
  for each row when (old.paid_at is not null)
  execute function private.keep_refunds();

-- For orders and refunds that came past the triggers: those from before this file, and a restored backup's.
create or replace function private.count_sales_again() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.counted_refunds;
    insert into private.counted_refunds
    select e.* from (select distinct r.order_id from public.payment_refunds r where r.order_id is not null) refunded,
      private.expected_refunds_of(refunded.order_id) e;
    delete from private.sales_days;
    insert into private.sales_days (day, part, orders, paid_orders, revenue, refunds)
    select s.day, 0, sum(s.orders), sum(s.paid_orders), sum(s.revenue), sum(s.refunds)
    from (
      select s.day, s.orders, s.paid_orders, s.revenue, 0::numeric as refunds from public.orders o, private.sales_in(o, 1) s
      union all
      select private.shop_day(c.refunded_at), 0, 0, 0, c.amount from private.counted_refunds c
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
select private.count_sales_again();

-- The totals of the revenue breakdown, over all orders that ever were placed.
create or replace function public.revenue_in_all() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'orders', coalesce(sum(s.orders), 0),
        'gross', coalesce(sum(s.revenue), 0),
        'refunds', coalesce(sum(s.refunds), 0),
        'revenue', coalesce(sum(s.revenue - s.refunds), 0),
        'paid_orders', coalesce(sum(s.paid_orders), 0),
        'average', coalesce(round(sum(s.revenue - s.refunds) / nullif(sum(s.paid_orders), 0), 2), 0),
        'awaiting', (
          select coalesce(sum(o.total_amount), 0) from public.orders o where o.placed_at is not null and o.status = 'pending_payment'))
      from private.sales_days s);
  end
  $$;
comment on function public.revenue_in_all() is
  'Orders, gross, refunds, revenue (net), average (net) and what is still awaited, since the shop began.';

-- Refunds whose money went back in a period, with their orders.
create function private.refunds_of(from_day date, to_day date, zone text) returns setof private.counted_refunds
  language sql stable
  set search_path = ''
  as $$
    select c.* from private.counted_refunds c
    where c.refunded_at >= (from_day::timestamp at time zone zone) and c.refunded_at < ((to_day + 1)::timestamp at time zone zone)
  $$;

-- In the shop's own days the kept sums answer; in those of another place the orders are counted.
drop function public.sales_by_day(date, date, text);
create function public.sales_by_day(from_day date, to_day date, zone text)
  returns table (day date, orders int, revenue numeric, refunds numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    if zone = 'Africa/Johannesburg' then
      return query
        select d::date, coalesce(sum(s.paid_orders), 0)::int, coalesce(sum(s.revenue - s.refunds), 0), coalesce(sum(s.refunds), 0)
        from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d
        left join private.sales_days s on s.day = d::date
        group by d order by d;
    else
      return query
        select d::date, coalesce(sold.orders, 0)::int, coalesce(sold.gross, 0) - coalesce(back.amount, 0), coalesce(back.amount, 0)
        from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d
        left join (
          select (s.paid_at at time zone zone)::date as day, count(*) as orders, sum(s.total_amount) as gross
          from private.sales_of(from_day, to_day, zone) s group by 1) as sold on sold.day = d::date
        left join (
          select (r.refunded_at at time zone zone)::date as day, sum(r.amount) as amount
          from private.refunds_of(from_day, to_day, zone) r group by 1) as back on back.day = d::date
        order by d;
    end if;
  end
  $$;
grant execute on function public.sales_by_day(date, date, text) to authenticated;
comment on function public.sales_by_day(date, date, text) is
  'Orders, revenue (net) and refunds of each day of a period, days without a sale included.';

-- Lines count at the price they were sold for: an order's discount and delivery belong to no lure. A refund names no line, so each line
-- bears its share: half an order's total back is half of each line. A line whose order was paid before the period counts no pieces in it.
create function private.lines_sold(from_day date, to_day date, zone text)
  returns table (order_id uuid, product_name text, product_variant text, pieces int, revenue numeric)
  language sql stable
  set search_path = ''
  as $$
    select s.id, i.product_name, i.product_variant, i.quantity, i.price * i.quantity
    from private.sales_of(from_day, to_day, zone) s join public.order_items i on i.order_id = s.id
    union all
    select null, i.product_name, i.product_variant, 0, -i.price * i.quantity * r.amount / o.total_amount
    from private.refunds_of(from_day, to_day, zone) r
    join public.orders o on o.id = r.order_id
    join public.order_items i on i.order_id = r.order_id
  $$;

create or replace function public.sales_by_product(from_day date, to_day date, zone text)
  returns table (product_name text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select l.product_name, count(distinct l.order_id)::int, sum(l.pieces)::int, round(sum(l.revenue), 2)
      from private.lines_sold(from_day, to_day, zone) l
      group by l.product_name order by 4 desc, 1;
  end
  $$;
comment on function public.sales_by_product(date, date, text) is 'What each lure brought, net of refunds, the best seller first.';

create or replace function public.sales_by_colour(from_day date, to_day date, zone text)
  returns table (product_name text, product_variant text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select l.product_name, l.product_variant, count(distinct l.order_id)::int, sum(l.pieces)::int, round(sum(l.revenue), 2)
      from private.lines_sold(from_day, to_day, zone) l
      group by 1, 2 order by 5 desc, 1, 2;
  end
  $$;
comment on function public.sales_by_colour(date, date, text) is 'What each colour of each lure brought, net of refunds, the best seller first.';

create or replace function public.sales_by_province(from_day date, to_day date, zone text)
  returns table (province text, orders int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select s.province, count(s.order_id)::int, sum(s.amount)
      from (
        select o.shipping_state as province, o.id as order_id, o.total_amount as amount from private.sales_of(from_day, to_day, zone) o
        union all
        select o.shipping_state, null, -r.amount
        from private.refunds_of(from_day, to_day, zone) r join public.orders o on o.id = r.order_id
      ) as s
      group by 1 order by 3 desc, 1;
  end
  $$;
comment on function public.sales_by_province(date, date, text) is 'Where parcels of a period went, and what they brought, net of refunds.';

-- Spend is what the dashboard calls revenue: paid, not cancelled since, net of refunds.
create or replace function public.show_client(client_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(show_client.client_id);
  begin
    return (
      select to_jsonb(client) || jsonb_build_object(
        'is_admin', private.is_admin_account(client.id),
        'last_sign_in_at', (select u.last_sign_in_at from auth.users u where u.id = client.id),
        'orders', count(*),
        'paid_orders', count(*) filter (where is_earned),
        'spend', coalesce(sum(o.total_amount - refunded) filter (where is_earned), 0),
        'refunded', coalesce(sum(refunded) filter (where is_earned), 0),
        'last_order_at', max(o.created_at),
        'consent', private.consent_of(client.id),
        'duplicates', private.duplicates_of(client))
      from public.orders o, lateral (
        select o.paid_at is not null and o.status <> 'cancelled' as is_earned,
          (select coalesce(sum(c.amount), 0) from private.counted_refunds c where c.order_id = o.id) as refunded) as earned
      where o.customer_id = client.id and o.placed_at is not null);
  end
  $$;
