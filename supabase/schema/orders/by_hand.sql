-- Orders that an admin enters: by phone, at a fair, or to replace the lines of a customer's unpaid order.
--
-- They follow the same rules as the checkout: catalogue prices, promo codes, stock, the total that the admin saw.
-- Differences: a hand-over needs no address and pays no shipping; the order can be paid at once (EFT or cash), and a
-- paid hand-over delivered at once; it needs no account. An account is attached only after placing, because placing
-- replaces the unpaid order of the account's customer.
-- Lines are JSON [{variant_id, with_hooks, quantity}]. Locks: idempotency key (advisory), then those of placing.sql.

-- Security definer: writes orders, events and payments. require_admin() comes first.
-- The advisory lock makes the second of two equal requests wait and return the first one's order. The event
-- `entered_by_hand` keeps a customer's order with the same key from being returned. It has a hash of the request: after a lost response a
-- corrected form is refused. Returning the first order would drop the correction, and a new key would create a second order.
create or replace function public.place_staff_order(idempotency_key uuid, wanted jsonb) returns public.orders
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
      where o.idempotency_key = place_staff_order.idempotency_key
        and exists (select from public.order_events e where e.order_id = o.id and e.kind = 'entered_by_hand');
    if found then
      if exists (
        select from public.order_events e
        where e.order_id = placed.id and e.kind = 'entered_by_hand' and e.detail ->> 'request' <> md5(wanted::text)
      ) then
        perform private.refuse(409, 'already_saved', 'Order #' || lpad(placed.order_number::text, 5, '0')
          || ' was created before you changed this form. Open it to correct it.');
      end if;
      return placed;
    end if;

    if wanted ->> 'replaces' is not null then
      before := private.replace_staff_order((wanted ->> 'replaces')::uuid, wanted ->> 'promo_code');
    end if;
    draft := private.parse_staff_delivery(wanted -> 'delivery');
    -- The code's uses by this account count, whichever contact was typed. The account is attached after placing.
    draft.customer_id := before.customer_id;
    draft := private.add_price(draft, private.subtotal_of(wanted -> 'lines'), wanted ->> 'promo_code');
    perform private.require_total(draft, (wanted ->> 'expected_total')::numeric);
    draft.idempotency_key := idempotency_key;
    placed := private.insert_staff_order(draft, wanted -> 'lines');

    -- Placing would cancel the customer's own unpaid order, so the account is attached afterwards. An unpaid order gets
    -- no account until it is paid, unless it replaces one of the account: the customer's next checkout would cancel it.
    -- Without an account it is paid by EFT or in cash, which may take days, so it does not expire and its lures stay reserved.
    if before.customer_id is null and placed.status = 'pending_payment' then
      placed.reserved_until := now() + private.staff_reservation();
      update public.stock_reservations h set expires_at = placed.reserved_until where h.order_id = placed.id;
    end if;
    update public.orders o set
        customer_id = coalesce(before.customer_id, (
          select private.verified_account_of(placed.customer_email)
          where placed.paid_at is not null)),
        expires_at = case when before.customer_id is not null then o.expires_at end,
        reserved_until = placed.reserved_until
      where o.id = placed.id;
    insert into public.order_events (order_id, kind, detail)
      values (placed.id, 'entered_by_hand', jsonb_strip_nulls(jsonb_build_object(
        'replaces', before.order_number, 'request', md5(wanted::text))));
    if before.id is not null then
      insert into public.order_events (order_id, kind, detail)
        values (before.id, 'replaced', jsonb_build_object('order_id', placed.id, 'order_number', placed.order_number));
    end if;
    if wanted ->> 'paid_by' is not null and placed.total_amount > 0 then
      perform private.take_payment_by_hand(placed.id, wanted ->> 'paid_by', wanted ->> 'reference');
    end if;
    if draft.shipping_method = 'hand-over' and (wanted ->> 'handed_over')::boolean then
      update public.orders o set status = 'delivered' where o.id = placed.id;
    end if;
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;
comment on function public.place_staff_order is
  'Places an order that an admin enters and returns it; a repeated idempotency key returns the order it made. '
  'wanted: delivery (as for place_order, or {shipping_method: hand-over, full_name, email, phone}), lines '
  '[{variant_id, with_hooks, quantity}], expected_total in rand; optional: promo_code, paid_by (eft or cash) with '
  'reference, replaces (id of an unpaid order), handed_over (true: a paid hand-over is delivered at once). For '
  'admins. Refuses what place_order refuses about delivery, code, price and stock, and missing_key, empty_order, '
  'unknown_product, hooks_not_offered, hooks_not_chosen, impossible_quantity, order_not_found, lines_are_paid, '
  'payment_being_confirmed, and already_saved for the key of an order with other contents.';
