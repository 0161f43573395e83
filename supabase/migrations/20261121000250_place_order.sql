-- The checkout's form, judged with the specification's words; the page shows the same ones earlier (domain/).
create function private.text_problem(value text, at_least int, at_most int, too_short text, too_long text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when length(coalesce(private.tidy(value), '')) < at_least then too_short
      when length(private.tidy(value)) > at_most then too_long
    end
  $$;

create function private.delivery_problems(delivery jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(field, problem) filter (where problem is not null), '{}')
    from (
      select field, private.text_problem(delivery ->> field, at_least, at_most, too_short, too_long)
      from (values
        ('full_name', 2, 100, 'Name must be at least 2 characters', 'Name is too long'),
        ('phone', 10, 20, 'Phone number must be at least 10 digits', 'Phone number is too long'),
        ('address', 5, 200, 'Address must be at least 5 characters', 'Address is too long'),
        ('city', 2, 50, 'City must be at least 2 characters', 'City is too long'),
        ('state', 2, 50, 'State/Province must be at least 2 characters', 'State/Province is too long'),
        ('zip_code', 4, 10, 'Postal code must be at least 4 characters', 'Postal code is too long'),
        ('locker_location', 1, 200, 'Please specify your nearest locker location', 'Locker location is too long')
      ) as texts (field, at_least, at_most, too_short, too_long)
      where field <> 'locker_location' or delivery ->> 'shipping_method' = 'locker'
      union all
      select 'email', 'Invalid email address'
      where private.is_email(btrim(delivery ->> 'email')) is not true
      union all
      select 'shipping_method', 'Please select a shipping method'
      where (delivery ->> 'shipping_method' in ('locker', 'door-to-door')) is not true
      union all
      select 'notes', 'Notes must be less than 500 characters'
      where length(delivery ->> 'notes') > 500
    ) as checked (field, problem)
  $$;

-- The caller's cart becomes an order, in one transaction. Asked again with the same key it answers with the same order, so a
-- browser that lost the reply may repeat the call as often as it likes. A customer who changes nothing and asks with a new
-- key gets the order that already waits; one who changed something gets a new order in its place.
create function public.place_order(idempotency_key uuid, delivery jsonb, expected_total numeric, promo_code text default null)
  returns public.orders
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := auth.uid();
    wanted public.orders;
    placed public.orders;
  begin
    if me is null then
      perform private.refuse(401, 'not_signed_in', 'Please sign in to place your order.');
    elsif place_order.idempotency_key is null then
      perform private.refuse(422, 'missing_key', 'The order needs an idempotency key.');
    end if;
    perform private.lock_customer(me);

    select * into placed from public.orders o where o.customer_id = me and o.idempotency_key = place_order.idempotency_key;
    if found then
      return placed;
    end if;

    wanted := private.wanted_order(me, place_order.delivery, place_order.expected_total, place_order.promo_code);
    wanted.idempotency_key := place_order.idempotency_key;

    select * into placed from private.same_waiting_order(wanted);
    if placed.id is not null and private.renew_hold(placed.id) = 'held' then
      select * into placed from public.orders o where o.id = placed.id;
      return placed;
    end if;
    return private.insert_order(wanted);
  end
  $$;
comment on function public.place_order(uuid, jsonb, numeric, text) is
  'Orders the caller''s cart. delivery: full_name, email, phone, address, city, state, zip_code, shipping_method, '
  'locker_location, notes. '
  'expected_total: the one the buyer saw.';
grant execute on function public.place_order(uuid, jsonb, numeric, text) to authenticated;

-- The order that the form and the cart ask for, checked but not yet written.
create function private.wanted_order(customer uuid, delivery jsonb, expected_total numeric, promo_code text) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    wanted public.orders;
    promo public.promo_codes;
    price private.price;
    problems jsonb := private.delivery_problems(delivery);
    gone jsonb;
    cart_subtotal numeric;
  begin
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;

    select sum(l.price * l.quantity), jsonb_agg(to_jsonb(l)) filter (where l.price is null) into cart_subtotal, gone
    from private.cart_lines(customer) l;
    if gone is not null then
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.', gone);
    elsif cart_subtotal is null then
      perform private.refuse(422, 'empty_cart', 'Your cart is empty');
    end if;

    wanted.customer_id := customer;
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

    if btrim(wanted_order.promo_code) <> '' then
      promo := private.find_promo(wanted_order.promo_code);
      perform private.check_promo(promo, wanted, cart_subtotal);
    end if;
    price := private.price_for(cart_subtotal, promo);
    if price.total is distinct from expected_total then
      perform private.refuse_price(price);
    end if;

    wanted.promo_code_id := promo.id;
    wanted.shipping_cost := price.shipping;
    wanted.discount_amount := price.discount;
    wanted.total_amount := price.total;
    return wanted;
  end
  $$;

-- The customer's unpaid order, when it is word for word the one that is wanted now.
create function private.same_waiting_order(wanted public.orders) returns public.orders
  language sql stable
  set search_path = ''
  as $$
    select o
    from public.orders o
    where o.customer_id = wanted.customer_id and o.status = 'pending_payment' and o.placed_at is not null
      and (o.total_amount, o.shipping_cost, o.discount_amount, o.promo_code_id,
          o.customer_email, o.customer_name, o.customer_phone,
          o.shipping_method, o.shipping_address, o.shipping_city, o.shipping_state, o.shipping_zip,
          o.locker_location, o.notes)
        is not distinct from
        (wanted.total_amount, wanted.shipping_cost, wanted.discount_amount, wanted.promo_code_id,
          wanted.customer_email, wanted.customer_name, wanted.customer_phone,
          wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip,
          wanted.locker_location, wanted.notes)
      and (select array_agg((i.variant_id, i.with_hooks, i.quantity, i.price)::text order by i.variant_id, i.with_hooks)
          from public.order_items i where i.order_id = o.id)
        = (select array_agg((l.variant_id, l.with_hooks, l.quantity, l.price)::text order by l.variant_id, l.with_hooks)
          from private.cart_lines(wanted.customer_id) l)
    limit 1
  $$;

create function private.insert_order(wanted public.orders) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    placed public.orders;
  begin
    insert into public.orders (
      customer_id, customer_email, customer_name, customer_phone,
      total_amount, shipping_cost, discount_amount, promo_code_id,
      shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip,
      locker_location, notes, idempotency_key)
    values (
      wanted.customer_id, wanted.customer_email, wanted.customer_name, wanted.customer_phone,
      wanted.total_amount, wanted.shipping_cost, wanted.discount_amount, wanted.promo_code_id,
      wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip,
      wanted.locker_location, wanted.notes, wanted.idempotency_key)
    returning * into placed;

    insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, position)
    select placed.id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks,
      row_number() over (order by l.created_at, l.id)
    from private.cart_lines(wanted.customer_id) l;

    -- The lines' trigger has placed it.
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;
