-- From one status of an order to the next: who may take which step, and what follows from it in the same transaction.
--
-- pending_payment → new (paid) → processing → shipped → delivered; cancelled from any of them; a cancelled paid order
-- can be reinstated as new or processing. An order whose payment is withdrawn returns to pending_payment. The order of the paid statuses is not enforced (staff correct mistakes); payment,
-- cancelling and reinstating are guarded. Every step is an update of `status`. guard_order_update (before) refuses
-- steps and sets the times, settle_order_status (after) moves stock, promo code use and cart, and record_order_events
-- writes the timeline. Triggers of one table fire in the order of their names, which is why the last ones are called
-- then_reset_reservation_time, write_order_events and write_refund_task; so a change has the same effects from an API call, a function or the table.
-- Packers take all steps except cancelling and reinstating, which can mean a refund. Customers cancel unpaid orders.
-- Locks: the order, its promo code, its variants, their products. Reasons are listed in docs/error-codes.md.

-- Security definer: reads roles; the caller's rights are checked here, in the first lines and for each step.
-- Without a user (jobs, payments) the step counts as the shop's.
create or replace function private.guard_order_update() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := auth.uid();
    is_admin boolean := me is null or private.is_admin();
    is_shipping_changed boolean :=
      (new.tracking_number, new.courier_company_id) is distinct from (old.tracking_number, old.courier_company_id);
  begin
    if not is_admin and is_shipping_changed and not private.is_staff() then
      raise exception 'only staff may change the shipping of an order' using errcode = '42501';
    end if;
    if is_shipping_changed and old.status = 'cancelled' and new.status = 'cancelled' then
      perform private.refuse(409, 'order_cancelled', 'This order is cancelled. Reinstate it before you ship it.');
    end if;

    if new.status = old.status then
      return new;
    elsif new.status = 'cancelled' then
      -- Staff rights reach every order, so a packer's own paid order needs the same check as any other.
      -- A reason that is set already (expired, replaced) comes from the shop's functions, which may run in any request.
      if not is_admin and new.cancellation_reason is null
        and (old.customer_id is distinct from me or old.status <> 'pending_payment') and private.is_staff() then
        raise exception 'only an admin may cancel this order' using errcode = '42501';
      end if;
      new.cancelled_at := now();
      new.cancellation_reason := coalesce(new.cancellation_reason, case when is_admin then 'shop' else 'customer' end);
      new.reserved_until := null;
      return new;
    elsif new.status = 'pending_payment' and old.paid_at is not null and new.paid_at is null and old.status <> 'cancelled' then
      -- Its payment was withdrawn: callers may not write paid_at.
      return new;
    elsif new.status in ('pending_payment', 'pending') then
      perform private.refuse(409, 'not_a_step', 'An order cannot be set back to awaiting payment.');
    elsif new.paid_at is null then
      perform private.refuse(409, 'not_paid',
        'This order is not paid yet. Its status changes automatically when the payment is confirmed; until then it can only be cancelled.');
    elsif old.status = 'cancelled' and old.paid_at is not null then
      perform private.require_reinstatable(old, new.status);
    end if;

    new.cancelled_at := null;
    new.cancellation_reason := null;
    new.reserved_until := null;
    new.expires_at := null;
    return new;
  end
  $$;

create trigger guard_order_update before update of status, tracking_number, courier_company_id on public.orders
  for each row execute function private.guard_order_update();

