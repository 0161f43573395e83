-- What each promo code brought, kept as its orders are paid, cancelled and deleted: a list of fifty codes once added up all the orders that ever
-- used them. Of a code there are as many rows as orders with it were ever paid at one time, which add up: who finds them all in use by others
-- writes one more instead of waiting. The sums are exact: supabase/tests/kept-promo-sales.test.ts counts them against the orders.
create table private.promo_sales (
  id            bigint generated always as identity primary key,
  promo_code_id uuid not null,
  paid_orders   int not null,
  revenue       numeric not null,
  discounted    numeric not null
);
comment on table private.promo_sales is 'Orders that used a promo code, were paid and not cancelled since; the rows of a code add up.';
create index promo_sales_promo_code_id_idx on private.promo_sales (promo_code_id);
alter table private.promo_sales enable row level security;
alter table private.promo_sales force row level security;
-- NOTE: nothing is granted: the trigger writes, promo_code_results reads. Nor does it refer to promo_codes, which would lock the code once
-- more at the end of a payment; what remains of a deleted code is zero, and nobody asks for it.

create function private.promo_sales_in(o public.orders, sign int)
  returns table (promo_code_id uuid, paid_orders int, revenue numeric, discounted numeric)
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if o.promo_code_id is not null and o.paid_at is not null and o.status <> 'cancelled' then
      return query values (o.promo_code_id, sign, sign * o.total_amount, sign * o.discount_amount);
    end if;
  end
  $$;

create function private.keep_promo_sales() returns trigger
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  declare
    more record;
  begin
    for more in
      select s.promo_code_id as code, sum(s.paid_orders) as paid_orders, sum(s.revenue) as revenue, sum(s.discounted) as discounted
      from (
        select * from private.promo_sales_in(old, -1) where tg_op <> 'INSERT'
        union all
        select * from private.promo_sales_in(new, 1) where tg_op <> 'DELETE'
      ) as s
      group by s.promo_code_id having sum(s.paid_orders) <> 0 or sum(s.revenue) <> 0 or sum(s.discounted) <> 0
    loop
      update private.promo_sales kept
      set paid_orders = kept.paid_orders + more.paid_orders, revenue = kept.revenue + more.revenue, discounted = kept.discounted + more.discounted
      where kept.id = (select s.id from private.promo_sales s where s.promo_code_id = more.code limit 1 for update skip locked);
      if not found then
        insert into private.promo_sales (promo_code_id, paid_orders, revenue, discounted)
        values (more.code, more.paid_orders, more.revenue, more.discounted);
      end if;
    end loop;
    return null;
  end
  $$;
create trigger keep_promo_sales_of_new after insert on public.orders
  for each row when (new.promo_code_id is not null and new.paid_at is not null)
  execute function private.keep_promo_sales();
create trigger keep_promo_sales after update of promo_code_id, paid_at, status, total_amount, discount_amount on public.orders
  for each row when (coalesce(old.promo_code_id, new.promo_code_id) is not null and coalesce(old.paid_at, new.paid_at) is not null)
  execute function private.keep_promo_sales();
create trigger keep_promo_sales_of_gone after delete on public.orders
  for each row when (old.promo_code_id is not null and old.paid_at is not null)
  execute function private.keep_promo_sales();

-- For orders that came past the triggers, as a restored backup's do.
create or replace function private.count_sales_again() returns void
  language sql
  set search_path = ''
  as $$
    delete from private.sales_days;
    insert into private.sales_days (day, part, orders, paid_orders, revenue)
    select s.day, 0, sum(s.orders), sum(s.paid_orders), sum(s.revenue)
    from public.orders o, private.sales_in(o, 1) s group by s.day;
    delete from private.promo_sales;
    insert into private.promo_sales (promo_code_id, paid_orders, revenue, discounted)
    select s.promo_code_id, sum(s.paid_orders), sum(s.revenue), sum(s.discounted)
    from public.orders o, private.promo_sales_in(o, 1) s where o.promo_code_id is not null group by s.promo_code_id;
  $$;
select private.count_sales_again();

-- Asked by the view alone, for codes that its caller may see; the private schema is reached by no other way.
create function private.sales_with(code uuid) returns table (paid_orders int, revenue numeric, discounted numeric)
  language plpgsql stable security definer
  set search_path = ''
  rows 1
  as $$
  begin
    return query select s.paid_orders, s.revenue, s.discounted from private.promo_sales s where s.promo_code_id = sales_with.code;
  end
  $$;
comment on function private.sales_with(uuid) is 'What is kept of a promo code; it adds up.';
grant execute on function private.sales_with(uuid) to authenticated, service_role;

-- Who only counts the codes asks for no sums: a left join of sums can be left out.
-- Promo codes as staff look at them: how each stands now, and what it has brought. Revenue is what the dashboard calls revenue:
-- orders that were paid and not cancelled since. Runs as the caller, so the policies of promo_codes hold.
create view public.promo_code_results with (security_invoker = true) as
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
comment on view public.promo_code_results is 'Each promo code with its state (live, scheduled, expired, used_up, switched_off), paid orders and revenue.';
grant select on public.promo_code_results to authenticated, service_role;
