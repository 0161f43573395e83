-- Placing an order: from a cart, or from a draft and its lines, to a placed order with a price and reserved stock.
--
-- place_order() writes the order, its lines and its reservations in one transaction. The client of the specification writes
-- tables directly instead: it inserts a draft into `orders` and then its lines, and the trigger place_orders places the draft
-- by the same rules. Comments call this the table-by-table way.
-- Invariants: the total is the one that the buyer saw; prices are the catalogue's at the moment of placing; a customer
-- has at most one unpaid placed order that can expire (an order whose money waits for a decision stays beside it); one
-- idempotency key makes one order; a refusal leaves nothing behind.
-- Locks: in the order of ARCHITECTURE.md. Products are locked only when stock is taken. place_order() locks variants last: buyers of one variant wait for
-- each other's reservation and commit, and not for the rows before them.
-- Refusals are listed in docs/error-codes.md. Amounts are rand.

-- The checkout. Security definer: customers have no right to write `placed_at`, reservations or redemptions. It checks
-- the user and the second factor first.
-- force_generic_plan: every query looks up rows by key, and planning them for each order costs more than running them.
-- The cart is read once: the same lines are priced, reserved and sold, even if another tab changes the cart meanwhile.
-- A second press without a new cart finds the same unpaid order and renews its reservation instead of replacing it.
create or replace function public.place_order(
    idempotency_key uuid, delivery jsonb, expected_total numeric, promo_code text default null, expected_lines jsonb default null)
  returns public.orders
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  declare
    me uuid := auth.uid();
    lines private.cart_line[];
    draft public.orders;
    placed public.orders;
    has_unpaid_order boolean;
  begin
    if me is null then
      perform private.refuse(401, 'not_signed_in', 'Please sign in to place your order.');
    elsif place_order.idempotency_key is null then
      perform private.refuse(422, 'missing_key', 'The order needs an idempotency key.');
    elsif not private.has_aal2() then
      perform private.require_aal2();
    end if;
    perform private.lock_customer(me);

    select * into placed from public.orders o
      where o.customer_id = me and o.idempotency_key = place_order.idempotency_key;
    if found then
      perform private.record_cart_reading(placed);
      return placed;
    end if;

    lines := private.priced_cart(me);
    draft := private.build_order(me, lines, private.parse_delivery(place_order.delivery), place_order.promo_code);
    perform private.require_total(draft, place_order.expected_total);
    perform private.require_lines(lines, place_order.expected_lines);
    perform private.require_payable(draft.total_amount);
    draft.idempotency_key := place_order.idempotency_key;

    -- The customer is locked, so the answer stays true until the transaction ends. Most have none and skip the locks.
    has_unpaid_order := exists (
      select from public.orders o
      where private.unpaid_by(o) = me);
    if has_unpaid_order then
      placed := private.find_same_unpaid_order(draft, lines);
      if placed.id is not null and private.renew_reservation(placed.id) = 'held' then
        perform private.record_cart_reading(placed);
        select * into placed from public.orders o where o.id = placed.id;
        return placed;
      end if;
    end if;
    if has_unpaid_order or draft.promo_code_id is not null then
      perform private.replace_unpaid_orders(draft);
    end if;
    return private.insert_order(draft, lines);
  end
  $$;
comment on function public.place_order is
  'Places the caller''s cart as an order and returns it; a repeated idempotency key returns the order it made. '
  'delivery: full_name, email, phone, address, city, state, zip_code, shipping_method, locker_location, notes. '
  'expected_total: the total in rand that the buyer saw. expected_lines: the lines that the buyer saw, '
  '[{product_name, product_variant, with_hooks, quantity}] in any order; without it the total alone is compared. '
  'For signed-in customers. Refuses: not_signed_in, '
  'missing_key, invalid_delivery, empty_cart, not_launched, unavailable, unknown_product, hooks_not_offered, promo_invalid, '
  'too_many_codes, price_changed, cart_changed, amount_too_small, sold_out.';
grant execute on function public.place_order to authenticated;

-- Not granted: private tables are reached through definer functions only.
comment on table private.cart_readings is
  'When an unpaid order was last placed again from the customer''s cart. Without a row, the cart was read when the order was placed.';
