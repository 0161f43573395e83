-- Orders that are handed over in person, at an expo or in the workshop: no parcel, so no address, no locker, no courier and no
-- shipping fee. Only an order that an admin enters can be one; the checkout goes on offering locker and door-to-door.
alter table public.orders
  drop constraint unknown_shipping_method,
  add constraint unknown_shipping_method check (shipping_method in ('locker', 'door-to-door', 'hand-over')),
  alter column shipping_address drop not null,
  alter column shipping_city drop not null,
  alter column shipping_state drop not null,
  alter column shipping_zip drop not null,
  add constraint address_unless_handed_over check (
    case when shipping_method = 'hand-over'
      then num_nonnulls(shipping_address, shipping_city, shipping_state, shipping_zip, locker_location, courier_company_id) = 0
        and coalesce(tracking_number, '') = '' and shipping_cost = 0 and status <> 'shipped'
      else num_nulls(shipping_address, shipping_city, shipping_state, shipping_zip) = 0 end);
comment on column public.orders.shipping_method is 'locker and door-to-door from the checkout; hand-over, without an address, from staff.';

-- Customers can write the method when they order table by table, so this trigger refuses it to them.
create function private.refuse_hand_over() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and not private.is_admin() then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields',
        '{"shipping_method": "Please select a shipping method"}');
    end if;
    return new;
  end
  $$;
create trigger refuse_hand_over before insert on public.orders
  for each row when (new.shipping_method = 'hand-over')
  execute function private.refuse_hand_over();

-- Refuses with a sentence before the constraint does, so that bulk changes skip the order and name the reason.
create function private.refuse_shipping_of_hand_over() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.refuse(409, 'handed_over', 'This order is handed over in person, so it cannot be shipped.');
  end
  $$;
create trigger refuse_shipping_of_hand_over before update of status, tracking_number, courier_company_id on public.orders
  for each row when (new.shipping_method = 'hand-over'
    and (new.status = 'shipped' or coalesce(new.tracking_number, '') <> '' or new.courier_company_id is not null))
  execute function private.refuse_shipping_of_hand_over();

-- Name, e-mail, phone and notes are held to the same rules as at the checkout.
create function private.order_by_hand_to(delivery jsonb) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    wanted public.orders;
    problems jsonb;
  begin
    if (delivery ->> 'shipping_method' = 'hand-over') is not true then
      return private.order_to(delivery);
    end if;
    problems := private.delivery_problems(delivery) - array['address', 'city', 'state', 'zip_code', 'locker_location', 'shipping_method'];
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    wanted.customer_email := lower(btrim(delivery ->> 'email'));
    wanted.customer_name := private.tidy(delivery ->> 'full_name');
    wanted.customer_phone := private.tidy(delivery ->> 'phone');
    wanted.shipping_method := 'hand-over';
    wanted.notes := nullif(btrim(delivery ->> 'notes'), '');
    return wanted;
  end
  $$;

create function private.price_of(wanted public.orders, subtotal numeric, promo public.promo_codes) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    price private.price := private.price_for(subtotal, promo);
  begin
    if wanted.shipping_method = 'hand-over' then
      price.shipping := 0;
      price.total := greatest(0, price.subtotal - price.discount);
    end if;
    return price;
  end
  $$;
comment on function private.price_of(public.orders, numeric, public.promo_codes) is
  'What an order costs: price_for(), without shipping where nothing is shipped.';

create or replace function private.with_price(wanted public.orders, subtotal numeric, code text) returns public.orders
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
    price := private.price_of(wanted, subtotal, promo);
    wanted.promo_code_id := promo.id;
    wanted.subtotal_amount := price.subtotal;
    wanted.shipping_cost := price.shipping;
    wanted.discount_amount := price.discount;
    wanted.total_amount := price.total;
    return wanted;
  end
  $$;

create or replace function private.require_price(draft public.orders, subtotal numeric) returns private.price
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
    price := private.price_of(draft, subtotal, promo);
    if (price.shipping, price.discount, price.total) <> (draft.shipping_cost, draft.discount_amount, draft.total_amount) then
      perform private.refuse_price(price);
    end if;
    return price;
  end
  $$;

drop function public.quote_order_by_hand(jsonb, text);
create function public.quote_order_by_hand(lines jsonb, promo_code text default null, shipping_method text default null) returns jsonb
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    wanted public.orders;
  begin
    perform private.require_admin();
    wanted.shipping_method := quote_order_by_hand.shipping_method;
    wanted := private.with_price(wanted, private.subtotal_of(lines), quote_order_by_hand.promo_code);
    return jsonb_build_object('subtotal', wanted.subtotal_amount, 'shipping', wanted.shipping_cost,
      'discount', wanted.discount_amount, 'total', wanted.total_amount);
  end
  $$;
grant execute on function public.quote_order_by_hand(jsonb, text, text) to authenticated;
comment on function public.quote_order_by_hand(jsonb, text, text) is
  'What the lines of an order entered by staff cost: [{variant_id, with_hooks, quantity}]; nothing for shipping if it is handed over.';

