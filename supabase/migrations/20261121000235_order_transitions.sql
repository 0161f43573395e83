-- The transitions that no caller asks for by name: payment, cancelling, going to pay, time. The server calls them as the
-- owner; each locks its order's row, says what it found, and may be repeated.

-- A verified payment for exactly the order's amount calls this; whatever state it finds, it answers with what it
-- did, and a second call changes nothing.
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
      update public.orders o set status = 'new', paid_at = coalesce(mark_order_paid.paid_at, now()) where o.id = paid.id;
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        -- Money came for lures that are gone. The order waits for a person; it no longer expires by itself.
        update public.orders o set expires_at = null where o.id = paid.id;
        insert into public.order_events (order_id, kind, detail)
        select paid.id, 'paid_but_sold_out', jsonb_build_object('paid_at', mark_order_paid.paid_at)
        where not exists (select from public.order_events e where e.order_id = paid.id and e.kind = 'paid_but_sold_out');
        return 'sold_out';
    end;
    return case paid.status when 'cancelled' then 'reinstated' else 'paid' end;
  end
  $$;
comment on function private.mark_order_paid(uuid, timestamptz) is
  'paid; reinstated (was cancelled, lures were still there); already_paid; sold_out (a person must decide); not_found.';

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
    update public.orders o set status = 'cancelled', cancellation_reason = cancel_order.reason where o.id = cancel_order.order_id;
    return 'cancelled';
  end
  $$;
comment on function private.cancel_order(uuid, text) is
  'cancelled, already_cancelled or not_found; frees stock and promo use. Whether it may is the caller''s question.';

-- Called when the buyer leaves to pay, each time: the lures are set aside anew and the order lives on from now.
create or replace function private.renew_hold(order_id uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    waiting public.orders;
    refusal text;
  begin
    select * into rules from private.shop_rules;
    select * into waiting from public.orders o where o.id = renew_hold.order_id for update;
    if waiting.placed_at is null or waiting.status <> 'pending_payment' then
      return 'not_waiting';
    end if;

    begin
      perform private.hold_stock(waiting.id, now() + make_interval(mins => rules.hold_minutes));
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        return 'sold_out';
    end;
    update public.orders o
    set hold_expires_at = now() + make_interval(mins => rules.hold_minutes),
      -- An order without expiry waits for a person or for an answer about its money, and goes on waiting.
      expires_at = case when o.expires_at is not null then now() + make_interval(hours => rules.unpaid_expire_hours) end
    where o.id = waiting.id;
    return 'held';
  end
  $$;
comment on function private.renew_hold(uuid) is 'held, sold_out or not_waiting.';

-- The job that ends what nobody paid. Locked orders are being dealt with by somebody else and are left for the next run.
-- The codes are locked in the order of their ids before any is changed, as placing does.
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

    perform from public.promo_codes p
    where p.id in (select o.promo_code_id from public.orders o where o.id = any (overdue))
    order by p.id for no key update;

    update public.orders o set status = 'cancelled', cancellation_reason = 'expired' where o.id = any (overdue);
    return coalesce(cardinality(overdue), 0);
  end
  $$;
comment on function private.expire_orders() is
  'Cancels overdue unpaid orders (at most 500 a run) and removes drafts that were never placed; returns how many were cancelled.';
