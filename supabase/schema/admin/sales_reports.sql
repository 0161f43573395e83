-- Sales reports of the dashboard, for admins.
--
-- A sale is an order that was paid and not cancelled since. It counts on the day it was paid, in the time zone of the shop
-- (`zone`); a refund counts on the day it was made. Revenue is net of refunds, in rand. Both days of a period are included.

-- Refunds reduce the province of their order.
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
comment on function public.sales_by_province is 'Orders and net revenue of a period by province. Error: invalid_period.';
grant execute on function public.sales_by_province to authenticated;

-- Variants in stock without a sale in the period. Made-to-order variants without stock are left out.
create or replace function public.unsold_variants(from_day date, to_day date, zone text)
  returns table (product_name text, product_variant text, stock int, last_sold timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select p.name, v.name, v.stock_quantity, (
        select max(o.paid_at) from public.order_items i join public.orders o on o.id = i.order_id
        where i.variant_id = v.id and o.paid_at is not null and o.status <> 'cancelled')
      from public.product_variants v join public.products p on p.id = v.product_id
      where p.status = 'live' and v.stock_quantity > 0
        and not exists (
          select from private.sales_of(from_day, to_day, zone) s
          join public.order_items i on i.order_id = s.id where i.variant_id = v.id)
      order by 4 nulls first, 3 desc;
  end
  $$;
comment on function public.unsold_variants is
  'Variants in stock that did not sell in a period, with the time of their last sale. Error: invalid_period.';
grant execute on function public.unsold_variants to authenticated;

-- Reads the sums of sales_figures.sql instead of all orders.
create or replace function public.total_revenue() returns jsonb
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
comment on function public.total_revenue is
  'Totals of all time in rand: {orders, gross, refunds, revenue, paid_orders, average, awaiting}; revenue and average are net. Admins only.';
grant execute on function public.total_revenue to authenticated;

-- The sales of a period. Comparing paid_at with the limits of the period, converted to the zone, uses the index on paid_at.
create or replace function private.sales_of(from_day date, to_day date, zone text) returns setof public.orders
  language sql stable
  set search_path = ''
  as $$
    select o.* from public.orders o
    where o.paid_at >= (from_day::timestamp at time zone zone) and o.paid_at < ((to_day + 1)::timestamp at time zone zone)
      and o.status <> 'cancelled'
  $$;
comment on function private.sales_of is 'Paid orders of a period that are not cancelled.';

-- The gate of all reports. Ten years at most.
create or replace function private.require_period(from_day date, to_day date) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if (to_day - from_day between 0 and 3660) is not true then
      perform private.refuse(422, 'invalid_period', 'The period must not end before it starts, and it can cover ten years at most.');
    end if;
  end
  $$;
comment on function private.require_period is
  'Refuses callers who are not admins, and periods over ten years. Error: invalid_period.';

-- Net of refunds, by the names the items were sold under.
create or replace function public.sales_by_variant(from_day date, to_day date, zone text)
  returns table (product_name text, product_variant text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select l.product_name, l.product_variant, count(distinct l.order_id)::int, sum(l.pieces)::int, round(sum(l.revenue), 2)
      from private.sold_lines(from_day, to_day, zone) l
      group by 1, 2 order by 5 desc, 1, 2;
  end
  $$;
comment on function public.sales_by_variant is 'Sales of each colour of each lure, net of refunds, best sellers first.';
grant execute on function public.sales_by_variant to authenticated;

-- Lines count at the price they were sold for: discount and shipping of an order belong to no product.
create or replace function public.sales_by_product(from_day date, to_day date, zone text)
  returns table (product_name text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select l.product_name, count(distinct l.order_id)::int, sum(l.pieces)::int, round(sum(l.revenue), 2)
      from private.sold_lines(from_day, to_day, zone) l
      group by l.product_name order by 4 desc, 1;
  end
  $$;
comment on function public.sales_by_product is 'Sales of each lure, net of refunds, best sellers first.';
grant execute on function public.sales_by_product to authenticated;

-- Reads the stored daily totals for the shop's time zone, and counts the orders for any other zone.
create or replace function public.sales_by_day(from_day date, to_day date, zone text)
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
comment on function public.sales_by_day is
  'Orders, revenue (net) and refunds of each day of a period, days without a sale included.';
grant execute on function public.sales_by_day to authenticated;

-- The items sold in a period, and their share of the refunds. An item counts at its price; discount and shipping belong to no
-- product. A refund names no item, so it is spread over the items of its order in proportion to their prices. A refund of an
-- earlier sale counts as money only, with zero pieces.
create or replace function private.sold_lines(from_day date, to_day date, zone text)
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
comment on function private.sold_lines is 'Items of a period''s sales, and their share of its refunds.';