-- A paid, cancelled order comes back only as new or processing, only by an admin or a payment, and only with its money.
create or replace function private.require_reinstatable(cancelled public.orders, new_status text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if new_status not in ('new', 'processing') then
      perform private.refuse(409, 'order_cancelled', 'This order is cancelled. Reinstate it before you ship it.');
    elsif auth.uid() is not null and not private.is_admin() then
      raise exception 'only an admin may reinstate an order' using errcode = '42501';
    elsif private.was_refunded(cancelled.id) then
      perform private.refuse(409, 'order_refunded',
        'Money was refunded for this order, so it stays cancelled. The customer can order again.');
    end if;
  end
  $$;

-- Compares what is still refundable with the most that was there since the order was cancelled: paying_amount of its newest refund task
-- (not `amount`, which includes surplus payments), or all payments that paid the order where it has no task.
create or replace function private.was_refunded(cancelled uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select private.refundable_of(cancelled) < coalesce(
      (select nullif(t.paying_amount, 0) from public.refund_tasks t
        where t.order_id = cancelled order by t.opened_at desc, t.ended_at desc nulls first limit 1),
      (select sum(b.amount_gross) from public.payment_balances b where b.order_id = cancelled and b.pays_order),
      0)
  $$;
comment on function private.was_refunded is
  'Whether money of a cancelled order has been refunded, in whole or in part.';

-- Security definer: the caller may neither write stock nor redemptions. guard_order_update has checked the caller.
create or replace function private.settle_order_status() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.status = 'cancelled' then
      delete from public.stock_reservations where order_id = new.id;
      update public.promo_redemptions set released_at = now() where order_id = new.id and released_at is null;
      -- Goods of a shipped order come back with the parcel, if at all: staff count them in then.
      if old.status in ('new', 'processing', 'pending') then
        perform private.return_stock(new.id);
      end if;
    elsif new.status = 'pending_payment' then
      -- Its payment was withdrawn, so the lures are reserved and no longer taken (payments/withdrawn_payments.sql).
      perform private.return_stock(new.id);
      delete from private.units_to_make u where u.order_id = new.id;
    elsif old.status in ('pending_payment', 'cancelled') then
      -- A reinstated order was paid with its discount: its use counts again, even if that exceeds the code's limit.
      update public.promo_redemptions set released_at = null where order_id = new.id and released_at is not null;
      perform private.take_stock(new.id);
      -- The cart of a paid order that is reinstated was cleared when it was paid.
      if old.paid_at is null then
        perform private.clear_cart(new);
      end if;
    end if;
    return null;
  end
  $$;

create trigger settle_order_status after update of status on public.orders
  for each row when (old.status is distinct from new.status)
  execute function private.settle_order_status();

-- The cart is emptied on payment and not on placing, so that a buyer whose payment failed finds it complete. Lines put
-- in after the order was last placed were not bought and stay; of a quantity that was raised since, the rest stays.
create or replace function private.clear_cart(bought public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    last_placed timestamptz := coalesce((select r.read_at from private.cart_readings r where r.order_id = bought.id), bought.placed_at);
  begin
    delete from public.cart_items c
    using public.order_items i
    where i.order_id = bought.id and c.user_id = bought.customer_id and c.created_at <= last_placed
      and c.variant_id = i.variant_id and c.with_hooks = i.with_hooks and c.quantity <= i.quantity;

    update public.cart_items c set quantity = c.quantity - i.quantity
    from public.order_items i
    where i.order_id = bought.id and c.user_id = bought.customer_id and c.created_at <= last_placed
      and c.variant_id = i.variant_id and c.with_hooks = i.with_hooks and c.quantity > i.quantity;
  end
  $$;

-- Called for a verified payment of exactly the amount due. Idempotent: a second call answers already_paid.
-- A manual order belongs to the verified account with its e-mail from now on.
-- The updates run in a subtransaction: when the stock is gone the order stays as it was, keeps its money, no longer
-- expires and shows up in "Needs attention". So does an order without lines, whose deletion an admin has begun: the page
-- deletes them in a call of their own.
create or replace function private.mark_order_paid(order_id uuid, paid_at timestamptz) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    paid public.orders;
    refusal text;
  begin
    select * into paid from public.orders o where o.id = mark_order_paid.order_id for update;
    if paid.placed_at is null then
      return 'not_found';
    elsif paid.paid_at is not null then
      return 'already_paid';
    end if;

    begin
      if not exists (select from public.order_items i where i.order_id = paid.id) then
        perform private.refuse(409, 'sold_out', 'This order has no items.');
      end if;
      update public.orders o set customer_id = private.verified_account_of(o.customer_email)
        where o.id = paid.id and o.customer_id is null
          and exists (select from public.order_events e where e.order_id = o.id and e.kind = 'entered_by_hand');
      update public.orders o set status = 'new', paid_at = coalesce(mark_order_paid.paid_at, now())
        where o.id = paid.id;
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        -- The money is here and the stock is not: keep the order from expiring until an admin decides.
        update public.orders o set expires_at = null where o.id = paid.id;
        insert into public.order_events (order_id, kind, detail)
        select paid.id, 'paid_but_sold_out', jsonb_build_object('paid_at', mark_order_paid.paid_at)
        where not exists (
          select from public.order_events e where e.order_id = paid.id and e.kind = 'paid_but_sold_out');
        return 'sold_out';
    end;
    return case paid.status when 'cancelled' then 'reinstated' else 'paid' end;
  end
  $$;
comment on function private.mark_order_paid is
  'Makes an order paid: paid; reinstated (was cancelled, and its stock was available); already_paid; sold_out '
  '(also without lines; stays as it was, an admin decides); not_found (also a draft). paid_at: null is now. Checks no rights: called '
  'for payments only.';

create or replace function private.cancel_order(order_id uuid, reason text) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    found_status text;
  begin
    select o.status into found_status from public.orders o where o.id = cancel_order.order_id for update;
    if found_status is null then
      return 'not_found';
    elsif found_status = 'cancelled' then
      return 'already_cancelled';
    end if;
    update public.orders o set status = 'cancelled', cancellation_reason = cancel_order.reason
      where o.id = cancel_order.order_id;
    return 'cancelled';
  end
  $$;
comment on function private.cancel_order is
  'Cancels an order in any status: cancelled, already_cancelled or not_found. Frees reservations, promo code use '
  'and, before shipping, stock. reason: see orders.cancellation_reason. Checks no rights: its callers do.';

-- The job for unpaid orders and drafts. `skip locked` leaves orders that another transaction is paying or cancelling to
-- the next run. Promo codes are locked in the order of their ids before any order is changed, as in placing.
create or replace function private.expire_orders() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    overdue uuid[];
  begin
    delete from public.orders o where o.placed_at is null and o.expires_at < now();

    select array_agg(locked.id) into overdue
    from (
      select o.id from public.orders o
      where o.status = 'pending_payment' and o.placed_at is not null and o.expires_at < now()
      order by o.id limit 500 for update skip locked
    ) as locked;

    perform private.lock_promo_codes(array(select o.promo_code_id from public.orders o where o.id = any (overdue)));

    update public.orders o set status = 'cancelled', cancellation_reason = 'expired' where o.id = any (overdue);
    return coalesce(cardinality(overdue), 0);
  end
  $$;
comment on function private.expire_orders is
  'Cancels unpaid orders past expires_at, at most 500 a run, and deletes overdue drafts. Returns the number of '
  'cancelled orders.';

-- Security definer: clients cannot write the timeline.
create or replace function private.record_order_events() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kind text;
    detail jsonb := jsonb_build_object('from', old.status, 'to', new.status);
  begin
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
  for each row execute function private.record_order_events();

-- Security definer: clients cannot write the timeline.
create or replace function private.record_placing() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.order_events (order_id, kind, detail)
    values (new.id, 'placed', jsonb_build_object('total_amount', new.total_amount, 'promo_code', new.promo_code));
    return null;
  end
  $$;

create trigger write_placing after insert on public.orders
  for each row when (new.placed_at is not null)
  execute function private.record_placing();
create trigger write_placing_of_draft after update of placed_at on public.orders
  for each row when (old.placed_at is null and new.placed_at is not null)
  execute function private.record_placing();

-- Customers may insert shipping_method of a draft, so the method without shipping cost is refused to them here.
-- Security definer: reads roles.
create or replace function private.refuse_hand_over() returns trigger
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

-- Fires before the constraint address_unless_handed_over does: bulk changes catch this refusal and name its sentence,
-- while a violated constraint would end the call.
create or replace function private.refuse_shipping_of_hand_over() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.refuse(409, 'handed_over', 'This order is handed over in person, so it cannot be shipped.');
  end
  $$;

create trigger refuse_shipping_of_hand_over
  before update of status, tracking_number, courier_company_id on public.orders
  for each row when (new.shipping_method = 'hand-over'
    and (new.status = 'shipped' or coalesce(new.tracking_number, '') <> '' or new.courier_company_id is not null))
  execute function private.refuse_shipping_of_hand_over();

-- Adds the difference between the old and the new state of an order to the sales of its days (private.sales_days).
-- An order that was just placed and not paid takes the short way, which is every checkout.
-- Security definer: nothing of sales_days is granted. force_generic_plan: a custom plan costs ten times what it saves.
create or replace function private.count_sales() returns trigger
  language plpgsql security definer
  set search_path = ''
  set plan_cache_mode = 'force_generic_plan'
  as $$
  begin
    if tg_op = 'INSERT' and new.paid_at is null then
      if new.placed_at is not null then
        perform private.add_sales(private.local_day(new.placed_at), 1, 0, 0);
      end if;
      return null;
    end if;
    perform private.add_sales(s.day, sum(s.orders)::int, sum(s.paid_orders)::int, sum(s.revenue))
    from (
      select * from private.sales_in(old, -1) where tg_op <> 'INSERT'
      union all
      select * from private.sales_in(new, 1) where tg_op <> 'DELETE'
    ) as s
    group by s.day having sum(s.orders) <> 0 or sum(s.paid_orders) <> 0 or sum(s.revenue) <> 0;
    return null;
  end
  $$;

create trigger count_sales
  after insert or delete or update of placed_at, paid_at, status, total_amount on public.orders
  for each row execute function private.count_sales();

-- What one state of an order adds (sign 1) or takes away (−1): an order on the day it was placed, and its total on the
-- day it was paid unless it is cancelled. Revenue is rand, before refunds.
create or replace function private.sales_in(o public.orders, sign int)
  returns table (day date, orders int, paid_orders int, revenue numeric)
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    if o.placed_at is null then
      return;
    end if;
    return query values (private.local_day(o.placed_at), sign, 0, 0::numeric);
    if o.paid_at is not null and o.status <> 'cancelled' then
      return query values (private.local_day(o.paid_at), 0, sign, sign * o.total_amount);
    end if;
  end
  $$;

-- Each connection has its own row of a day (`shard` is the process id), so that orders do not wait for each other's
-- commit. Readers add up the shards.
create or replace function private.add_sales(day date, orders int, paid_orders int, revenue numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into private.sales_days as kept (day, shard, orders, paid_orders, revenue)
    values (add_sales.day, pg_backend_pid(), add_sales.orders, add_sales.paid_orders, add_sales.revenue)
    on conflict on constraint shard_twice do update
      set orders = kept.orders + excluded.orders,
        paid_orders = kept.paid_orders + excluded.paid_orders,
        revenue = kept.revenue + excluded.revenue;
  end
  $$;

create or replace function private.local_day(moment timestamptz) returns date
  language sql immutable
  return (moment at time zone 'Africa/Johannesburg')::date;
comment on function private.local_day is 'The calendar day of a moment in the shop''s time zone (Africa/Johannesburg).';