comment on column private.cart_readings.read_at is 'Lines that are in the cart since then, or longer, are bought when the order is paid.';

-- The lines of the cart may have been taken out and put back since the order was placed, so that they are younger than it.
create or replace function private.record_cart_reading(unpaid public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into private.cart_readings as r (order_id)
    select unpaid.id where unpaid.status = 'pending_payment'
    on conflict on constraint cart_readings_pkey do update set read_at = now();
  end
  $$;
comment on function private.record_cart_reading is
  'Remembers that an unpaid order was placed again from its customer''s cart now. Does nothing for other orders.';

-- The order that the cart, the delivery and the promo code make, priced but not written. `lines` is the cart as the
-- caller has read it; the cart is read again only to name the lines of a refusal.
create or replace function private.build_order(
    customer uuid, lines private.cart_line[], delivery public.orders, code text)
  returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders := delivery;
    cart_subtotal numeric;
    is_gone boolean;
  begin
    select sum(l.price * l.quantity), bool_or(l.price is null) into cart_subtotal, is_gone from unnest(lines) l;
    if is_gone then
      perform private.refuse_before_launch(l.product_name) from unnest(lines) l where l.price is null;
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.',
        (select jsonb_agg(to_jsonb(l)) from private.cart_lines(customer) l where l.price is null));
    elsif cart_subtotal is null then
      perform private.refuse(422, 'empty_cart', 'Your cart is empty');
    end if;

    draft.customer_id := customer;
    return private.add_price(draft, cart_subtotal, code);
  end
  $$;

-- The delivery part of an order from the checkout form's fields, normalised. Admins' orders use it too.
create or replace function private.parse_delivery(delivery jsonb) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    parsed public.orders := private.read_delivery(delivery);
    problems jsonb := private.delivery_problems(parsed);
  begin
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    return parsed;
  end
  $$;
comment on function private.parse_delivery is
  'Delivery columns of an order from the checkout form. Refuses invalid_delivery with {field: sentence}.';

create or replace function private.read_delivery(delivery jsonb) returns public.orders
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    parsed public.orders;
  begin
    parsed.customer_email := lower(btrim(delivery ->> 'email'));
    parsed.customer_name := private.normalise_line(delivery ->> 'full_name');
    parsed.customer_phone := private.normalise_line(delivery ->> 'phone');
    parsed.shipping_method := delivery ->> 'shipping_method';
    parsed.shipping_address := private.normalise_line(delivery ->> 'address');
    parsed.shipping_city := private.normalise_line(delivery ->> 'city');
    parsed.shipping_state := private.normalise_line(delivery ->> 'state');
    parsed.shipping_zip := private.normalise_line(delivery ->> 'zip_code');
    parsed.locker_location := case when parsed.shipping_method = 'locker' then
      private.normalise_line(delivery ->> 'locker_location') end;
    parsed.notes := nullif(btrim(delivery ->> 'notes'), '');
    return parsed;
  end
  $$;
comment on function private.read_delivery is
  'Delivery columns of an order from the checkout form, normalised and not checked.';

-- The sentences are those of the specification. domain/ shows the same ones in the browser before the form is sent.
-- A single expression without queries, so that it costs no plan.
create or replace function private.delivery_problems(delivery public.orders) returns jsonb
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return jsonb_strip_nulls(jsonb_build_object(
      'full_name', private.text_problem(delivery.customer_name, 2, 100,
        'Name must be at least 2 characters', 'Name is too long'),
      'phone', private.text_problem(delivery.customer_phone, 10, 20,
        'Phone number must be at least 10 digits', 'Phone number is too long'),
      'address', private.text_problem(delivery.shipping_address, 5, 200,
        'Address must be at least 5 characters', 'Address is too long'),
      'city', private.text_problem(delivery.shipping_city, 2, 50,
        'City must be at least 2 characters', 'City is too long'),
      'state', private.text_problem(delivery.shipping_state, 2, 50,
        'State/Province must be at least 2 characters', 'State/Province is too long'),
      'zip_code', private.text_problem(delivery.shipping_zip, 4, 10,
        'Postal code must be at least 4 characters', 'Postal code is too long'),
      'locker_location', case when delivery.shipping_method = 'locker' then
        private.text_problem(delivery.locker_location, 1, 200,
          'Please specify your nearest locker location', 'Locker location is too long') end,
      'email', case when private.is_email(delivery.customer_email) is not true then 'Invalid email address' end,
      'shipping_method', case when (delivery.shipping_method in ('locker', 'door-to-door')) is not true then
        'Please select a shipping method' end,
      'notes', case when length(delivery.notes) > 500 then 'Notes must be less than 500 characters' end));
  end
  $$;
