-- What came in, kept by day as orders are placed, paid and cancelled: the dashboard's totals once added up every order there ever was.
-- Days are the shop's own. Each connection keeps a part of a day to itself, so that no two orders ever wait for each other here, and the
-- row is written when the transaction ends. The sums are exact: supabase/tests/kept-sales.test.ts counts them against the orders.
create table private.sales_days (
  day         date not null,
  part        int not null,
  orders      int not null,
  paid_orders int not null,
  revenue     numeric not null,
  constraint part_twice primary key (day, part)
);
comment on table private.sales_days is 'Orders placed on a day, and what was paid on it and not cancelled since; the parts of a day add up.';
alter table private.sales_days enable row level security;
alter table private.sales_days force row level security;
-- NOTE: nothing is granted: the trigger writes, the figures read.

create function private.shop_day(moment timestamptz) returns date
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return (moment at time zone 'Africa/Johannesburg')::date;
  end
  $$;

-- What one state of an order stands for: it was placed on a day, and its money came on a day.
create function private.sales_in(o public.orders, sign int) returns table (day date, orders int, paid_orders int, revenue numeric)
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if o.placed_at is null then
      return;
    end if;
    return query values (private.shop_day(o.placed_at), sign, 0, 0::numeric);
    if o.paid_at is not null and o.status <> 'cancelled' then
      return query values (private.shop_day(o.paid_at), 0, sign, sign * o.total_amount);
    end if;
  end
  $$;

-- A plan for just this row looks cheaper each time than the one for any row, and making it costs ten times what it saves.
create function private.keep_sales() returns trigger
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  begin
    insert into private.sales_days as kept (day, part, orders, paid_orders, revenue)
    select s.day, pg_backend_pid(), sum(s.orders), sum(s.paid_orders), sum(s.revenue)
    from (
      select * from private.sales_in(old, -1) where tg_op <> 'INSERT'
      union all
      select * from private.sales_in(new, 1) where tg_op <> 'DELETE'
    ) as s
    group by s.day having sum(s.orders) <> 0 or sum(s.paid_orders) <> 0 or sum(s.revenue) <> 0
    on conflict on constraint part_twice do update
      set orders = kept.orders + excluded.orders, paid_orders = kept.paid_orders + excluded.paid_orders, revenue = kept.revenue + excluded.revenue;
    return null;
  end
  $$;
create constraint trigger keep_sales after insert or delete or update of placed_at, paid_at, status, total_amount on public.orders
  deferrable initially deferred
  for each row execute function private.keep_sales();

-- For orders that came past the trigger, as a restored backup's do.
create function private.count_sales_again() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.sales_days;
    insert into private.sales_days (day, part, orders, paid_orders, revenue)
    select s.day, 0, sum(s.orders), sum(s.paid_orders), sum(s.revenue)
    from public.orders o, private.sales_in(o, 1) s group by s.day;
  $$;
select private.count_sales_again();

create or replace function public.revenue_in_all() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'orders', coalesce(sum(s.orders), 0),
        'revenue', coalesce(sum(s.revenue), 0),
        'paid_orders', coalesce(sum(s.paid_orders), 0),
        'average', coalesce(round(sum(s.revenue) / nullif(sum(s.paid_orders), 0), 2), 0),
        'awaiting', (
          select coalesce(sum(o.total_amount), 0) from public.orders o where o.placed_at is not null and o.status = 'pending_payment'))
      from private.sales_days s);
  end
  $$;

-- In the shop's own days the kept sums answer; in those of another place the orders are counted.
create or replace function public.sales_by_day(from_day date, to_day date, zone text)
  returns table (day date, orders int, revenue numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_period(from_day, to_day);
    if zone = 'Africa/Johannesburg' then
      return query
        select d::date, coalesce(sum(s.paid_orders), 0)::int, coalesce(sum(s.revenue), 0)
        from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d
        left join private.sales_days s on s.day = d::date
        group by d order by d;
    else
      return query
        select d::date, count(s.id)::int, coalesce(sum(s.total_amount), 0)
        from generate_series(from_day::timestamp, to_day::timestamp, interval '1 day') d
        left join private.sales_of(from_day, to_day, zone) s on (s.paid_at at time zone zone)::date = d::date
        group by d order by d;
    end if;
  end
  $$;
