-- A cancelled order is no longer to be shipped. It comes back in one way only: an admin reinstates it as new or processing, which takes its
-- stock again, withdraws its refund task and mails the customer. It stays cancelled when the stock is gone (sold_out, from the shelf) or
-- when money of it was refunded since: the customer then orders again.

-- Whether an order has been refunded, in whole or in part, since it was cancelled; one that was refunded whole before has no task.
create function private.was_refunded(cancelled uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select private.refundable_of(cancelled) < coalesce(
      (select t.amount from public.refund_tasks t where t.order_id = cancelled order by t.opened_at desc, t.ended_at desc nulls first limit 1),
      (select sum(b.amount_gross) from public.payment_balances b where b.order_id = cancelled and b.pays_order),
      0)
  $$;

create function private.require_reinstatable(cancelled public.orders, wanted text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if wanted not in ('new', 'processing') then
      perform private.refuse(409, 'order_cancelled', 'This order is cancelled. Reinstate it before you ship it.');
    elsif auth.uid() is not null and not private.is_admin() then
      raise exception 'only an admin reinstates an order' using errcode = '42501';
    elsif private.was_refunded(cancelled.id) then
      perform private.refuse(409, 'order_refunded', 'Money of this order was refunded, so it stays cancelled. The customer can order again.');
    end if;
  end
  $$;

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
      raise exception 'permission denied for the shipping of an order' using errcode = '42501';
    end if;
    if is_shipping_changed and old.status = 'cancelled' and new.status = 'cancelled' then
      perform private.refuse(409, 'order_cancelled', 'This order is cancelled. Reinstate it before you ship it.');
    end if;

    if new.status = old.status then
      return new;
    elsif new.status = 'cancelled' then
      -- The shop's own reasons (expired, replaced) come from its functions, in whatever request they run.
      if not is_admin and new.cancellation_reason is null and old.customer_id is distinct from me and private.is_staff() then
        raise exception 'only an admin cancels somebody''s order' using errcode = '42501';
      end if;
      new.cancelled_at := now();
      new.cancellation_reason := coalesce(new.cancellation_reason, case when is_admin then 'shop' else 'customer' end);
      new.hold_expires_at := null;
      return new;
    elsif new.status in ('pending_payment', 'pending') then
      perform private.refuse(409, 'not_a_step', 'An order cannot be set back to awaiting payment.');
    elsif new.paid_at is null then
      perform private.refuse(409, 'not_paid',
        'This order has not been paid. It moves on by itself once the payment is confirmed; until then it can only be cancelled.');
    elsif old.status = 'cancelled' and old.paid_at is not null then
      perform private.require_reinstatable(old, new.status);
    end if;

    new.cancelled_at := null;
    new.cancellation_reason := null;
    new.hold_expires_at := null;
    new.expires_at := null;
    return new;
  end
  $$;

-- Reinstating takes its own step, so a bulk change leaves cancelled orders alone.
create or replace function private.why_not_set_status(found public.orders, wanted text) returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when found.id is null or found.placed_at is null then 'There is no such order.'
      when found.status = wanted or wanted = 'new' and found.status = 'pending' then 'It has this status already.'
      when found.status = 'cancelled' then 'It is cancelled. Open it to reinstate it.'
      when wanted = 'shipped' and (coalesce(found.tracking_number, '') = '' or found.courier_company_id is null)
        then 'It has no tracking number and courier yet.'
    end
  $$;


-- What a mail says about the money of an order: rand received, refunded, still to refund, and how it came.
create function private.money_for_mail(order_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('money', jsonb_build_object(
      'received', coalesce(sum(b.amount_gross), 0),
      'refunded', coalesce(sum(b.given_back), 0),
      'ways', coalesce(jsonb_agg(distinct b.way) filter (where b.amount_gross > b.given_back), '[]')))
    from public.payment_balances b where b.order_id = money_for_mail.order_id
  $$;

-- The newest entry of the timeline names the occasion; a reinstated order says that it is back.
create or replace function private.queue_status_mail(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(order_id) || private.money_for_mail(order_id);
    occasion public.order_events;
  begin
    select * into occasion from public.order_events e
      where e.order_id = queue_status_mail.order_id and e.kind in ('status_changed', 'cancelled', 'reinstated', 'tracking_changed')
      order by e.id desc limit 1;
    if occasion.id is not null and props ->> 'customerEmail' is not null then
      perform private.queue_mail('order-status:' || occasion.id, 'order-status-update', props ->> 'customerEmail',
        props || jsonb_build_object('isReinstated', occasion.kind = 'reinstated'));
    end if;
  end
  $$;

-- An order that staff reinstate as new is mailed too: the confirmation goes once only, and "Cancelled" may not be the last word.
drop trigger a_moved_order_is_mailed on public.orders;
create constraint trigger a_moved_order_is_mailed
  after update of status, tracking_number, courier_company_id on public.orders
  deferrable initially deferred
  for each row when (
    new.paid_at is not null and (
      new.status in ('processing', 'shipped', 'delivered', 'cancelled')
      and (old.status <> new.status
        or new.status = 'shipped' and (old.tracking_number, old.courier_company_id) is distinct from (new.tracking_number, new.courier_company_id))
      or new.status = 'new' and old.status = 'cancelled' and old.paid_at is not null))
  execute function private.mail_order_status();

create or replace function private.queue_refund_mail(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id) || private.money_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund:' || refund.id, 'refund', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'refundReason', refund.reason, 'refundWay', refund.way));
    end if;
  end
  $$;