grant execute on function public.place_staff_order to authenticated;

-- A customer who was promised a lure pays by EFT within days. A forgotten order must not keep it for ever.
create or replace function private.staff_reservation() returns interval
  language sql immutable
  return interval '7 days';
comment on function private.staff_reservation is
  'How long an unpaid order without an account reserves its lures. domain/staff-reservation.ts has it for the pages.';

-- The price while the form is filled in. The promo code of a replaced order is free again, as it will be when it is replaced.
-- Volatile, because find_promo() counts wrong promo codes.
-- Security definer: reads promo codes and rules. require_admin() comes first.
create or replace function public.quote_staff_order(
    lines jsonb, promo_code text default null, shipping_method text default null, replaces uuid default null)
  returns jsonb
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    draft public.orders;
  begin
    perform private.require_admin();
    select o.id, o.customer_id into draft.id, draft.customer_id from public.orders o where o.id = replaces;
    draft.shipping_method := quote_staff_order.shipping_method;
    draft := private.add_price(draft, private.subtotal_of(lines), quote_staff_order.promo_code);
    return jsonb_build_object('subtotal', draft.subtotal_amount, 'shipping', draft.shipping_cost,
      'discount', draft.discount_amount, 'total', draft.total_amount);
  end
  $$;
comment on function public.quote_staff_order is
  '{subtotal, shipping, discount, total} in rand of lines [{variant_id, with_hooks, quantity}]; no shipping for '
  'hand-over. replaces: id of the unpaid order that will be replaced. For admins. Refuses as place_staff_order does for lines and promo code.';
grant execute on function public.quote_staff_order to authenticated;

-- The delivery columns of a hand-over; every other method goes through parse_delivery(). Name, e-mail, phone and notes
-- follow the rules of the checkout.
create or replace function private.parse_staff_delivery(delivery jsonb) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    of_parcels constant text[] := '{address,city,state,zip_code,locker_location}';
    parsed public.orders;
    problems jsonb;
  begin
    if (delivery ->> 'shipping_method' = 'hand-over') is not true then
      return private.parse_delivery(delivery);
    end if;
    parsed := private.read_delivery(delivery - of_parcels);
    problems := private.delivery_problems(parsed) - of_parcels - 'shipping_method';
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    return parsed;
  end
  $$;

