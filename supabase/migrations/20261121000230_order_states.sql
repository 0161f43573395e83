-- What a change of status may be, whoever writes it: the customer's cancel page, the admin's dropdown, a payment.
-- The rules stand in triggers on the table, so the specified plain updates and our own functions meet the same ones.
--
--   awaiting payment → cancelled, or by payment → new
--   new, processing, shipped, delivered → each other and cancelled, as staff see fit
--   cancelled → back to a paid state only if it was paid, and only if the shelf still has its lures
create function private.guard_order_update() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := auth.uid();
    is_staff boolean := me is null or private.is_admin();
  begin
    if not is_staff
      and (new.tracking_number, new.courier_company_id) is distinct from (old.tracking_number, old.courier_company_id) then
      raise exception 'permission denied for the shipping of an order' using errcode = '42501';
    end if;

    if new.status = old.status then
      return new;
    elsif new.status = 'cancelled' then
      new.cancelled_at := now();
      new.cancellation_reason := coalesce(new.cancellation_reason, case when is_staff then 'shop' else 'customer' end);
      new.hold_expires_at := null;
      return new;
    elsif new.status in ('pending_payment', 'pending') then
      perform private.refuse(409, 'not_a_step', 'An order cannot be set back to awaiting payment.');
    elsif new.paid_at is null then
      perform private.refuse(409, 'not_paid',
        'This order has not been paid. It moves on by itself once the payment is confirmed; until then it can only be cancelled.');
    end if;

    new.cancelled_at := null;
    new.cancellation_reason := null;
    new.hold_expires_at := null;
    new.expires_at := null;
    return new;
  end
  $$;
create trigger guard_order_update before update of status, tracking_number, courier_company_id on public.orders
  for each row execute function private.guard_order_update();

-- What follows from a change of status, in the same transaction.
create function private.settle_order_status() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.status = 'cancelled' then
      delete from public.stock_holds where order_id = new.id;
      update public.promo_redemptions set released_at = now() where order_id = new.id and released_at is null;
      -- Until it is shipped a paid lure still lies on the shelf; after that a parcel has to come back first.
      if old.status in ('new', 'processing', 'pending') then
        perform private.return_stock(new.id);
      end if;
    elsif old.status in ('pending_payment', 'cancelled') then
      -- A reinstated order was paid with its discount: its use counts again, even if the code was used up meanwhile.
      update public.promo_redemptions set released_at = null where order_id = new.id and released_at is not null;
      perform private.take_stock(new.id);
      perform private.empty_cart_of(new);
    end if;
    return null;
  end
  $$;
create trigger settle_order_status after update of status on public.orders
  for each row when (old.status is distinct from new.status)
  execute function private.settle_order_status();

-- The cart stays until its order is paid: a buyer who comes back from a failed payment finds everything. What was put
-- in after the order was placed was not bought and stays.
create function private.empty_cart_of(bought public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from public.cart_items c
    using public.order_items i
    where i.order_id = bought.id and c.user_id = bought.customer_id and c.created_at <= bought.placed_at
      and c.variant_id = i.variant_id and c.with_hooks = i.with_hooks and c.quantity <= i.quantity;

    update public.cart_items c set quantity = c.quantity - i.quantity
    from public.order_items i
    where i.order_id = bought.id and c.user_id = bought.customer_id and c.created_at <= bought.placed_at
      and c.variant_id = i.variant_id and c.with_hooks = i.with_hooks and c.quantity > i.quantity;
  end
  $$;

-- The timeline.
create function private.write_order_events() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kind text;
    detail jsonb := jsonb_build_object('from', old.status, 'to', new.status);
  begin
    if old.placed_at is null and new.placed_at is not null then
      insert into public.order_events (order_id, kind, detail)
      values (new.id, 'placed', jsonb_build_object('total_amount', new.total_amount, 'promo_code', new.promo_code));
    end if;

    if old.status <> new.status then
      kind := case
        when new.status = 'cancelled' then 'cancelled'
        when old.status = 'cancelled' then 'reinstated'
        when old.paid_at is null and new.paid_at is not null then 'paid'
        else 'status_changed'
      end;
      insert into public.order_events (order_id, kind, detail)
      values (new.id, kind, detail || case kind
        when 'cancelled' then jsonb_build_object('reason', new.cancellation_reason)
        else '{}'
      end);
    end if;

    if (old.tracking_number, old.courier_company_id) is distinct from (new.tracking_number, new.courier_company_id) then
      insert into public.order_events (order_id, kind, detail)
      values (new.id, 'tracking_changed', jsonb_build_object(
        'tracking_number', new.tracking_number,
        'courier', (select c.name from public.courier_companies c where c.id = new.courier_company_id)));
    end if;
    return null;
  end
  $$;
create trigger write_order_events after update on public.orders
  for each row execute function private.write_order_events();

-- Deleting an order that has not left counts as cancelling it first. Holds and the promo code's use go with their rows.
create function private.return_stock_of_deleted() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if old.status in ('new', 'processing', 'pending') then
      perform private.return_stock(old.id);
    end if;
    return old;
  end
  $$;
create trigger return_stock_of_deleted before delete on public.orders
  for each row execute function private.return_stock_of_deleted();
