-- Orders that a brother writes down: by phone, at an expo. They are drafts and lines like all others, so the same triggers price them,
-- claim their promo code and hold their stock; only the lines come from a form instead of a cart. Nobody but an admin gets here.

-- A hold without an account has nobody whose time could run out.
create or replace function private.grant_hold(customer uuid, variant uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    counted private.held_time;
  begin
    if customer is null then
      return until;
    end if;
    select * into rules from private.shop_rules;
    select * into counted from private.held_time h where h.customer_id = customer and h.variant_id = variant for update;
    if counted.customer_id is null or counted.counted_from < now() - make_interval(hours => rules.unpaid_expire_hours) then
      counted := (customer, variant, now(), interval '0', now(), now());
    end if;

    counted.used := counted.used + (least(now(), counted.held_until) - counted.held_from);
    counted.held_from := now();
    counted.held_until := greatest(now(),
      least(until, now() + make_interval(mins => rules.hold_limit_minutes) - counted.used));
    insert into private.held_time select counted.*
      on conflict on constraint held_time_pkey do update set counted_from = excluded.counted_from, used = excluded.used,
        held_from = excluded.held_from, held_until = excluded.held_until;
    return counted.held_until;
  end
  $$;

-- The form's part of an order and the price's part, shared by the checkout and by orders that are written down.
create function private.order_to(delivery jsonb) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    wanted public.orders;
    problems jsonb := private.delivery_problems(delivery);
  begin
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    wanted.customer_email := lower(btrim(delivery ->> 'email'));
    wanted.customer_name := private.tidy(delivery ->> 'full_name');
    wanted.customer_phone := private.tidy(delivery ->> 'phone');
    wanted.shipping_method := delivery ->> 'shipping_method';
    wanted.shipping_address := private.tidy(delivery ->> 'address');
    wanted.shipping_city := private.tidy(delivery ->> 'city');
    wanted.shipping_state := private.tidy(delivery ->> 'state');
    wanted.shipping_zip := private.tidy(delivery ->> 'zip_code');
    wanted.locker_location := case when wanted.shipping_method = 'locker' then private.tidy(delivery ->> 'locker_location') end;
    wanted.notes := nullif(btrim(delivery ->> 'notes'), '');
    return wanted;
  end
  $$;

create function private.with_price(wanted public.orders, subtotal numeric, code text) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    price private.price;
  begin
    if btrim(code) <> '' then
      promo := private.find_promo(code);
      perform private.check_promo(promo, wanted, subtotal);
    end if;
    price := private.price_for(subtotal, promo);
    wanted.promo_code_id := promo.id;
    wanted.subtotal_amount := price.subtotal;
    wanted.shipping_cost := price.shipping;
    wanted.discount_amount := price.discount;
    wanted.total_amount := price.total;
    return wanted;
  end
  $$;

create function private.require_total(wanted public.orders, expected_total numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if wanted.total_amount is distinct from expected_total then
      perform private.refuse_price(
        (wanted.subtotal_amount, wanted.shipping_cost, wanted.discount_amount, wanted.total_amount)::private.price);
    end if;
  end
  $$;

create or replace function private.wanted_order(customer uuid, delivery jsonb, expected_total numeric, promo_code text) returns public.orders
  language plpgsql volatile
  set search_path = ''
  as $$
  declare
    wanted public.orders := private.order_to(delivery);
    gone jsonb;
    cart_subtotal numeric;
  begin
    select sum(l.price * l.quantity), jsonb_agg(to_jsonb(l)) filter (where l.price is null) into cart_subtotal, gone
    from private.cart_lines(customer) l;
    if gone is not null then
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.', gone);
    elsif cart_subtotal is null then
      perform private.refuse(422, 'empty_cart', 'Your cart is empty');
    end if;

    wanted.customer_id := customer;
    wanted := private.with_price(wanted, cart_subtotal, wanted_order.promo_code);
    perform private.require_total(wanted, expected_total);
    return wanted;
  end
  $$;

-- What was written down, [{variant_id, with_hooks, quantity}], at the catalogue's price; one line for what stands there twice.
create function private.written_lines(lines jsonb)
  returns table (variant_id uuid, product_name text, product_variant text, price numeric, quantity int, with_hooks boolean, at int)
  language sql stable
  set search_path = ''
  as $$
    select v.id, p.name, v.name, case when w.with_hooks then p.price_with_hooks else p.price end, sum(w.quantity)::int, w.with_hooks,
      min(w.at)::int
    from rows from (jsonb_to_recordset(lines) as (variant_id uuid, with_hooks boolean, quantity int)) with ordinality
      as w (variant_id, with_hooks, quantity, at)
    left join public.product_variants v on v.id = w.variant_id
    left join public.products p on p.id = v.product_id and p.status = 'live'
    group by v.id, p.name, v.name, w.with_hooks, p.price_with_hooks, p.price
    order by min(w.at)
  $$;

create function private.subtotal_of(lines jsonb) returns numeric
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    subtotal numeric;
    problem text;
  begin
    select sum(l.price * l.quantity), min(case
        when l.with_hooks is null then 'hooks_not_chosen'
        when l.product_name is null then 'unknown_product'
        when l.price is null then 'hooks_not_offered'
        when l.quantity not between 1 and 999 then 'impossible_quantity'
      end)
      into subtotal, problem
      from private.written_lines(lines) l;
    case problem
      when 'hooks_not_chosen' then perform private.refuse(422, 'hooks_not_chosen', 'Each line says with or without hooks.');
      when 'unknown_product' then perform private.refuse(422, 'unknown_product', 'We do not sell this lure in this colour.');
      when 'hooks_not_offered' then perform private.refuse(422, 'hooks_not_offered', 'This lure is not sold with hooks.');
      when 'impossible_quantity' then perform private.refuse(422, 'impossible_quantity', 'A line has between 1 and 999 lures.');
      else null;
    end case;
    if subtotal is null then
      perform private.refuse(422, 'empty_order', 'An order has at least one lure.');
    end if;
    return subtotal;
  end
  $$;

create function public.quote_order_by_hand(lines jsonb, promo_code text default null) returns jsonb
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    wanted public.orders;
  begin
    perform private.require_admin();
    wanted := private.with_price(wanted, private.subtotal_of(lines), quote_order_by_hand.promo_code);
    return jsonb_build_object('subtotal', wanted.subtotal_amount, 'shipping', wanted.shipping_cost,
      'discount', wanted.discount_amount, 'total', wanted.total_amount);
  end
  $$;
grant execute on function public.quote_order_by_hand(jsonb, text) to authenticated;
comment on function public.quote_order_by_hand(jsonb, text) is 'What lines that an admin writes down cost: [{variant_id, with_hooks, quantity}].';

-- An unpaid order whose lines change is replaced by another one, as when its customer orders again: what was sold stays as it was
-- sold, and one set of rules prices both. A paid order keeps its lines; the difference would be money that nobody has or gave back.
create function private.replace_by_hand(replaced uuid) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    before public.orders;
  begin
    select * into before from public.orders o where o.id = replaced and o.placed_at is not null for update;
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif before.status <> 'pending_payment' or before.paid_at is not null then
      perform private.refuse(409, 'lines_are_paid', 'The lines can only be changed while the order awaits payment.');
    elsif private.has_money_waiting(before.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;
    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = before.id;
    return before;
  end
  $$;

create function public.place_order_by_hand(idempotency_key uuid, wanted jsonb) returns public.orders
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    before public.orders;
    draft public.orders;
    placed public.orders;
  begin
    perform private.require_admin();
    if idempotency_key is null then
      perform private.refuse(422, 'missing_key', 'The order needs an idempotency key.');
    end if;
    perform pg_advisory_xact_lock(hashtextextended('order by hand ' || idempotency_key, 0));
    select o.* into placed from public.orders o
      where o.idempotency_key = place_order_by_hand.idempotency_key
        and exists (select from public.order_events e where e.order_id = o.id and e.kind = 'entered_by_hand');
    if found then
      return placed;
    end if;

    if wanted ->> 'replaces' is not null then
      before := private.replace_by_hand((wanted ->> 'replaces')::uuid);
    end if;
    draft := private.order_to(wanted -> 'delivery');
    draft := private.with_price(draft, private.subtotal_of(wanted -> 'lines'), wanted ->> 'promo_code');
    perform private.require_total(draft, (wanted ->> 'expected_total')::numeric);
    draft.idempotency_key := idempotency_key;
    placed := private.insert_order_by_hand(draft, wanted -> 'lines');

    -- Placing replaces the waiting order of its customer, so the account comes after it: this order replaces what it was told to and
    -- nothing else. One that still waits, and has no account yet, gets none, or its customer's next checkout would replace it.
    update public.orders o set customer_id = coalesce(before.customer_id, (
        select p.id from public.profiles p
        where lower(p.email) = placed.customer_email and (wanted ->> 'paid_by' is not null or placed.paid_at is not null) limit 1))
      where o.id = placed.id;
    insert into public.order_events (order_id, kind, detail)
      values (placed.id, 'entered_by_hand', jsonb_strip_nulls(jsonb_build_object('replaces', before.order_number)));
    if wanted ->> 'paid_by' is not null and placed.total_amount > 0 then
      perform private.take_payment_by_hand(placed.id, wanted ->> 'paid_by', wanted ->> 'reference');
    end if;
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;
grant execute on function public.place_order_by_hand(uuid, jsonb) to authenticated;
comment on function public.place_order_by_hand(uuid, jsonb) is
  'An order an admin writes down. wanted: delivery as for place_order, lines [{variant_id, with_hooks, quantity}], expected_total, '
  'and if so promo_code, paid_by (eft, cash) with reference, replaces (an unpaid order).';

create function private.insert_order_by_hand(draft public.orders, lines jsonb) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    placed public.orders;
  begin
    insert into public.orders (
      customer_email, customer_name, customer_phone, total_amount, shipping_cost, discount_amount, promo_code_id,
      shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip, locker_location, notes, idempotency_key)
    values (
      draft.customer_email, draft.customer_name, draft.customer_phone, draft.total_amount, draft.shipping_cost, draft.discount_amount,
      draft.promo_code_id, draft.shipping_method, draft.shipping_address, draft.shipping_city, draft.shipping_state, draft.shipping_zip,
      draft.locker_location, draft.notes, draft.idempotency_key)
    returning * into placed;
    insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, position)
    select placed.id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, l.at
    from private.written_lines(lines) l;
    -- The lines' trigger has placed it.
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;