-- Two changes inside place_order_by_hand(), whose other rules stay as their newest definition has them: the delivery may be a hand-over, and
-- an order that has been handed over already is delivered at once.
do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.place_order_by_hand(uuid,jsonb)'::regprocedure);
  delivery_before text := $sql$draft := private.order_to(wanted -> 'delivery');$sql$;
  delivery_after text := $sql$draft := private.order_by_hand_to(wanted -> 'delivery');$sql$;
  payment_before text := $sql$
      perform private.take_payment_by_hand(placed.id, wanted ->> 'paid_by', wanted ->> 'reference');
    end if;$sql$;
  payment_after text := $sql$
    if draft.shipping_method = 'hand-over' and (wanted ->> 'handed_over')::boolean then
      update public.orders o set status = 'delivered' where o.id = placed.id;
    end if;$sql$;
begin
  if position(delivery_before in definition) = 0 or position(payment_before in definition) = 0 then
    raise exception 'place_order_by_hand() reads its delivery or takes its payment in another way';
  end if;
  definition := replace(definition, delivery_before, delivery_after);
  execute replace(definition, payment_before, payment_before || payment_after);
end
$$;
comment on function public.place_order_by_hand(uuid, jsonb) is
  'An order entered by an admin. wanted: delivery as for place_order or {shipping_method: hand-over, full_name, email, phone}, lines '
  '[{variant_id, with_hooks, quantity}], expected_total, and if so promo_code, paid_by (eft, cash) with reference, replaces (an unpaid '
  'order), handed_over (true: a paid hand-over is delivered at once).';

-- What was handed over already needs no mail about an order that is on its way: the mail about the hand-over has everything.
create or replace function private.mail_new_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select from public.orders o where o.id = new.id and o.shipping_method = 'hand-over' and o.status = 'delivered'
    ) then
      perform private.queue_order_mails(new.id);
    end if;
    return null;
  end
  $$;

-- Name and phone of a hand-over can be corrected; its method cannot change, because a delivery would cost something.
create or replace function public.change_delivery(order_id uuid, was jsonb, delivery jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    before jsonb;
    wanted public.orders;
    problems jsonb;
  begin
    perform private.require_staff();
    select * into changed from public.orders o where o.id = change_delivery.order_id and o.placed_at is not null for update;
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif changed.status in ('shipped', 'delivered', 'cancelled') then
      perform private.refuse(409, 'order_has_left', 'The address can only be changed until the order is shipped.');
    end if;
    before := private.delivery_of(changed);
    if before <> before || change_delivery.was then
      perform private.refuse(409, 'delivery_changed', 'Somebody else has changed this address in the meantime.', before);
    end if;

    wanted := jsonb_populate_record(changed, change_delivery.delivery);
    problems := private.delivery_problems(jsonb_build_object(
      'full_name', wanted.customer_name, 'phone', wanted.customer_phone,
      'shipping_method', wanted.shipping_method, 'locker_location', wanted.locker_location,
      'address', wanted.shipping_address, 'city', wanted.shipping_city, 'state', wanted.shipping_state,
      'zip_code', wanted.shipping_zip)) - 'email';
    if changed.shipping_method = 'hand-over' and wanted.shipping_method = 'hand-over' then
      problems := problems - array['address', 'city', 'state', 'zip_code', 'shipping_method'];
    elsif changed.shipping_method = 'hand-over' then
      problems := '{"shipping_method": "An order that is handed over pays no shipping. Enter a new order to send it."}';
    end if;
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    update public.orders o set
      customer_name = private.tidy(wanted.customer_name), customer_phone = private.normal_phone(wanted.customer_phone),
      shipping_method = wanted.shipping_method,
      locker_location = case when wanted.shipping_method = 'locker' then private.tidy(wanted.locker_location) end,
      shipping_address = private.tidy(wanted.shipping_address), shipping_city = private.tidy(wanted.shipping_city),
      shipping_state = private.tidy(wanted.shipping_state), shipping_zip = private.tidy(wanted.shipping_zip)
    where o.id = changed.id
    returning * into wanted;

    insert into public.order_events (order_id, kind, detail)
    select changed.id, 'delivery_changed', jsonb_build_object('before', before, 'after', private.delivery_of(wanted))
    where before <> private.delivery_of(wanted);
  end
  $$;

-- A hand-over has no address to erase, so its name says whether it was erased.
create or replace function private.forget_old_customers() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    forgotten int;
  begin
    update public.orders o
    set customer_name = null, customer_email = null, customer_phone = null, notes = null, locker_location = null,
      shipping_address = case when o.shipping_method <> 'hand-over' then 'Erased' end,
      shipping_city = case when o.shipping_method <> 'hand-over' then 'Erased' end,
      shipping_state = case when o.shipping_method <> 'hand-over' then 'Erased' end,
      shipping_zip = case when o.shipping_method <> 'hand-over' then '0000' end
    where o.customer_id is null and o.updated_at < now() - interval '5 years'
      and case when o.shipping_method = 'hand-over' then o.customer_name is not null else o.shipping_address <> 'Erased' end;
    get diagnostics forgotten = row_count;
    delete from public.mails m where m.created_at < now() - interval '5 years';
    return forgotten;
  end
  $$;
