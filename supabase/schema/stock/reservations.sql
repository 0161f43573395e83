-- Reservations keep stock for an unpaid order until it is paid, cancelled or its reservation expires; paying takes the
-- stock, and cancelling before shipping returns it.
--
-- An order that staff create without an account reserves for days (orders/by_hand.sql).
--
-- Invariants: an order never reserves more than is available, because every reservation locks the variant first. (An
-- undecided notice extends existing ones without it. If staff lower the stock below its reservations, nothing is
-- available.) An expired reservation does not count; its row is deleted when the order ends. Made-to-order products
-- reserve what is in stock, and the rest is made. Lines with and without hooks share the stock of their variant.
-- One customer can reserve one variant for a limited time a day (reservation_limit_minutes); after that orders are
-- placed without a reservation, so that stock cannot be kept from other customers without paying.
-- Locks: the variants of an order in the order of their ids and before any stock is read that decides, then their products.

comment on table public.stock_reservations is 'Units that are reserved for orders that await payment.';
comment on column public.stock_reservations.quantity is
  'Units. Of a made-to-order product only those that were in stock.';
comment on column public.stock_reservations.expires_at is
  'From then on the reservation does not count, although the row still exists.';
comment on column public.stock_reservations.order_id is 'The unpaid order that the units are reserved for.';

-- Not granted: insert, update, delete. Rows come from placing an order and from trying to pay again.
grant select on public.stock_reservations to authenticated, service_role;

create policy select_as_admin on public.stock_reservations for select to authenticated
  using ((select private.is_admin()));

-- Not granted: private tables are reached through definer functions only.
comment on table private.reservation_time is
  'How long orders of a customer have reserved a variant, for the limit of a day.';
comment on column private.reservation_time.counted_from is
  'Start of the day that is counted. A day lasts unpaid_expire_hours; the next reservation after it starts anew.';
comment on column private.reservation_time.used is 'Time of the reservations before the newest one.';
comment on column private.reservation_time.reserved_from is 'Start of the newest reservation.';
comment on column private.reservation_time.reserved_to is
  'End of the newest reservation, at most where the limit is reached.';

-- Not granted: private tables are reached through definer functions only.
comment on table private.units_to_make is
  'Units of a variant that were not in stock when an order took its stock, so that they are made. Kept when the order is cancelled.';

-- PostgreSQL inlines this function into the queries that read from it, unlike available_stock().
create or replace function private.stock_of(variant_id uuid, besides_order uuid) returns table (available int)
  language sql stable
  begin atomic
    select greatest(0, v.stock_quantity - coalesce((
      select sum(h.quantity) from public.stock_reservations h
      where h.variant_id = v.id and h.expires_at > now() and h.order_id is distinct from stock_of.besides_order
    ), 0))::int
    from public.product_variants v where v.id = stock_of.variant_id;
  end;

create or replace function private.available_stock(variant_id uuid, besides_order uuid default null) returns int
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return (select s.available from private.stock_of(available_stock.variant_id, available_stock.besides_order) s);
  end
  $$;
comment on function private.available_stock is
  'Units of a variant that can be sold now: stock less unexpired reservations, at least 0; null for an unknown '
  'variant. Reservations of besides_order do not count.';

-- Security definer: visitors may know the sum of the reservations of a variant, and not the rows.
create or replace function private.reserved_quantity(variant_id uuid) returns int
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return coalesce((
      select sum(h.quantity) from public.stock_reservations h
      where h.variant_id = reserved_quantity.variant_id and h.expires_at > now()), 0);
  end
  $$;
comment on function private.reserved_quantity is
  'Units of a variant that are reserved now. For everyone: product_availability calls it.';
grant execute on function private.reserved_quantity to anon, authenticated, service_role;

