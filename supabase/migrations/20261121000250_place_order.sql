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
      select 'full_name', private.text_problem(delivery ->> 'full_name', 2, 100, 'Name must be at least 2 characters', 'Name is too long')
      union all
      select 'email', case when not coalesce(private.is_email(btrim(delivery ->> 'email')), false) then 'Invalid email address' end
      union all
      select 'phone', private.text_problem(delivery ->> 'phone', 10, 20, 'Phone number must be at least 10 digits', 'Phone number is too long')
      union all
      select 'address', private.text_problem(delivery ->> 'address', 5, 200, 'Address must be at least 5 characters', 'Address is too long')
      union all
      select 'city', private.text_problem(delivery ->> 'city', 2, 50, 'City must be at least 2 characters', 'City is too long')
      union all
      select 'state', private.text_problem(delivery ->> 'state', 2, 50, 'State/Province must be at least 2 characters', 'State/Province is too long')
      union all
      select 'zip_code', private.text_problem(delivery ->> 'zip_code', 4, 10, 'Postal code must be at least 4 characters', 'Postal code is too long')
      union all
      select 'shipping_method', case when coalesce(delivery ->> 'shipping_method', '') not in ('locker', 'door-to-door') then 'Please select a shipping method' end
      union all
      select 'locker_location', case when delivery ->> 'shipping_method' = 'locker'
        then private.text_problem(delivery ->> 'locker_location', 1, 200, 'Please specify your nearest locker location', 'Locker location is too long') end
      union all
      select 'notes', case when length(delivery ->> 'notes') > 500 then 'Notes must be less than 500 characters' end
    ) as checked (field, problem)
  $$;

-- The caller's cart as it would be ordered now. A line whose lure is gone, hidden or no longer rigged has no price.
create function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language sql stable
  set search_path = ''
  as $$
    select c.id, c.product_name, c.product_variant, c.with_hooks, c.quantity,
      case when c.with_hooks then p.price_with_hooks else p.price end,
      v.id, c.image_url, coalesce(private.available(v.id, own.id), 0), coalesce(p.made_to_order, false), c.created_at
    from public.cart_items c
    left join (public.product_variants v join public.products p on p.id = v.product_id and p.status = 'live') on v.id = c.variant_id
    left join lateral (
      select o.id from public.orders o
      where o.customer_id = customer and o.status = 'pending_payment' and o.placed_at is not null and o.expires_at is not null
      limit 1
    ) as own on true
    where c.user_id = customer
  $$;
comment on function private.cart_lines(uuid) is 'What the customer''s own unpaid order holds counts as available: placing again replaces it.';

-- The order summary: what would be ordered, at which price, and what stands in the way.
create function public.quote_cart(promo_code text default null) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
    promo public.promo_codes;
    problem text;
    price private.price;
    cart_subtotal numeric;
    lines jsonb;
  begin
    select * into buyer from public.profiles p where p.id = (select auth.uid());
    select coalesce(sum(l.price * l.quantity), 0), coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object('problem', case
        when l.price is null then 'unavailable'
        when not l.made_to_order and l.available < l.quantity then 'sold_out'
      end) order by l.created_at desc, l.id), '[]')
    into cart_subtotal, lines
    from private.cart_lines(buyer.id) l;

    if btrim(quote_cart.promo_code) <> '' then
      promo := private.find_promo(quote_cart.promo_code);
      problem := private.promo_problem(promo, buyer.id, buyer.email, buyer.phone);
      if problem is null and cart_subtotal < promo.min_order_amount then
        problem := 'below_minimum';
      end if;
    end if;
    price := private.price_for(cart_subtotal, case when problem is null then promo end);

    return to_jsonb(price) || jsonb_build_object('lines', lines, 'promo', case when btrim(quote_cart.promo_code) <> '' then
      jsonb_build_object('code', upper(btrim(quote_cart.promo_code)), 'problem', problem, 'message', private.promo_sentence(problem, promo.min_order_amount),
        'free_shipping', problem is null and promo.free_shipping) end);
  end
  $$;
comment on function public.quote_cart(text) is '{subtotal, shipping, discount, total, lines, promo} for the caller''s cart; amounts in rand. Writes nothing.';
grant execute on function public.quote_cart(text) to authenticated, service_role;

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
  'Orders the caller''s cart: delivery {full_name, email, phone, address, city, state, zip_code, shipping_method, locker_location, notes}; expected_total is the one the buyer saw.';
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
      and (o.total_amount, o.shipping_cost, o.discount_amount, o.promo_code_id, o.customer_email, o.customer_name, o.customer_phone,
          o.shipping_method, o.shipping_address, o.shipping_city, o.shipping_state, o.shipping_zip, o.locker_location, o.notes)
        is not distinct from
        (wanted.total_amount, wanted.shipping_cost, wanted.discount_amount, wanted.promo_code_id, wanted.customer_email, wanted.customer_name, wanted.customer_phone,
          wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip, wanted.locker_location, wanted.notes)
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
    insert into public.orders (customer_id, customer_email, customer_name, customer_phone, total_amount, shipping_cost, discount_amount,
      promo_code_id, shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip, locker_location, notes, idempotency_key)
    values (wanted.customer_id, wanted.customer_email, wanted.customer_name, wanted.customer_phone, wanted.total_amount, wanted.shipping_cost, wanted.discount_amount,
      wanted.promo_code_id, wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip, wanted.locker_location, wanted.notes, wanted.idempotency_key)
    returning * into placed;

    insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, position)
    select placed.id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, row_number() over (order by l.created_at, l.id)
    from private.cart_lines(wanted.customer_id) l;

    -- The lines' trigger has placed it.
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;
