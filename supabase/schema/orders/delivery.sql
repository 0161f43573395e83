-- Corrections of name, phone and address by staff, until the order is shipped or cancelled, and of the e-mail address by admins, until it
-- is cancelled.
--
-- The caller sends the values that the form was opened with (`was`). If another change came between, the save is
-- refused with the present values instead of overwriting them, unless these are what it wants: a form whose answer was lost is
-- sent again. Each change is an event of the timeline.
-- A mistyped e-mail address is corrected also after shipping, because mails about tracking and refunds still follow (decision 0061).
-- The price stays: locker and door-to-door cost the same, and a hand-over, which costs nothing, stays a hand-over.

-- Security definer: no role may update the address columns directly. Packers may do this, which require_staff() checks first.
-- The order is locked before it is compared, so that of two saves at once the second one is refused. `for no key update`: the process
-- that records a sent mail locks the mail before the order, and would otherwise deadlock with a new e-mail address.
create or replace function public.change_delivery(order_id uuid, was jsonb, delivery jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    before jsonb;
    corrected public.orders;
    problems jsonb;
    typed_email text := nullif(lower(btrim(change_delivery.delivery ->> 'customer_email')), '');
  begin
    perform private.require_staff();
    -- The account that the order may get: profiles are locked before orders.
    perform from public.profiles p where p.id = private.verified_account_of(typed_email) for key share;
    select * into changed from public.orders o
      where o.id = change_delivery.order_id and o.placed_at is not null for no key update;
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    end if;
    before := private.order_delivery(changed);
    if changed.status = 'cancelled' or changed.status in ('shipped', 'delivered')
      and before || (change_delivery.delivery - 'customer_email') <> before then
      perform private.refuse(409, 'order_has_left', 'The address can only be changed until the order is shipped.');
    end if;
    corrected := jsonb_populate_record(changed, change_delivery.delivery - 'customer_email');
    if change_delivery.delivery ? 'customer_email' and typed_email is distinct from lower(changed.customer_email) then
      corrected.customer_email := typed_email;
    end if;
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

    problems := private.delivery_problems(corrected) - 'notes';
    if corrected.customer_email is not distinct from changed.customer_email then
      problems := problems - 'email';
    end if;
    if changed.status in ('shipped', 'delivered') then
      problems := jsonb_strip_nulls(jsonb_build_object('email', problems -> 'email'));
    end if;
    if changed.shipping_method = 'hand-over' and corrected.shipping_method = 'hand-over' then
      problems := problems - array['address', 'city', 'state', 'zip_code', 'shipping_method'];
    elsif changed.shipping_method = 'hand-over' then
      problems :=
        '{"shipping_method": "This order is handed over in person and pays no shipping. To ship it, enter a new order."}';
    end if;
    if problems <> '{}' then
      perform private.refuse(422, 'invalid_delivery', 'Please check all required fields', problems);
    end if;
    if corrected.customer_email is distinct from changed.customer_email then
      perform private.redirect_order(changed, corrected.customer_email);
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
  'Corrects name, phone, method, address and locker of a placed order; for admins also customer_email, which may be missing. '
  'was and delivery: objects with the column names of orders; was as returned in the order that the form showed. For '
  'staff. Refuses order_not_found, order_has_left, delivery_changed (with the present values), invalid_delivery, '
  'account_address.';
grant execute on function public.change_delivery to authenticated;

-- Whether staff entered the order for an address, whose account it therefore has once it is paid, and not in place of an order of that
-- account.
create or replace function private.got_account_by_address(entered public.orders) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.order_events e
      where e.order_id = entered.id and e.kind = 'entered_by_hand'
        and not exists (
          select from public.orders r
          where r.order_number = (e.detail ->> 'replaces')::int and r.customer_id = entered.customer_id))
  $$;

-- The caller has locked the order and checked the address. Mails that were not sent yet go to the new address at once.
-- An order that staff entered belongs to the verified account with its address. The wrong address may have given it to a stranger, so
-- the account follows the address, unless the order replaced one of that account.
create or replace function private.redirect_order(redirected public.orders, email text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    got_account_by_address boolean := private.got_account_by_address(redirected);
    uses_account_address boolean := exists (
      select from public.profiles p
      where p.id = redirected.customer_id and lower(p.email) = lower(redirected.customer_email));
    unsent public.mails;
  begin
    perform private.require_admin();
    if uses_account_address and not got_account_by_address then
      perform private.refuse(409, 'account_address', 'Mails about this order go to the address of the customer''s account. '
        'If it is wrong, the customer changes it in the account first.');
    end if;
    update public.orders o set
      customer_email = redirect_order.email,
      customer_id = case
        when got_account_by_address and o.paid_at is not null and (uses_account_address or o.customer_id is null)
          then private.verified_account_of(redirect_order.email)
        else o.customer_id end
    where o.id = redirected.id;

    -- Mails to the shop itself name the customer's address too.
    update public.mails m set props = m.props || jsonb_build_object('customerEmail', redirect_order.email)
    where m.props ->> 'orderId' = redirected.id::text and m.status in ('queued', 'failed') and m.props ? 'customerEmail';
    for unsent in
      update public.mails m set recipient = redirect_order.email, status = 'queued',
        attempts = case m.status when 'failed' then 0 else m.attempts end
      where m.props ->> 'orderId' = redirected.id::text and m.status in ('queued', 'failed')
        and lower(m.recipient) = lower(redirected.customer_email)
      returning *
    loop
      perform private.send_mail_at(unsent.id, now());
    end loop;
  end
  $$;
comment on function private.redirect_order is
  'Gives an order another e-mail address, with its unsent mails. Refuses account_address and callers who are no admins.';

create or replace function private.order_delivery(delivered public.orders) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'customer_name', delivered.customer_name, 'customer_email', delivered.customer_email,
      'customer_phone', delivered.customer_phone,
      'shipping_method', delivered.shipping_method, 'locker_location', delivered.locker_location,
      'shipping_address', delivered.shipping_address, 'shipping_city', delivered.shipping_city,
      'shipping_state', delivered.shipping_state, 'shipping_zip', delivered.shipping_zip)
  $$;
comment on function private.order_delivery is
  'The delivery columns of an order as JSON, as change_delivery() compares them.';
