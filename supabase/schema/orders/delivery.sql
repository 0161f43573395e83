-- Corrections of name, phone and address by staff, until the order is shipped or cancelled.
--
-- The caller sends the values that the form was opened with (`was`). If another change came between, the save is
-- refused with the present values instead of overwriting them, unless these are what it wants: a form whose answer was lost is
-- sent again. Each change is an event of the timeline.
-- The price stays: locker and door-to-door cost the same, and a hand-over, which costs nothing, stays a hand-over.

-- Security definer: no role may update the address columns directly. Packers may do this, which require_staff() checks first.
-- The order is locked before it is compared, so that of two saves at once the second one is refused.
create or replace function public.change_delivery(order_id uuid, was jsonb, delivery jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    before jsonb;
    corrected public.orders;
    problems jsonb;
  begin
    perform private.require_staff();
    select * into changed from public.orders o
      where o.id = change_delivery.order_id and o.placed_at is not null for update;
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif changed.status in ('shipped', 'delivered', 'cancelled') then
      perform private.refuse(409, 'order_has_left', 'The address can only be changed until the order is shipped.');
    end if;
    before := private.order_delivery(changed);
    corrected := jsonb_populate_record(changed, change_delivery.delivery);
    corrected.customer_name := private.normalise_line(corrected.customer_name);
    corrected.customer_phone := private.normalise_line(corrected.customer_phone);
    corrected.locker_location := case when corrected.shipping_method = 'locker' then
      private.normalise_line(corrected.locker_location) end;
    corrected.shipping_address := private.normalise_line(corrected.shipping_address);
    corrected.shipping_city := private.normalise_line(corrected.shipping_city);
    corrected.shipping_state := private.normalise_line(corrected.shipping_state);
    corrected.shipping_zip := private.normalise_line(corrected.shipping_zip);
    if before <> before || change_delivery.was and before <> private.order_delivery(corrected) then
      perform private.refuse(409, 'delivery_changed',
        'Someone else has changed this address in the meantime.', before);
    end if;

    problems := private.delivery_problems(corrected) - array['email', 'notes'];
    if changed.shipping_method = 'hand-over' and corrected.shipping_method = 'hand-over' then
      problems := problems - array['address', 'city', 'state', 'zip_code', 'shipping_method'];
    elsif changed.shipping_method = 'hand-over' then
      problems :=
        '{"shipping_method": "This order is handed over in person and pays no shipping. To ship it, enter a new order."}';
    end if;
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    update public.orders o set
      customer_name = corrected.customer_name, customer_phone = corrected.customer_phone,
      shipping_method = corrected.shipping_method, locker_location = corrected.locker_location,
      shipping_address = corrected.shipping_address, shipping_city = corrected.shipping_city,
      shipping_state = corrected.shipping_state, shipping_zip = corrected.shipping_zip
    where o.id = changed.id
    returning * into corrected;

    insert into public.order_events (order_id, kind, detail)
    select changed.id, 'delivery_changed',
      jsonb_build_object('before', before, 'after', private.order_delivery(corrected))
    where before <> private.order_delivery(corrected);
  end
  $$;
comment on function public.change_delivery is
  'Corrects name, phone, method, address and locker of a placed order. was and delivery: objects with the column '
  'names of orders; was as returned in the order that the form showed. For staff. Refuses order_not_found, '
  'order_has_left, delivery_changed (with the present values), invalid_delivery.';
grant execute on function public.change_delivery to authenticated;

create or replace function private.order_delivery(delivered public.orders) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'customer_name', delivered.customer_name, 'customer_phone', delivered.customer_phone,
      'shipping_method', delivered.shipping_method, 'locker_location', delivered.locker_location,
      'shipping_address', delivered.shipping_address, 'shipping_city', delivered.shipping_city,
      'shipping_state', delivered.shipping_state, 'shipping_zip', delivered.shipping_zip)
  $$;
comment on function private.order_delivery is
  'The delivery columns of an order as JSON, as change_delivery() compares them.';
