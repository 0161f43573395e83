-- place_order() writes an order once, as it is when it is placed, instead of a draft that becomes one: a row of this table stands in
-- fifteen indexes, and an update writes all of them again, tells the live feed a second time and checks every rule a second time.
-- The order of things is that of placing a draft: the customer, orders it replaces, promo codes, the shelf, held time, then rows.

drop function private.wanted_order(uuid, jsonb, numeric, text);
create function private.wanted_order(customer uuid, lines private.cart_line[], wish public.orders, code text) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    wanted public.orders := wish;
    cart_subtotal numeric;
    is_gone boolean;
  begin
    select sum(l.price * l.quantity), bool_or(l.price is null) into cart_subtotal, is_gone from unnest(lines) l;
    if is_gone then
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.',
        (select jsonb_agg(to_jsonb(l)) from private.cart_lines(customer) l where l.price is null));
    elsif cart_subtotal is null then
      perform private.refuse(422, 'empty_cart', 'Your cart is empty');
    end if;

    wanted.customer_id := customer;
    return private.with_price(wanted, cart_subtotal, code);
  end
  $$;

drop function private.same_waiting_order(public.orders);
create function private.same_waiting_order(wanted public.orders, lines private.cart_line[]) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    same public.orders;
  begin
    select o.* into same
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
          from unnest(lines) l)
    limit 1;
    return same;
  end
  $$;

-- What the lines need, as the catalogue has it now that the shelf is locked.
create function private.needs_of_lines(lines private.cart_line[]) returns private.need[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(
      select (l.variant_id, min(l.product_name), min(l.product_variant), sum(l.quantity)::int, bool_or(p.made_to_order))::private.need
      from unnest(lines) l
      join public.product_variants v on v.id = l.variant_id
      join public.products p on p.id = v.product_id
      group by l.variant_id);
  end
  $$;

drop function private.insert_order(public.orders);
create function private.insert_order(wanted public.orders, lines private.cart_line[]) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    granted private.set_aside[];
    placed public.orders;
  begin
    perform private.replace_waiting_orders(wanted);
    -- Priced a moment ago; only a code may have been used up since.
    if wanted.promo_code_id is not null then
      perform private.require_price(wanted, wanted.subtotal_amount);
    end if;
    select * into rules from private.shop_rules;
    perform private.lock_shelf(array(select l.variant_id from unnest(lines) l));
    granted := private.grant_holds(wanted.customer_id, private.require_shelf(private.needs_of_lines(lines), null),
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
    -- Each line is held to the catalogue once more as it is written.
    insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, position)
    select placed.id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, l.ordinality
    from unnest(lines) with ordinality l;
    perform private.write_holds(placed.id, granted);
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

create or replace function public.place_order(idempotency_key uuid, delivery jsonb, expected_total numeric, promo_code text default null)
  returns public.orders
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := auth.uid();
    lines private.cart_line[];
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

    -- Read once: what is priced, held and sold are the same lines, whatever another tab does to the cart meanwhile.
    lines := private.priced_cart(me);
    wanted := private.wanted_order(me, lines, private.order_to(place_order.delivery), place_order.promo_code);
    perform private.require_total(wanted, place_order.expected_total);
    wanted.idempotency_key := place_order.idempotency_key;

    placed := private.same_waiting_order(wanted, lines);
    if placed.id is not null and private.renew_hold(placed.id) = 'held' then
      select * into placed from public.orders o where o.id = placed.id;
      return placed;
    end if;
    return private.insert_order(wanted, lines);
  end
  $$;