-- Cancels the unpaid order that the new one replaces. Lines of an order are never edited: what was sold stays recorded
-- as it was sold, and one set of rules prices both. A paid order keeps its lines, because the difference would be
-- money that was neither paid nor refunded.
-- `promo_code` is that of the new order: both codes are locked together, and find_promo() takes its lock before the order's.
create or replace function private.replace_staff_order(replaced uuid, promo_code text) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    replaced_order public.orders;
    promo public.promo_codes;
  begin
    perform private.lock_customer(o.customer_id) from public.orders o where o.id = replaced;
    promo := private.find_promo(replace_staff_order.promo_code);
    select * into replaced_order from public.orders o where o.id = replaced and o.placed_at is not null for update;
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif replaced_order.status <> 'pending_payment' or replaced_order.paid_at is not null then
      perform private.refuse(409, 'lines_are_paid', 'The lines can only be changed while the order awaits payment.');
    elsif private.has_money_waiting(replaced_order.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;
    perform private.lock_promo_codes(array[replaced_order.promo_code_id, promo.id]);
    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = replaced_order.id;
    return replaced_order;
  end
  $$;

-- The order that stands in place of a replaced one, through any number of replacements; null where it was cancelled or deleted.
create or replace function private.replacement_of(order_id uuid) returns public.orders
  language sql stable
  set search_path = ''
  as $$
    with recursive replacements as (
      select (e.detail ->> 'order_id')::uuid as id from public.order_events e
      where e.order_id = replacement_of.order_id and e.kind = 'replaced'
      union
      select (e.detail ->> 'order_id')::uuid from replacements r
      join public.order_events e on e.order_id = r.id and e.kind = 'replaced'
    )
    select o from replacements r join public.orders o on o.id = r.id
    where o.status <> 'cancelled' order by o.order_number desc limit 1
  $$;

-- When the order was placed, or the first one that it replaces: its customer may have paid that one before the lines changed.
create or replace function private.first_placed_at(ordered public.orders) returns timestamptz
  language sql stable
  set search_path = ''
  as $$
    with recursive placed as (
      select ordered.id, ordered.placed_at
      union all
      select o.id, o.placed_at from placed p
      join public.order_events e on e.order_id = p.id and e.kind = 'entered_by_hand'
      join public.orders o on o.order_number = (e.detail ->> 'replaces')::int
    )
    select min(p.placed_at) from placed p
  $$;

-- Writes the draft and its lines in one statement each: the trigger place_orders places it.
create or replace function private.insert_staff_order(draft public.orders, lines jsonb) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    placed public.orders;
  begin
    insert into public.orders (
      customer_email, customer_name, customer_phone,
      total_amount, shipping_cost, discount_amount, promo_code_id,
      shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip,
      locker_location, notes, idempotency_key)
    values (
      draft.customer_email, draft.customer_name, draft.customer_phone,
      draft.total_amount, draft.shipping_cost, draft.discount_amount, draft.promo_code_id,
      draft.shipping_method, draft.shipping_address, draft.shipping_city, draft.shipping_state, draft.shipping_zip,
      draft.locker_location, draft.notes, draft.idempotency_key)
    returning * into placed;
    insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, position)
    select placed.id, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, l.at
    from private.parse_lines(lines) l
    -- fill_order_item() locks the variants in this order.
    order by l.variant_id;
    -- The trigger of the lines has placed the order: read it again.
    select * into placed from public.orders o where o.id = placed.id;
    return placed;
  end
  $$;

-- Names the first rule that a line breaks, in alphabetical order of the words, so that the answer does not depend on
-- the order of the lines.
create or replace function private.subtotal_of(lines jsonb) returns numeric
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
      from private.parse_lines(lines) l;
    case problem
      when 'hooks_not_chosen' then
        perform private.refuse(422, 'hooks_not_chosen', 'Choose with or without hooks for each line.');
      when 'unknown_product' then
        perform private.refuse(422, 'unknown_product', 'We do not sell this lure in this colour.');
      when 'hooks_not_offered' then
        perform private.refuse(422, 'hooks_not_offered', 'This lure is not sold with hooks.');
      when 'impossible_quantity' then
        perform private.refuse(422, 'impossible_quantity', 'A line must have between 1 and 999 lures.');
      else null;
    end case;
    if subtotal is null then
      perform private.refuse(422, 'empty_order', 'An order needs at least one lure.');
    end if;
    return subtotal;
  end
  $$;
comment on function private.subtotal_of is
  'Rand for lines [{variant_id, with_hooks, quantity}] at catalogue prices. Refuses the lines that cannot be '
  'sold, and none at all (empty_order).';

-- Equal lines are added up, because an order has one line for a variant and hook choice. A variant that is not for sale
-- comes back without a name, a missing price without a price: subtotal_of() refuses them.
create or replace function private.parse_lines(lines jsonb)
  returns table (variant_id uuid, product_name text, product_variant text, price numeric, quantity int,
    with_hooks boolean, at int)
  language sql stable
  set search_path = ''
  as $$
    select v.id, p.name, v.name, case when w.with_hooks then p.price_with_hooks else p.price end,
      sum(w.quantity)::int, w.with_hooks, min(w.at)::int
    from rows from (jsonb_to_recordset(lines) as (variant_id uuid, with_hooks boolean, quantity int)) with ordinality
      as w (variant_id, with_hooks, quantity, at)
    left join public.product_variants v on v.id = w.variant_id
    left join public.products p on p.id = v.product_id and p.status = 'live'
    group by v.id, p.name, v.name, w.with_hooks, p.price_with_hooks, p.price
    order by min(w.at)
  $$;
