-- What came in, what sells, what is stuck: one function for each question, for admins. A sale is an order that was paid and not cancelled
-- since, as the revenue breakdown counts it, and it falls on the day its money came, where the shop is (`zone`). Both days count.
create function private.sales_of(from_day date, to_day date, zone text) returns setof public.orders
  language sql stable
  set search_path = ''
  as $$
    select o.* from public.orders o
    where o.paid_at >= (from_day::timestamp at time zone zone) and o.paid_at < ((to_day + 1)::timestamp at time zone zone)
      and o.status <> 'cancelled'
  $$;

create function private.require_period(from_day date, to_day date) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if (to_day - from_day between 0 and 3660) is not true then
      perform private.refuse(422, 'invalid_period', 'A period runs from a day to a later one, ten years at most.');
    end if;
  end
  $$;

create function public.sales_by_day(from_day date, to_day date, zone text)
  returns table (day date, orders int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select d::date, count(s.id)::int, coalesce(sum(s.total_amount), 0)
      from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d
      left join private.sales_of(from_day, to_day, zone) s on (s.paid_at at time zone zone)::date = d::date
      group by d order by d;
  end
  $$;
grant execute on function public.sales_by_day(date, date, text) to authenticated;
comment on function public.sales_by_day(date, date, text) is 'Orders and revenue of each day of a period, days without a sale included.';

-- Lines are counted at the price they were sold for: an order's discount and delivery belong to no lure.
create function public.sales_by_product(from_day date, to_day date, zone text)
  returns table (product_name text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select i.product_name, count(distinct i.order_id)::int, sum(i.quantity)::int, sum(i.price * i.quantity)
      from private.sales_of(from_day, to_day, zone) s join public.order_items i on i.order_id = s.id
      group by i.product_name order by 4 desc, 1;
  end
  $$;
grant execute on function public.sales_by_product(date, date, text) to authenticated;
comment on function public.sales_by_product(date, date, text) is 'What each lure brought, the best seller first.';

create function public.sales_by_colour(from_day date, to_day date, zone text)
  returns table (product_name text, product_variant text, orders int, pieces int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select i.product_name, i.product_variant, count(distinct i.order_id)::int, sum(i.quantity)::int, sum(i.price * i.quantity)
      from private.sales_of(from_day, to_day, zone) s join public.order_items i on i.order_id = s.id
      group by 1, 2 order by 5 desc, 1, 2;
  end
  $$;
grant execute on function public.sales_by_colour(date, date, text) to authenticated;
comment on function public.sales_by_colour(date, date, text) is 'What each colour of each lure brought, the best seller first.';

create function public.sales_by_province(from_day date, to_day date, zone text)
  returns table (province text, orders int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    return query
      select s.shipping_state, count(*)::int, sum(s.total_amount)
      from private.sales_of(from_day, to_day, zone) s
      group by 1 order by 3 desc, 1;
  end
  $$;
grant execute on function public.sales_by_province(date, date, text) to authenticated;
comment on function public.sales_by_province(date, date, text) is 'Where parcels of a period went, and what they brought.';

-- Bodies that lie on the shelf and that nobody bought in the period. Made to order has no shelf to lie on.
create function public.unsold_colours(from_day date, to_day date, zone text)
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
grant execute on function public.unsold_colours(date, date, text) to authenticated;
comment on function public.unsold_colours(date, date, text) is 'Colours in stock that nobody bought in a period, with the day of their last sale.';

-- The four totals of the revenue breakdown, over all orders that ever were placed.
create function public.revenue_in_all() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'orders', count(*),
        'revenue', coalesce(sum(o.total_amount) filter (where o.paid_at is not null and o.status <> 'cancelled'), 0),
        'paid_orders', count(*) filter (where o.paid_at is not null and o.status <> 'cancelled'),
        'average', coalesce(round(avg(o.total_amount) filter (where o.paid_at is not null and o.status <> 'cancelled'), 2), 0),
        'awaiting', coalesce(sum(o.total_amount) filter (where o.status = 'pending_payment'), 0))
      from public.orders o where o.placed_at is not null);
  end
  $$;
grant execute on function public.revenue_in_all() to authenticated;
comment on function public.revenue_in_all() is 'Orders, revenue, average and what is still awaited, since the shop began.';
