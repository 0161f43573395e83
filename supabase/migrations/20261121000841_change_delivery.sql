-- Where a parcel goes, corrected by staff while it is still here. `was` is what the admin saw when the form was opened: if the
-- other brother changed it meanwhile, the second save is refused with what stands there now instead of overwriting it.

create function private.delivery_of(delivered public.orders) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'customer_name', delivered.customer_name, 'customer_phone', delivered.customer_phone,
      'shipping_method', delivered.shipping_method, 'locker_location', delivered.locker_location,
      'shipping_address', delivered.shipping_address, 'shipping_city', delivered.shipping_city,
      'shipping_state', delivered.shipping_state, 'shipping_zip', delivered.shipping_zip)
  $$;

create function public.change_delivery(order_id uuid, was jsonb, delivery jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    before jsonb;
    wanted public.orders;
    problems jsonb;
  begin
    perform private.require_admin();
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
grant execute on function public.change_delivery(uuid, jsonb, jsonb) to authenticated;
comment on function public.change_delivery(uuid, jsonb, jsonb) is
  'Corrects name, phone, address and locker of an order that has not left; the keys are those of orders.';
-- NOTE: orders has no update grant for these columns: the checkout's snapshot changes here or not at all.
