-- place_order() writes an order once, as it is when it is placed, instead of a draft that becomes one: a row of this table stands in
-- fifteen indexes, and an update writes all of them again, tells the live feed a second time and checks every rule a second time.
-- The order of things is that of placing a draft: the customer, orders it replaces, promo codes, the shelf, held time, then rows.

-- What an order needs of a lure, and what was set aside of it.
create type private.need as (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean);
create type private.set_aside as (variant_id uuid, quantity int, until timestamptz);
-- A line of a cart as the catalogue sells it; without a price it is not sold any more.
create type private.cart_line as (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
  variant_id uuid, image_url text, made_to_order boolean, created_at timestamptz);

create function private.priced_cart(customer uuid) returns private.cart_line[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(
      select (c.id, c.product_name, c.product_variant, c.with_hooks, c.quantity,
        case when c.with_hooks then p.price_with_hooks else p.price end,
        v.id, c.image_url, coalesce(p.made_to_order, false), c.created_at)::private.cart_line
      from public.cart_items c
      left join (public.product_variants v join public.products p on p.id = v.product_id and p.status = 'live') on v.id = c.variant_id
      where c.user_id = customer
      order by c.created_at, c.id);
  end
  $$;
comment on function private.priced_cart(uuid) is 'The lines of a cart in their order: the one place that prices them.';

create or replace function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select l.id, l.product_name, l.product_variant, l.with_hooks, l.quantity, l.price,
        l.variant_id, l.image_url, coalesce(private.available(l.variant_id, own.id), 0), l.made_to_order, l.created_at
      from unnest(private.priced_cart(customer)) l
      left join lateral (
        select o.id from public.orders o
        where o.customer_id = customer and o.status = 'pending_payment' and o.placed_at is not null and o.expires_at is not null
        limit 1
      ) as own on true;
  end
  $$;

-- The shelf. Its rows are taken in the order of their ids and before anything is asked of them.
create function private.lock_shelf(variants uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v where v.id = any (variants) order by v.id for no key update;
  end
  $$;

create function private.require_shelf(needs private.need[], besides_order uuid) returns private.need[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    short jsonb;
    there private.need[];
  begin
    select
      jsonb_agg(jsonb_build_object(
        'variant_id', n.variant_id, 'product_name', n.product_name, 'product_variant', n.product_variant,
        'wanted', n.quantity, 'available', n.available)) filter (where not n.made_to_order and n.quantity > n.available),
      -- Of a lure made to order only what lies on the shelf can be set aside; the rest will be made.
      array_agg((n.variant_id, n.product_name, n.product_variant, least(n.quantity, n.available), n.made_to_order)::private.need
        order by n.variant_id) filter (where least(n.quantity, n.available) > 0)
    into short, there
    from (
      select needed.*, coalesce(private.available(needed.variant_id, require_shelf.besides_order), 0) as available
      from unnest(needs) needed
      -- Asked once for each lure: without this it would be asked wherever it is named above.
      offset 0
    ) n;
    if short is not null then
      perform private.refuse(409, 'sold_out', 'Some lures were sold in the meantime.', short);
    end if;
    return coalesce(there, '{}');
  end
  $$;
comment on function private.require_shelf(private.need[], uuid) is 'What can be set aside, or the refusal that names what is short. The shelf is locked.';

create function private.grant_holds(customer uuid, there private.need[], until timestamptz) returns private.set_aside[]
  language plpgsql
  set search_path = ''
  as $$
  begin
    return array(
      select (n.variant_id, n.quantity, private.grant_hold(customer, n.variant_id, grant_holds.until))::private.set_aside
      from unnest(there) n);
  end
  $$;
comment on function private.grant_holds(uuid, private.need[], timestamptz) is 'For how long each lure is set aside for this customer.';

create function private.write_holds(holding uuid, granted private.set_aside[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.stock_holds (order_id, variant_id, quantity, expires_at)
    select holding, h.variant_id, h.quantity, h.until from unnest(granted) h
    on conflict on constraint held_twice do update set quantity = excluded.quantity, expires_at = excluded.expires_at;
  end
  $$;

create function private.needs_of_order(needing uuid) returns private.need[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(select n::private.need from (
      select o.variant_id, o.product_name, o.product_variant, o.quantity, o.made_to_order from private.order_needs(needing) o) n);
  end
  $$;

create or replace function private.reserve_shelf(needing uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = needing));
    perform private.require_shelf(private.needs_of_order(needing), needing);
  end
  $$;

create or replace function private.hold_stock(holding uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    customer uuid := (select o.customer_id from public.orders o where o.id = holding);
    granted private.set_aside[];
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = holding));
    granted := private.grant_holds(customer, private.require_shelf(private.needs_of_order(holding), holding), hold_stock.until);
    perform private.write_holds(holding, granted);
    return least(hold_stock.until, (select min(h.until) from unnest(granted) h));
  end
  $$;

-- Drafts of the table-by-table way, as before; what an order is when it is written as placed stays as it is.
create or replace function private.start_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
  begin
    if new.status = 'new' and new.total_amount > 0 or new.status not in ('pending_payment', 'new') then
      perform private.refuse(422, 'invalid_status', 'An order begins as awaiting payment.');
    end if;
    new.status := 'pending_payment';
    if new.promo_code_id is not null then
      new.promo_code := (select p.code from public.promo_codes p where p.id = new.promo_code_id);
    end if;
    if new.placed_at is not null then
      return new;
    end if;

    if (select count(*) from public.orders o where o.customer_id = new.customer_id and o.placed_at is null) >= 20 then
      perform private.refuse(429, 'too_many_drafts', 'Too many orders were begun. Please try again in half an hour.');
    end if;
    select * into buyer from public.profiles p where p.id = new.customer_id;
    new.customer_email := coalesce(new.customer_email, buyer.email);
    new.customer_name := coalesce(new.customer_name, case when private.is_line(buyer.full_name, 2, 100) then buyer.full_name end);
    new.customer_phone := coalesce(new.customer_phone, case when private.is_line(buyer.phone, 10, 20) then buyer.phone end);
    new.shipping_address := private.tidy(new.shipping_address);
    new.shipping_city := private.tidy(new.shipping_city);
    new.shipping_state := private.tidy(new.shipping_state);
    new.shipping_zip := private.tidy(new.shipping_zip);
    -- A draft whose lines never come is removed after this.
    new.expires_at := now() + make_interval(mins => (select r.hold_minutes from private.shop_rules r));
    return new;
  end
  $$;

-- The first lines of an order that this very transaction placed are its own; lines for any other placed order are refused by place().
create or replace function private.place_orders_of_items() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.place(touched.order_id)
    from (select distinct i.order_id from inserted i order by i.order_id) as touched
    where not exists (
      select from public.orders o
      where o.id = touched.order_id and o.placed_at = now()
        and not exists (select from public.order_items i where i.order_id = o.id and i.id not in (select n.id from inserted n)));
    return null;
  end
  $$;

-- The timeline begins with the placing, whether the row was a draft before or not.
create trigger write_placing after insert on public.orders
  for each row when (new.placed_at is not null)
  execute function private.write_order_events();

create or replace function private.replace_waiting_orders(draft public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    replaced uuid[];
  begin
    select array_agg(waiting.id) into replaced
    from (
      select o.id from public.orders o
      where o.customer_id = draft.customer_id and o.id is distinct from draft.id
        and o.status = 'pending_payment' and o.placed_at is not null
        -- Money has come for one that waits for a person: it is not the buyer's to replace.
        and o.expires_at is not null
      order by o.id for update
    ) as waiting;
    if replaced is null and draft.promo_code_id is null then
      return;
    end if;

    perform from public.promo_codes p
    where p.id = draft.promo_code_id or p.id in (select o.promo_code_id from public.orders o where o.id = any (replaced))
    order by p.id for no key update;

    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = any (replaced);
  end
  $$;

-- Its promo code is still good and its amounts are still the shop's, now that the code is locked.
create function private.require_price(draft public.orders, subtotal numeric) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    price private.price;
  begin
    if draft.promo_code_id is not null then
      select * into promo from public.promo_codes p where p.id = draft.promo_code_id;
      perform private.check_promo(promo, draft, subtotal);
    end if;
    price := private.price_for(subtotal, promo);
    if (price.shipping, price.discount, price.total) <> (draft.shipping_cost, draft.discount_amount, draft.total_amount) then
      perform private.refuse_price(price);
    end if;
    return price;
  end
  $$;

create function private.claim_promo(claiming public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.promo_redemptions (order_id, promo_code_id, customer_id, email, phone)
    values (claiming.id, claiming.promo_code_id, claiming.customer_id,
      private.normal_email(claiming.customer_email), private.normal_phone(claiming.customer_phone));
  end
  $$;

create or replace function private.place(draft_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders;
    price private.price;
    rules private.shop_rules;
    held_until timestamptz;
  begin
    select * into draft from public.orders o where o.id = draft_id for update;
    if draft.placed_at is not null then
      perform private.refuse(409, 'already_placed', 'This order is placed; its lines cannot be added to.');
    end if;
    perform private.lock_customer(draft.customer_id);
    perform private.replace_waiting_orders(draft);

    price := private.require_price(draft, (select sum(i.price * i.quantity) from public.order_items i where i.order_id = draft_id));
    if draft.promo_code_id is not null then
      perform private.claim_promo(draft);
    end if;

    select * into rules from private.shop_rules;
    held_until := private.hold_stock(draft_id, now() + make_interval(mins => rules.hold_minutes));
    update public.orders o
    set subtotal_amount = price.subtotal, placed_at = now(), hold_expires_at = held_until,
      expires_at = now() + make_interval(hours => rules.unpaid_expire_hours)
    where o.id = draft_id;
    perform private.settle_free_order(draft_id, price.total);
  end
  $$;

-- There is nothing to pay, so it is paid.
create function private.settle_free_order(placed_id uuid, total numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if total = 0 then
      update public.orders o set status = 'new', paid_at = now() where o.id = placed_id;
    end if;
  end
  $$;

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