-- What a customer's unpaid order keeps from the stock that everyone sees, as quote_cart() counts it: less than its reservations if staff
-- have lowered the stock below them. An order without expiry has money that waits for a decision, and placing does not replace it.
-- Security definer: customers cannot read reservations. It checks the second factor first, as quote_cart() does.
create or replace function public.own_reservations() returns table (variant_id uuid, quantity int)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    return query
      select h.variant_id, own.available - everyone.available
      from public.orders o
      join public.stock_reservations h on h.order_id = o.id
      cross join lateral private.stock_of(h.variant_id, o.id) own
      cross join lateral private.stock_of(h.variant_id, null) everyone
      where private.unpaid_by(o) = (select auth.uid()) and o.expires_at is not null and h.expires_at > now();
  end
  $$;
comment on function public.own_reservations is
  'Units by variant that the caller can buy besides those in product_availability, because the caller''s own unpaid order '
  'reserves them. For signed-in customers. Refuses not_signed_in.';
grant execute on function public.own_reservations to authenticated;

-- Trying to pay again renews the reservation and extends the life of the order by a day, and with it its promo code use.
-- It ends at three lifetimes of an unpaid order after placing: then the customer has to order again, at the prices and
-- under the conditions of that day. An order whose money was refunded later than that can be paid until it expires, because
-- the order page and the reminder say so (release_order_of_notice).
-- An order without expiry has money that waits for a decision. Its reservation is renewed without that end.
create or replace function private.renew_reservation(order_id uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    unpaid public.orders;
    renewable_until timestamptz;
    reserved_to timestamptz;
    refusal text;
  begin
    select * into rules from private.shop_rules;
    select * into unpaid from public.orders o where o.id = renew_reservation.order_id for update;
    renewable_until := unpaid.placed_at + 3 * make_interval(hours => rules.unpaid_expire_hours);
    if unpaid.placed_at is null or unpaid.status <> 'pending_payment'
      or (unpaid.expires_at is not null and greatest(unpaid.expires_at, renewable_until) <= now()) then
      return 'not_waiting';
    end if;

    begin
      reserved_to := private.reserve_stock(unpaid.id, now() + make_interval(mins => rules.reservation_minutes));
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        return 'sold_out';
    end;
    update public.orders o
    set reserved_until = reserved_to,
      expires_at = case when o.expires_at is not null
        then greatest(o.expires_at, least(now() + make_interval(hours => rules.unpaid_expire_hours), renewable_until)) end
    where o.id = unpaid.id;
    return 'held';
  end
  $$;
comment on function private.renew_reservation is
  'Renews the reservation of an unpaid order: held (for as long as the customer''s limit allows), sold_out, or '
  'not_waiting (paid, cancelled, a draft, or at its end). Checks no rights: its callers do.';

-- Reserves what an order still needs. The caller has locked the order, so that its lines and movements stay.
create or replace function private.reserve_stock(for_order uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    reserving public.orders;
  begin
    select * into reserving from public.orders o where o.id = for_order;
    return private.reserve(reserving, private.reservation_requests(for_order), until);
  end
  $$;
comment on function private.reserve_stock is
  'Reserves the stock of an order, up to until or as long as its customer''s limit allows; returns the earliest '
  'end. Refuses sold_out.';

-- The one place that reserves. Locks the variants before it reads any stock.
create or replace function private.reserve(
    for_order public.orders, requests private.reservation_request[], until timestamptz)
  returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_variant_rows(array(select n.variant_id from unnest(requests) n));
    return private.save_reservations(for_order, private.require_stock(requests, for_order.id), until);
  end
  $$;

-- The units that a cart needs of each variant, as reservation_requests() returns those of an order.
create or replace function private.cart_requests(lines private.cart_line[]) returns private.reservation_request[]
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return array(
      select (l.variant_id, min(l.product_name), min(l.product_variant),
        sum(l.quantity)::int, bool_or(l.made_to_order))::private.reservation_request
      from unnest(lines) l group by l.variant_id);
  end
  $$;

-- `for no key update`: inserting lines and movements that refer to a variant does not wait for these locks.
create or replace function private.lock_variant_rows(variants uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v where v.id = any (variants) order by v.id for no key update;
  end
  $$;
comment on function private.lock_variant_rows is
  'Locks variants in the order of their ids, so that two orders wait instead of deadlocking.';

-- What the lines need beyond what the order has taken already, as the array that require_stock() checks.
create or replace function private.reservation_requests(for_order uuid) returns private.reservation_request[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(select n::private.reservation_request from (
      select o.variant_id, o.product_name, o.product_variant, o.quantity, o.made_to_order
      from private.ordered_variants(for_order) o) n);
  end
  $$;

-- Movements of the order count against its lines, so that a repeated or reinstated order takes only what is missing.
create or replace function private.ordered_variants(for_order uuid)
  returns table (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select i.variant_id, min(i.product_name), min(i.product_variant),
        (sum(i.quantity - i.returned_quantity) + coalesce((
          select sum(m.quantity) from public.stock_movements m
          where m.order_id = for_order and m.variant_id = i.variant_id
        ), 0))::int,
        coalesce(bool_or(p.made_to_order), false)
      from public.order_items i
      left join public.products p on p.id = i.product_id
      where i.order_id = for_order
      group by i.variant_id;
  end
  $$;
comment on function private.ordered_variants is
  'Units of each variant that an order needs and has not taken: its lines less returned units less stock taken '
  'for it.';

create or replace function private.must_be_made(o public.orders) returns boolean
  language sql stable
  set search_path = ''
  as $$ select o.paid_at is not null and exists (select from private.ordered_variants(o.id) v where v.quantity > 0) $$;
comment on function private.must_be_made is
  'Whether a paid order needs more than the stock that was taken for it, so that some of its lures are made to order.';

-- A scalar subquery reads the stock: as a join, a plan made for few reservations would add up those of every variant.
create or replace function private.compare_stock(requests private.reservation_request[], besides_order uuid)
  returns table (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean,
    available int, is_short boolean)
  language sql stable
  begin atomic
    select n.variant_id, n.product_name, n.product_variant, n.quantity, n.made_to_order,
      n.available, not n.made_to_order and n.quantity > n.available
    from (
      select needed.*, coalesce((
        select s.available from private.stock_of(needed.variant_id, compare_stock.besides_order) s), 0) as available
      from unnest(compare_stock.requests) needed
      -- Adds the reservations up once, not once for each mention of their sum.
      offset 0
    ) n;
  end;
comment on function private.compare_stock is
  'Each request with the units available for it. is_short: there are fewer, and the product is not made to order.';

-- The sentence names no cause: the order may be short because others bought, or because the cart asked for more than
-- there ever was. The answer is final only while the caller has locked the variants.
create or replace function private.require_stock(requests private.reservation_request[], besides_order uuid)
  returns private.reservation_request[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    shortages jsonb;
    reservable private.reservation_request[];
  begin
    select
      jsonb_agg(jsonb_build_object(
        'variant_id', n.variant_id, 'product_name', n.product_name, 'product_variant', n.product_variant,
        'wanted', n.quantity, 'available', n.available
      )) filter (where n.is_short),
      -- Of a made-to-order product only what is in stock can be reserved; the rest will be made.
      array_agg(
        (n.variant_id, n.product_name, n.product_variant, least(n.quantity, n.available), n.made_to_order)
          ::private.reservation_request) filter (where least(n.quantity, n.available) > 0)
    into shortages, reservable
    from private.compare_stock(requests, require_stock.besides_order) n;
    if shortages is not null then
      perform private.refuse(409, 'sold_out', 'We no longer have enough of some lures.', shortages);
    end if;
    return coalesce(reservable, '{}');
  end
  $$;
comment on function private.require_stock is
  'The part of the requests that is in stock. Refuses sold_out with [{variant_id, product_name, product_variant, '
  'wanted, available}] when a product that is not made to order is short. Reservations of besides_order do not '
  'count.';

create or replace function private.time_used(kept private.reservation_time, day_begins timestamptz) returns interval
  language sql stable
  return case when kept.counted_from < day_begins then interval '0'
    else kept.used + (least(now(), kept.reserved_to) - kept.reserved_from) end;
comment on function private.time_used is
  'How long a customer''s orders have reserved a variant since day_begins; nothing when a new day is to be counted.';

-- Writes reservations and counts their time by customer and variant: without a limit an account could renew for ever, or
-- cancel and order again, and keep a variant from all others. When the time is used up the reservation ends at once (its
-- end is now) and the order stands without one. Orders without an account are entered by staff and are not limited.
-- The variants are locked, so two orders of a customer do not deadlock at these rows.
create or replace function private.save_reservations(
    for_order public.orders, requests private.reservation_request[], until timestamptz)
  returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    day_begins timestamptz;
    limit_ends timestamptz;
    earliest_end timestamptz;
  begin
    select * into rules from private.shop_rules;
    day_begins := now() - make_interval(hours => rules.unpaid_expire_hours);
    limit_ends := now() + make_interval(mins => rules.reservation_limit_minutes);
    with counted as (
      insert into private.reservation_time as kept (customer_id, variant_id, reserved_to)
      select for_order.customer_id, n.variant_id, greatest(now(), least(save_reservations.until, limit_ends))
      from unnest(requests) n where for_order.customer_id is not null
      on conflict on constraint reservation_time_pkey do update set
        counted_from = case when kept.counted_from < day_begins then now() else kept.counted_from end,
        used = private.time_used(kept, day_begins),
        reserved_from = now(),
        reserved_to = greatest(now(), least(save_reservations.until, limit_ends - private.time_used(kept, day_begins)))
      returning kept.variant_id, kept.reserved_to
    ), saved as (
      insert into public.stock_reservations (order_id, variant_id, quantity, expires_at)
      select for_order.id, n.variant_id, n.quantity,
        coalesce((select c.reserved_to from counted c where c.variant_id = n.variant_id), save_reservations.until)
      from unnest(requests) n
      on conflict on constraint reserved_twice do update set quantity = excluded.quantity, expires_at = excluded.expires_at
      returning expires_at
    )
    select least(save_reservations.until, min(s.expires_at)) into earliest_end from saved s;
    return earliest_end;
  end
  $$;
comment on function private.save_reservations is
  'Reserves units that are in stock for an order, up to until or as long as its customer may; returns the earliest '
  'end. Writes reservation_time too.';

-- A paid order starts the limit of its variants anew: it applies to customers who reserve and do not pay.
-- Security definer: fired by updates of staff and of payments, which cannot write this table.
create or replace function private.reset_reservation_time() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from private.reservation_time h
    where h.customer_id = new.customer_id
      and h.variant_id in (select i.variant_id from public.order_items i where i.order_id = new.id);
    return null;
  end
  $$;

create trigger then_reset_reservation_time after update of paid_at on public.orders
  for each row when (old.paid_at is null and new.paid_at is not null)
  execute function private.reset_reservation_time();

-- Deleting a variant takes it out of the lines of orders, and deleting a product deletes its variants. An unpaid order, reserved or not,
-- would then be sold out for ever when its payment arrives: a colour that is made again is another one. A paid order could not be packed
-- from its stock.
-- Security definer: the caller may delete variants and not read every order.
create or replace function private.removal_problem(variant_id uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select format('Order #%s contains %s and is not shipped yet. Hide the lure, or set its stock to 0, instead of deleting it.',
      lpad(o.order_number::text, greatest(5, length(o.order_number::text)), '0'), concat_ws(', ', i.product_name, i.product_variant))
    from public.order_items i
    join public.orders o on o.id = i.order_id
    where i.variant_id = removal_problem.variant_id
      and o.placed_at is not null and o.status in ('pending_payment', 'new', 'processing', 'pending')
    order by o.order_number limit 1
  $$;
comment on function private.removal_problem is 'Why a variant cannot be deleted, as a sentence that names an order; null if it can.';

create or replace function private.refuse_removal_of_ordered() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    problem text := private.removal_problem(old.id);
  begin
    if problem is not null then
      perform private.refuse(409, 'in_unshipped_order', problem);
    end if;
    return old;
  end
  $$;

create trigger refuse_removal_of_ordered before delete on public.product_variants
  for each row execute function private.refuse_removal_of_ordered();

-- Paying: takes what is available of the order's lines out of stock and ends its reservations. Refuses sold_out.
-- Variants are locked before products, as everywhere.
create or replace function private.take_stock(for_order uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.require_order_stock(for_order);
    perform private.lock_products(for_order);
    perform private.move_stock(
      n.variant_id, -least(n.quantity, private.available_stock(n.variant_id, for_order)), 'sold', for_order)
    from private.ordered_variants(for_order) n
    where least(n.quantity, private.available_stock(n.variant_id, for_order)) > 0;
    perform private.record_units_to_make(for_order);
    delete from public.stock_reservations h where h.order_id = for_order;
  end
  $$;

-- What an order needs and has not taken. Call it after the stock of the order has moved: it cannot be derived later, when the
-- product may no longer be made to order.
create or replace function private.record_units_to_make(for_order uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from private.units_to_make u where u.order_id = for_order;
    insert into private.units_to_make (order_id, variant_id, quantity)
    select for_order, n.variant_id, n.quantity
    from private.ordered_variants(for_order) n where n.variant_id is not null and n.quantity > 0;
  end
  $$;

-- Cancelling before shipping: returns what the order has taken. The sum of its movements decides and not its lines, so
-- that units which a refund has returned, or which were made to order, are not returned (again).
create or replace function private.return_stock(from_order uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_variant_rows(
      array(select m.variant_id from public.stock_movements m where m.order_id = from_order));
    perform private.lock_products(from_order);

    perform private.move_stock(taken.variant_id, taken.quantity, 'returned', from_order)
    from (
      select m.variant_id, -sum(m.quantity)::int as quantity
      from public.stock_movements m where m.order_id = from_order
      group by m.variant_id having sum(m.quantity) < 0
      order by m.variant_id
    ) as taken;
  end
  $$;

-- Deleting a paid order that was not shipped returns its stock. The promo code is locked first, as in placing: the
-- other way round a deletion and a checkout could wait for each other.
-- Security definer: admins delete orders without the right to write stock. The policy delete_as_admin has checked them.
create or replace function private.return_stock_of_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if old.status in ('new', 'processing', 'pending') then
      perform private.lock_promo_codes(array[old.promo_code_id]);
      perform private.return_stock(old.id);
    end if;
    return old;
  end
  $$;

create trigger return_stock_of_deleted before delete on public.orders
  for each row execute function private.return_stock_of_deleted();

create or replace function private.require_order_stock(for_order uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_variant_rows(
      array(select i.variant_id from public.order_items i where i.order_id = for_order));
    perform private.require_stock(private.reservation_requests(for_order), for_order);
  end
  $$;
comment on function private.require_order_stock is
  'Locks the variants of an order and refuses sold_out when the stock does not suffice. Reserves nothing.';

-- A movement changes the stock of its product too (trigger sum_product_stock). All variants are locked before all
-- products, each by id, so that two payments at once cannot wait for each other.
create or replace function private.lock_products(for_order uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.products p
    where p.id in (
      select v.product_id from public.product_variants v
      where v.id in (select i.variant_id from public.order_items i where i.order_id = for_order)
        or v.id in (select m.variant_id from public.stock_movements m where m.order_id = for_order)
    )
    order by p.id for no key update;
  end
  $$;

-- The reason reaches the trigger record_stock_movement through a setting, which is cleared at once: a later plain update
-- in the same transaction is then recorded as what it is, a count.
create or replace function private.move_stock(variant_id uuid, quantity int, reason text, order_id uuid default null)
  returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform set_config('shop.stock_movement', jsonb_build_object('reason', reason, 'order_id', order_id)::text, true);
    update public.product_variants v set stock_quantity = v.stock_quantity + move_stock.quantity
      where v.id = move_stock.variant_id;
    perform set_config('shop.stock_movement', '', true);
  end
  $$;
comment on function private.move_stock is
  'Adds quantity units (negative: takes them) to a variant''s stock and records the reason and the order.';

-- The end of a reservation changes what can be bought without any statement, so the page cache plans for this moment.
create or replace function private.next_reservation_end() returns timestamptz
  language sql stable
  set search_path = ''
  as $$ select min(h.expires_at) from public.stock_reservations h where h.expires_at > now() $$;
comment on function private.next_reservation_end is
  'When the next reservation expires; null when there is none. For the cache of catalogue pages.';