comment on function private.delivery_problems is
  '{field of the checkout form: sentence} for each wrong column of a normalised delivery; {} when it is valid.';

-- PostgreSQL inlines `return`, so that the six calls of an order cost no function call.
create or replace function private.text_problem(value text, at_least int, at_most int, too_short text, too_long text)
  returns text
  language sql immutable
  return case
    when length(coalesce(value, '')) < at_least then too_short
    when length(value) > at_most then too_long
  end;
comment on function private.text_problem is
  'too_short or too_long when the text has fewer than at_least or more than at_most characters; else null. Null '
  'counts as empty.';

-- The buyer pays what the page showed: an order whose price changed in between is refused with the new amounts.
create or replace function private.require_total(draft public.orders, expected_total numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if draft.total_amount is distinct from expected_total then
      perform private.refuse_price(
        (draft.subtotal_amount, draft.shipping_cost, draft.discount_amount, draft.total_amount)::private.price);
    end if;
  end
  $$;

-- The buyer gets what the page showed: all colours of a lure cost the same, so a colour that was swapped on another device leaves
-- the total as it was. A page of an older release sends no lines.
create or replace function private.require_lines(lines private.cart_line[], expected_lines jsonb) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if expected_lines is not null
      and (select array_agg((l.product_name, l.product_variant, l.with_hooks, l.quantity)::text
            order by l.product_name, l.product_variant, l.with_hooks) from unnest(lines) l)
        is distinct from
        (select array_agg((e.product_name, e.product_variant, e.with_hooks, e.quantity)::text
            order by e.product_name, e.product_variant, e.with_hooks)
          from jsonb_to_recordset(expected_lines) as e (product_name text, product_variant text, with_hooks boolean, quantity int))
    then
      perform private.refuse(409, 'cart_changed', 'Your cart was changed in another tab or on another device. Please check it and order again.');
    end if;
  end
  $$;

-- PayFast takes no live payment below R5.00, so that such an order would reserve stock and use up its promo code, and never be paid.
-- Only in live mode are refunds made through PayFast.
create or replace function private.require_payable(total numeric) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if total > 0 and total < 5 and private.refund_way() = 'payfast' then
      perform private.refuse(422, 'amount_too_small',
        'PayFast''s minimum payment is R5.00. Please add a lure or remove the promo code.');
    end if;
  end
  $$;

-- Everything a buyer can see of the two orders is compared, lines included. An equal order is returned again, so that
-- a reload or a second tab makes neither a second order nor a second reservation.
create or replace function private.find_same_unpaid_order(draft public.orders, lines private.cart_line[])
  returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    same public.orders;
  begin
    select o.* into same
    from public.orders o
    where private.unpaid_by(o) = draft.customer_id
      and (o.total_amount, o.shipping_cost, o.discount_amount, o.promo_code_id,
          o.customer_email, o.customer_name, o.customer_phone,
          o.shipping_method, o.shipping_address, o.shipping_city, o.shipping_state, o.shipping_zip,
          o.locker_location, o.notes)
        is not distinct from
        (draft.total_amount, draft.shipping_cost, draft.discount_amount, draft.promo_code_id,
          draft.customer_email, draft.customer_name, draft.customer_phone,
          draft.shipping_method, draft.shipping_address, draft.shipping_city,
          draft.shipping_state, draft.shipping_zip,
          draft.locker_location, draft.notes)
      and (select array_agg((i.variant_id, i.with_hooks, i.quantity, i.price)::text order by i.variant_id, i.with_hooks)
          from public.order_items i where i.order_id = o.id)
        = (select array_agg((l.variant_id, l.with_hooks, l.quantity, l.price)::text order by l.variant_id, l.with_hooks)
          from unnest(lines) l)
    limit 1;
    return same;
  end
  $$;

-- One unpaid order that can expire for each customer: a new one cancels the older one, or a customer could reserve stock many
-- times.
-- Orders are locked before promo codes and codes in the order of their ids, before any use is released or redeemed.
create or replace function private.replace_unpaid_orders(draft public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    replaced uuid[];
  begin
    select array_agg(unpaid.id) into replaced
    from (
      select o.id from public.orders o
      where private.unpaid_by(o) = draft.customer_id and o.id is distinct from draft.id
        -- Without expiry, money for the order waits for a decision; the buyer must not cancel it by ordering again.
        and o.expires_at is not null
      order by o.id for update
    ) as unpaid;
    if replaced is null and draft.promo_code_id is null then
      return;
    end if;

    perform private.lock_promo_codes(
      draft.promo_code_id || array(select o.promo_code_id from public.orders o where o.id = any (replaced)));

    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = any (replaced);
  end
  $$;

-- Writes a priced order, its lines and its reservations. Requires the locks of place_order().
-- The stock is compared twice: first without a lock, so that a sold-out order is refused without waiting or writing, and in
-- the end by reserve(), which decides.
create or replace function private.insert_order(draft public.orders, lines private.cart_line[]) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    requests private.reservation_request[] := private.cart_requests(lines);
    reserved_to timestamptz;
    placed public.orders;
  begin
    -- build_order() has just priced the draft; only its promo code may have been used up before it was locked.
    if draft.promo_code_id is not null then
      perform private.require_price(draft, draft.subtotal_amount);
    end if;
    if exists (select from private.compare_stock(requests, null) n where n.is_short) then
      perform private.require_stock(requests, null);
    end if;

    insert into public.orders (
      customer_id, customer_email, customer_name, customer_phone,
      subtotal_amount, total_amount, shipping_cost, discount_amount, promo_code_id,
      shipping_method, shipping_address, shipping_city, shipping_state, shipping_zip,
      locker_location, notes, idempotency_key, placed_at, reserved_until, expires_at)
    select
      draft.customer_id, draft.customer_email, draft.customer_name, draft.customer_phone,
      draft.subtotal_amount, draft.total_amount, draft.shipping_cost, draft.discount_amount, draft.promo_code_id,
      draft.shipping_method, draft.shipping_address, draft.shipping_city, draft.shipping_state, draft.shipping_zip,
      draft.locker_location, draft.notes, draft.idempotency_key, now(),
      now() + make_interval(mins => rules.reservation_minutes),
      now() + make_interval(hours => rules.unpaid_expire_hours)
    from private.shop_rules rules
    returning * into placed;
    perform private.insert_order_items(placed.id, lines);
    if placed.promo_code_id is not null then
      perform private.redeem_promo(placed);
    end if;

    reserved_to := private.reserve(placed, requests, placed.reserved_until);
    perform private.require_lines_for_sale(lines);
    if reserved_to < placed.reserved_until then
      update public.orders o set reserved_until = reserved_to where o.id = placed.id returning * into placed;
    end if;
    if placed.total_amount = 0 then
      perform private.settle_free_order(placed.id, placed.total_amount);
      select * into placed from public.orders o where o.id = placed.id;
    end if;
    return placed;
  end
  $$;

-- The foreign keys of a line lock its product and then its variant against deletion. So the variants are locked first, in the
-- order of their ids, as everywhere.
create or replace function private.keep_variants(variants uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v where v.id = any (variants) order by v.id for key share;
  end
  $$;
comment on function private.keep_variants is
  'Locks variants against deletion and renaming, in the order of their ids, before lines refer to them.';

-- Locks the variants as keep_variants() does. The setting tells the trigger place_orders that these lines need no placing; an
-- assignment sets it without a query.
create or replace function private.insert_order_items(for_order uuid, lines private.cart_line[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_placed text := set_config('shop.order_is_placed', 'yes', true);
  begin
    insert into public.order_items (
      order_id, product_name, product_variant, price, quantity, with_hooks, position, product_id, variant_id, image_url)
    select for_order, l.product_name, l.product_variant, l.price, l.quantity, l.with_hooks, l.ordinality,
      p.id, v.id, coalesce(nullif(v.image_url, ''), p.image_url)
    from unnest(lines) with ordinality l
    join public.product_variants v on v.id = l.variant_id
    join public.products p on p.id = v.product_id
    order by v.id for key share of v;
    is_placed := set_config('shop.order_is_placed', '', true);
  end
  $$;

-- Called while the variants are locked: a product that was hidden, renamed or repriced since the cart was read leaves fewer
-- lines for sale than were ordered, and the order is refused with the reason of the line.
create or replace function private.require_lines_for_sale(lines private.cart_line[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    for_sale int := (
      select count(*) from unnest(lines) l
      join public.product_variants v on v.id = l.variant_id and v.name = l.product_variant
      join public.products p on p.id = v.product_id and p.name = l.product_name and p.status = 'live'
        and case when l.with_hooks then p.price_with_hooks else p.price end = l.price);
  begin
    if for_sale < cardinality(lines) then
      perform private.match_variant(l.product_name, l.product_variant, l.with_hooks, l.price) from unnest(lines) l;
      perform private.refuse(409, 'unavailable', 'A lure in your cart is no longer sold. Please remove it.');
    end if;
  end
  $$;

-- An order with a total of zero needs no payment: it is paid as soon as it is placed.
create or replace function private.settle_free_order(placed_id uuid, total numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if total = 0 then
      update public.orders o set status = 'new', paid_at = now() where o.id = placed_id;
    end if;
  end
  $$;
comment on function private.settle_free_order is 'Makes a placed order paid when its total (rand) is zero.';

-- Serialises the checkouts of one customer across tabs and processes. Without it two of them would both see no unpaid
-- order and leave two. Does nothing for null (orders without an account).
create or replace function private.lock_customer(customer uuid) returns void
  language plpgsql
  set search_path = ''
  as $$ begin perform pg_advisory_xact_lock(hashtextextended('orders of ' || customer, 0)); end $$;
comment on function private.lock_customer is 'Advisory transaction lock on a customer''s orders. Null locks nothing.';

-- A draft of the table-by-table way gets its customer's contact data and a time after which it is deleted.
-- An order that place_order() writes has these already and only gets the text of its promo code.
-- Security definer: reads profiles, promo codes and rules that customers cannot read. Callers are limited by grants.
-- Refuses invalid_status and too_many_drafts: 20 drafts of a customer, or an account could fill the table.
create or replace function private.start_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
  begin
    if new.status = 'new' and new.total_amount > 0 or new.status not in ('pending_payment', 'new') then
      perform private.refuse(422, 'invalid_status', 'A new order must have the status pending_payment.');
    end if;
    new.status := 'pending_payment';
    if new.promo_code_id is not null then
      new.promo_code := (select p.code from public.promo_codes p where p.id = new.promo_code_id);
    end if;
    if new.placed_at is not null then
      return new;
    end if;

    if (select count(*) from public.orders o where o.customer_id = new.customer_id and o.placed_at is null) >= 20 then
      perform private.refuse(429, 'too_many_drafts', 'You have started too many orders. Please try again in half an hour.');
    end if;
    select * into buyer from public.profiles p where p.id = new.customer_id;
    new.customer_email := coalesce(new.customer_email, buyer.email);
    new.customer_name := coalesce(new.customer_name,
      case when private.is_line(buyer.full_name, 2, 100) then buyer.full_name end);
    new.customer_phone := coalesce(new.customer_phone,
      case when private.is_line(buyer.phone, 10, 20) then buyer.phone end);
    new.shipping_address := private.normalise_line(new.shipping_address);
    new.shipping_city := private.normalise_line(new.shipping_city);
    new.shipping_state := private.normalise_line(new.shipping_state);
    new.shipping_zip := private.normalise_line(new.shipping_zip);
    -- expire_orders() deletes a draft whose lines have not come by then.
    new.expires_at := now() + make_interval(mins => (select r.reservation_minutes from private.shop_rules r));
    return new;
  end
  $$;

create trigger start_order before insert on public.orders
  for each row when (new.placed_at is null or new.promo_code_id is not null or new.status <> 'pending_payment')
  execute function private.start_order();

-- Lines inserted into a draft place it; lines for a placed order are refused by place_draft(). insert_order_items() writes the
-- lines of an order that place_order() has placed.
-- Security definer: placing writes what its caller may not. The insert policy of order_items has checked the caller.
create or replace function private.place_drafts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.place_draft(touched.order_id)
    from (select distinct i.order_id from inserted i order by i.order_id) as touched;
    return null;
  end
  $$;

create trigger place_orders after insert on public.order_items
  referencing new table as inserted
  for each statement when (current_setting('shop.order_is_placed', true) is distinct from 'yes')
  execute function private.place_drafts();

-- Locks the draft before the customer; place_order() never locks drafts, so the two cannot deadlock.
create or replace function private.place_draft(draft_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders;
    price private.price;
    rules private.shop_rules;
    reserved_to timestamptz;
  begin
    select * into draft from public.orders o where o.id = draft_id for update;
    if draft.placed_at is not null then
      perform private.refuse(409, 'already_placed', 'This order is already placed, so lines cannot be added.');
    -- The insert policy saw the draft before the lock: its customer may have cancelled it since. Nothing would ever release the use of
    -- its promo code and its reservations.
    elsif draft.status <> 'pending_payment' then
      perform private.refuse(409, 'order_cancelled', 'This order is cancelled. Please start a new one.');
    end if;
    perform private.lock_customer(draft.customer_id);
    perform private.replace_unpaid_orders(draft);

    price := private.require_price(draft,
      (select sum(i.price * i.quantity) from public.order_items i where i.order_id = draft_id));
    -- Staff may take cash for an order of any amount; theirs gets its account later.
    if draft.customer_id is not null then
      perform private.require_payable(price.total);
    end if;
    if draft.promo_code_id is not null then
      perform private.redeem_promo(draft);
    end if;

    select * into rules from private.shop_rules;
    reserved_to := private.reserve_stock(draft_id, now() + make_interval(mins => rules.reservation_minutes));
    update public.orders o
    set subtotal_amount = price.subtotal, placed_at = now(), reserved_until = reserved_to,
      expires_at = now() + make_interval(hours => rules.unpaid_expire_hours)
    where o.id = draft_id;
    perform private.settle_free_order(draft_id, price.total);
  end
  $$;
comment on function private.place_draft is
  'Places a draft whose lines are in: prices them, redeems its promo code, reserves stock. Refuses '
  'already_placed, order_cancelled, price_changed, amount_too_small, promo_invalid, sold_out.';

-- A line names product and variant in words. The catalogue fills in ids and picture, and refuses a wrong price.
-- Security definer: customers cannot read every column that match_variant() needs.
create or replace function private.fill_order_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    matched private.matched_variant := private.match_variant(
      new.product_name, new.product_variant, new.with_hooks, new.price);
  begin
    if new.with_hooks is null then
      perform private.refuse(422, 'hooks_not_chosen', 'Choose with or without hooks for each line.');
    end if;
    new.product_id := matched.product_id;
    new.variant_id := matched.variant_id;
    new.image_url := matched.image_url;
    perform private.keep_variants(array[matched.variant_id]);
    return new;
  end
  $$;

create trigger fill_order_item before insert on public.order_items
  for each row when (new.variant_id is null)
  execute function private.fill_order_item();

-- Lockers are an option of the shop. Admins may use one anyway for the orders they enter. Security definer: the
-- setting is not readable for customers.
create or replace function private.refuse_method_not_offered() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.shipping_method = 'locker' and auth.uid() is not null
      and not (private.shipping_terms()).offers_locker and not private.is_admin() then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields',
        '{"shipping_method": "Lockers are not offered at the moment. Please choose door-to-door."}');
    end if;
    return new;
  end
  $$;

create trigger refuse_method_not_offered before insert on public.orders
  for each row when (new.shipping_method = 'locker')
  execute function private.refuse_method_not_offered();

-- Drafts only: refuses with the error of require_aal2() what the restrictive policy would refuse without a reason.
-- place_order() checks for itself. Security definer: reads the caller's session.
create or replace function private.require_aal2_for_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and not private.has_aal2() then
      perform private.require_aal2();
    end if;
    return new;
  end
  $$;

create trigger require_aal2_for_order before insert on public.orders
  for each row when (new.placed_at is null)
  execute function private.require_aal2_for_order();
