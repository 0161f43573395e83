-- An order asks less of the database. What it may and must not be is unchanged: each rule below is asked once where it was asked twice,
-- asked for all lines at once where it was asked line by line, or not asked where the answer is known.

-- Held time, for all lures of an order in one statement. A hold without an account has nobody whose time could run out.
drop function private.grant_hold(uuid, uuid, timestamptz);
create or replace function private.grant_holds(customer uuid, there private.need[], until timestamptz) returns private.set_aside[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    granted private.set_aside[];
  begin
    if customer is null then
      return array(select (n.variant_id, n.quantity, grant_holds.until)::private.set_aside from unnest(there) n);
    end if;
    select * into rules from private.shop_rules;
    with counted as (
      insert into private.held_time as kept (customer_id, variant_id, held_until)
      select customer, n.variant_id,
        greatest(now(), least(grant_holds.until, now() + make_interval(mins => rules.hold_limit_minutes)))
      from unnest(there) n order by n.variant_id
      on conflict on constraint held_time_pkey do update set (counted_from, used, held_from, held_until) = (
        select anew.counted_from, anew.used, now(),
          greatest(now(), least(grant_holds.until, now() + make_interval(mins => rules.hold_limit_minutes) - anew.used))
        from (
          select
            case when is_over then now() else kept.counted_from end as counted_from,
            case when is_over then interval '0' else kept.used + (least(now(), kept.held_until) - kept.held_from) end as used
          from (select kept.counted_from < now() - make_interval(hours => rules.unpaid_expire_hours) as is_over) as day
        ) as anew)
      returning kept.variant_id, kept.held_until
    )
    select array_agg((n.variant_id, n.quantity, c.held_until)::private.set_aside) into granted
    from unnest(there) n join counted c on c.variant_id = n.variant_id;
    return coalesce(granted, '{}');
  end
  $$;

-- What is wrong with a form is one expression: nothing is looked up for it.
create or replace function private.delivery_problems(delivery jsonb) returns jsonb
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return jsonb_strip_nulls(jsonb_build_object(
      'full_name', private.text_problem(delivery ->> 'full_name', 2, 100, 'Name must be at least 2 characters', 'Name is too long'),
      'phone', private.text_problem(delivery ->> 'phone', 10, 20,
        'Phone number must be at least 10 digits', 'Phone number is too long'),
      'address', private.text_problem(delivery ->> 'address', 5, 200,
        'Address must be at least 5 characters', 'Address is too long'),
      'city', private.text_problem(delivery ->> 'city', 2, 50, 'City must be at least 2 characters', 'City is too long'),
      'state', private.text_problem(delivery ->> 'state', 2, 50,
        'State/Province must be at least 2 characters', 'State/Province is too long'),
      'zip_code', private.text_problem(delivery ->> 'zip_code', 4, 10,
        'Postal code must be at least 4 characters', 'Postal code is too long'),
      'locker_location', case when delivery ->> 'shipping_method' = 'locker' then
        private.text_problem(delivery ->> 'locker_location', 1, 200,
          'Please specify your nearest locker location', 'Locker location is too long') end,
      'email', case when private.is_email(btrim(delivery ->> 'email')) is not true then 'Invalid email address' end,
      'shipping_method', case when (delivery ->> 'shipping_method' in ('locker', 'door-to-door')) is not true then
        'Please select a shipping method' end,
      'notes', case when length(delivery ->> 'notes') > 500 then 'Notes must be less than 500 characters' end));
  end
  $$;

-- Who acts is asked for every row that is recorded: one function less on the way to the same answer.
create or replace function private.acting_as() returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return case
      when auth.uid() is not null and private.holds_role(auth.uid(), auth.jwt() ->> 'aal', '{admin,helper}') then
        case when private.is_admin() then 'admin' else 'helper' end
      when auth.role() = 'service_role' then 'secret key'
    end;
  end
  $$;

-- The figures of a day. An order that has just been placed adds one and nothing else: that needs no sums.
create function private.add_sales(day date, orders int, paid_orders int, revenue numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into private.sales_days as kept (day, part, orders, paid_orders, revenue)
    values (add_sales.day, pg_backend_pid(), add_sales.orders, add_sales.paid_orders, add_sales.revenue)
    on conflict on constraint part_twice do update
      set orders = kept.orders + excluded.orders, paid_orders = kept.paid_orders + excluded.paid_orders, revenue = kept.revenue + excluded.revenue;
  end
  $$;

create or replace function private.keep_sales() returns trigger
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  begin
    if tg_op = 'INSERT' and new.paid_at is null then
      if new.placed_at is not null then
        perform private.add_sales(private.shop_day(new.placed_at), 1, 0, 0);
      end if;
      return null;
    end if;
    perform private.add_sales(s.day, sum(s.orders)::int, sum(s.paid_orders)::int, sum(s.revenue))
    from (
      select * from private.sales_in(old, -1) where tg_op <> 'INSERT'
      union all
      select * from private.sales_in(new, 1) where tg_op <> 'DELETE'
    ) as s
    group by s.day having sum(s.orders) <> 0 or sum(s.paid_orders) <> 0 or sum(s.revenue) <> 0;
    return null;
  end
  $$;

-- What the lines need, as the catalogue has it now that the shelf is locked; its rows are taken in the order of their ids.
drop function private.needs_of_lines(private.cart_line[]);
create function private.lock_needs(lines private.cart_line[]) returns private.need[]
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v
    where v.id = any (array(select l.variant_id from unnest(lines) l)) order by v.id for no key update;
    return array(
      select (l.variant_id, min(l.product_name), min(l.product_variant), sum(l.quantity)::int, bool_or(p.made_to_order))::private.need
      from unnest(lines) l
      join public.product_variants v on v.id = l.variant_id
      join public.products p on p.id = v.product_id
      group by l.variant_id);
  end
  $$;

-- An order that is written as placed comes from place_order(), which has asked what these triggers ask: drafts come from anybody, whose
-- grants name neither placed_at nor variant_id. A method that is not offered can only be the locker.
create function private.refuse_unproven() returns void
  language plpgsql
  set search_path = ''
  as $$ begin raise exception 'the second factor has not been shown' using errcode = '42501'; end $$;

create or replace function private.refuse_unproven_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and not private.is_proven() then
      perform private.refuse_unproven();
    end if;
    return new;
  end
  $$;

create or replace trigger refuse_unproven_order before insert on public.orders
  for each row when (new.placed_at is null)
  execute function private.refuse_unproven_order();
create or replace trigger refuse_method_not_offered before insert on public.orders
  for each row when (new.shipping_method = 'locker')
  execute function private.refuse_method_not_offered();
create or replace trigger start_order before insert on public.orders
  for each row when (new.placed_at is null or new.promo_code_id is not null or new.status <> 'pending_payment')
  execute function private.start_order();
create or replace trigger fill_order_item before insert on public.order_items
  for each row when (new.variant_id is null)
  execute function private.fill_order_item();

-- The lines of an order, each held to the catalogue once more as it is written.
create function private.write_lines(placed_id uuid, lines private.cart_line[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    written int;
  begin
    insert into public.order_items (
      order_id, product_name, product_variant, price, quantity, with_hooks, position, product_id, variant_id, image_url)
    select placed_id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, l.ordinality,
      p.id, v.id, coalesce(nullif(v.image_url, ''), p.image_url)
    from unnest(lines) with ordinality l
    join public.product_variants v on v.id = l.variant_id and v.name = l.product_variant
    join public.products p on p.id = v.product_id and p.name = l.product_name and p.status = 'live'
      and case when l.with_hooks then p.price_with_hooks else p.price end = l.price;
    get diagnostics written = row_count;
    if written < cardinality(lines) then
      perform private.check_sale(l.product_name, l.product_variant, l.with_hooks, l.price) from unnest(lines) l;
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.');
    end if;
  end
  $$;

create or replace function private.insert_order(wanted public.orders, lines private.cart_line[]) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    granted private.set_aside[];
    placed public.orders;
  begin
    -- Priced a moment ago; only a code may have been used up since.
    if wanted.promo_code_id is not null then
      perform private.require_price(wanted, wanted.subtotal_amount);
    end if;
    select * into rules from private.shop_rules;
    granted := private.grant_holds(wanted.customer_id, private.require_shelf(private.lock_needs(lines), null),
      now() + make_interval(mins => rules.hold_minutes));

    insert into public.orders (
      customer_id, customer_email, customer_name, customer_phone,
      subtotal_amount, total_amount, shipping_cost, discount_amount, promo_code_id,
      shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip,
      locker_location, notes, idempotency_key, placed_at, hold_expires_at, expires_at)
    values (
      wanted.customer_id, wanted.customer_email, wanted.customer_name, wanted.customer_phone,
      wanted.subtotal_amount, wanted.total_amount, wanted.shipping_cost, wanted.discount_amount, wanted.promo_code_id,
      wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip,
      wanted.locker_location, wanted.notes, wanted.idempotency_key, now(),
      least(now() + make_interval(mins => rules.hold_minutes), (select min(h.until) from unnest(granted) h)),
      now() + make_interval(hours => rules.unpaid_expire_hours))
    returning * into placed;
    perform private.write_lines(placed.id, lines);
    insert into public.stock_holds (order_id, variant_id, quantity, expires_at)
    select placed.id, h.variant_id, h.quantity, h.until from unnest(granted) h;
    if placed.promo_code_id is not null then
      perform private.claim_promo(placed);
    end if;
    if placed.total_amount = 0 then
      perform private.settle_free_order(placed.id, placed.total_amount);
      select * into placed from public.orders o where o.id = placed.id;
    end if;
    return placed;
  end
  $$;

-- Its plans are kept whatever the planner thinks of them: every question is for rows by key, and planning one for each order anew costs
-- more than asking it.
create or replace function public.place_order(idempotency_key uuid, delivery jsonb, expected_total numeric, promo_code text default null)
  returns public.orders
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  declare
    me uuid := auth.uid();
    lines private.cart_line[];
    wanted public.orders;
    placed public.orders;
    has_waiting boolean;
  begin
    if me is null then
      perform private.refuse(401, 'not_signed_in', 'Please sign in to place your order.');
    elsif place_order.idempotency_key is null then
      perform private.refuse(422, 'missing_key', 'The order needs an idempotency key.');
    elsif not private.is_proven() then
      perform private.refuse_unproven();
    end if;
    perform private.lock_customer(me);

    select * into placed from public.orders o where o.customer_id = me and o.idempotency_key = place_order.idempotency_key;
    if found then
      return placed;
    end if;

    -- Read once: what is priced, held and sold are the same lines, whatever another tab does to the cart meanwhile.
    lines := private.priced_cart(me);
    wanted := private.wanted_order(me, lines, private.order_to(place_order.delivery), place_order.promo_code);
    perform private.require_total(wanted, place_order.expected_total);
    wanted.idempotency_key := place_order.idempotency_key;

    -- Whoever has none waiting, which is nearly everybody, gets none before this transaction ends.
    has_waiting := exists (
      select from public.orders o where o.customer_id = me and o.status = 'pending_payment' and o.placed_at is not null);
    if has_waiting then
      placed := private.same_waiting_order(wanted, lines);
      if placed.id is not null and private.renew_hold(placed.id) = 'held' then
        select * into placed from public.orders o where o.id = placed.id;
        return placed;
      end if;
    end if;
    if has_waiting or wanted.promo_code_id is not null then
      perform private.replace_waiting_orders(wanted);
    end if;
    return private.insert_order(wanted, lines);
  end
  $$;
