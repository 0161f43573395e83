-- Refunds: what an admin decided, against the payment that the money came from.
--
-- A refund goes through PayFast (a job calls its API: refund_requests.sql) or by hand (the admin paid it back and records
-- that). Its steps are rows of payment_refund_events; the newest one is its state:
--   PayFast: requested → sent → done | failed | unknown; unknown → sent (asked again) | done | failed; requested → failed;
--            failed → requested (retried) | done (an admin paid it back by hand) | withdrawn; done → withdrawn if an admin recorded it
--   by hand: done → withdrawn
-- The refunds of a payment never exceed it. A failed or withdrawn refund moved no money and frees its amount.
--
-- Lock order: the order, then its payment, then variants and products in the order of their ids. All functions that change
-- money of an order follow it, so a refund and a reinstatement of one order wait for each other instead of deadlocking.

-- Admins read. Not granted: insert. Rows come from record_refund() and the job send_refund.
comment on table public.payment_refunds is 'Refunds as an admin recorded them. Never changed; the state is in payment_refund_events.';
comment on column public.payment_refunds.restocked is 'Whether the refund took items off the order (payment_refund_items), and those that had left the stock back to it.';
comment on column public.payment_refunds.way is
  'payfast: a job calls PayFast''s API. by_hand: an admin paid it back and recorded that.';
comment on column public.payment_refunds.amount is 'Rand.';
comment on column public.payment_refunds.reason is 'For the customer''s mail and the timeline.';
comment on column public.payment_refunds.recorded_by is 'The admin. No foreign key.';
grant select on public.payment_refunds to authenticated, service_role;

create policy select_as_admin on public.payment_refunds for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_refund_events is 'Every step of a refund; the newest is its state.';
comment on column public.payment_refund_events.detail is
  'words: the answer of PayFast or the network. note: an admin''s note. was: the state that a withdrawal ended. available: what PayFast would still refund before this one was sent, in rand.';
comment on column public.payment_refund_events.state is 'requested, sent, unknown, failed, done or withdrawn.';
comment on column public.payment_refund_events.actor_id is 'The admin who caused the step; null for the job.';
grant select on public.payment_refund_events to authenticated, service_role;

create policy select_as_admin on public.payment_refund_events for select to authenticated
  using ((select private.is_admin()));

-- The one place that decides which refunds count.
create or replace view public.refunds with (security_invoker = true) as
  select r.id, r.payment_id, r.order_id, r.amount, r.reason, r.restocked, r.way, r.recorded_by, r.created_at,
    step.state, step.detail, step.created_at as state_since,
    step.state not in ('failed', 'withdrawn') as counts,
    r.way = 'by_hand' or exists (
      select from public.payment_refund_events done
      where done.refund_id = r.id and done.state = 'done' and done.detail ? 'note' and 'failed' = (
        select earlier.state from public.payment_refund_events earlier
        where earlier.refund_id = r.id and earlier.id < done.id order by earlier.id desc limit 1)) as paid_by_hand
  from public.payment_refunds r
  cross join lateral (
    select e.state, e.detail, e.created_at from public.payment_refund_events e
    where e.refund_id = r.id order by e.id desc limit 1
  ) as step;

comment on view public.refunds is 'Each refund with its state: requested, sent, unknown, failed, done or withdrawn.';
comment on column public.refunds.counts is
  'Whether the money went back or is on its way; false for a refund that failed or was withdrawn.';
comment on column public.refunds.paid_by_hand is
  'Whether an admin paid it back: by the method of the refund, or after it had failed.';
comment on column public.refunds.state is 'State of the newest event.';
comment on column public.refunds.detail is 'Details of the newest event.';
comment on column public.refunds.state_since is 'When that state began.';
grant select on public.refunds to authenticated, service_role;

-- How refunds are made today: payfast in live mode, else by_hand. A function, because payment_balances runs with the rights of
-- its reader, who may not read shop_rules.
create or replace function private.refund_way() returns text
  language sql stable security definer
  set search_path = ''
  as $$ select r.refund_way from private.shop_rules r $$;
grant execute on function private.refund_way to authenticated, service_role;

create or replace function private.refundable_of(order_id uuid) returns numeric
  language sql stable
  set search_path = ''
  as $$
    select coalesce(sum(b.refundable), 0) from public.payment_balances b where b.order_id = refundable_of.order_id and b.pays_order
  $$;
comment on function private.refundable_of is
  'Rand of the payments that paid this order, less refunds done and under way.';

-- Only the payment that paid the order may return items to stock: a duplicate payment took none. `returned` is
-- [{"order_item_id", "quantity"}]. `was` is the refundable amount that the form showed: without it, a retry after a lost response
-- and an outdated page would record a partial refund twice.
create or replace function public.record_refund(
    payment_id uuid, amount numeric, reason text, returned jsonb default '[]', way text default null, was numeric default null)
  returns public.payment_refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refunded public.payments;
    refund public.payment_refunds;
    with_items boolean;
  begin
    perform private.require_admin();
    if jsonb_typeof(coalesce(returned, '[]')) <> 'array' then
      perform private.refuse(422, 'invalid_return', 'Choose lines of this order, each with a quantity.');
    end if;
    with_items := jsonb_array_length(coalesce(returned, '[]')) > 0;
    refunded := private.lock_payment(record_refund.payment_id);
    perform private.require_refundable(refunded.id, record_refund.amount, record_refund.was);
    if refunded.way <> 'payfast' and record_refund.way = 'payfast' then
      perform private.refuse(409, 'refund_by_hand', 'This money did not come through PayFast, so you must refund it by hand.');
    elsif with_items and not (select b.pays_order from public.payment_balances b where b.payment_id = refunded.id) then
      perform private.refuse(409, 'refund_without_return', 'This payment is not the one that paid for the order, so its refund puts nothing back in stock.');
    end if;

    insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, way, recorded_by)
      values (refunded.id, refunded.order_id, record_refund.amount, btrim(record_refund.reason), with_items,
        case when refunded.way <> 'payfast' then 'by_hand' else coalesce(record_refund.way, private.refund_way()) end,
        (select auth.uid()))
      returning * into refund;
    if with_items then
      perform private.restock_items(refund, returned);
    end if;

    if refund.way = 'payfast' then
      perform private.request_refund(refund);
    else
      perform private.complete_refund(refund, '{}');
    end if;
    return refund;
  end
  $$;
comment on function public.record_refund is
  'Records a refund of `amount` rand and sends it (way payfast) or marks it as done (by_hand), if `was` rand are refundable. Errors: invalid_return, refund_changed, refund_exceeds_payment, refund_by_hand, refund_without_return, return_exceeds_line.';
grant execute on function public.record_refund to authenticated;

-- Locks the order and payment of a refund, which serialises all changes to refunds of the payment. Error: refund_not_found.
create or replace function private.lock_refund(refund_id uuid) returns public.payment_refunds
  language plpgsql
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
  begin
    select * into refund from public.payment_refunds r where r.id = lock_refund.refund_id;
    if not found then
      perform private.refuse(404, 'refund_not_found', 'There is no such refund.');
    end if;
    perform private.lock_payment(refund.payment_id);
    return refund;
  end
  $$;

-- Call it after lock_refund(): another step may have been written before the lock.
create or replace function private.refund_state(refund_id uuid) returns text
  language sql stable
  set search_path = ''
  as $$ select r.state from public.refunds r where r.id = refund_state.refund_id $$;

-- Refuses an amount above what the payment still has, and any amount if that is no longer what it `was`. The caller holds the
-- payment's lock.
create or replace function private.require_refundable(payment_id uuid, amount numeric, was numeric default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    left_over numeric := (select b.refundable from public.payment_balances b where b.payment_id = require_refundable.payment_id);
  begin
    if was <> left_over then
      perform private.refuse(409, 'refund_changed',
        'The refunds of this payment have changed in the meantime. Please check them and try again.',
        jsonb_build_object('refundable', left_over));
    elsif amount > left_over then
      perform private.refuse(409, 'refund_exceeds_payment',
        'This is more than is left to refund.', jsonb_build_object('refundable', left_over));
    end if;
  end
  $$;

-- Queues the job that asks PayFast. The simulator and a shop without a PayFast account cannot refund through it.
create or replace function private.request_refund(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if private.refund_way() <> 'payfast' then
      perform private.refuse(409, 'refund_by_hand',
        'PayFast accepts refunds from a live shop only. Pay the money back by hand and record that.');
    end if;
    perform private.record_refund_step(refund, 'requested', '{}');
    perform private.record_refund_event('refund_requested', refund);
    perform private.send_refund_at(refund.id, now());
  end
  $$;

-- A step fires the triggers that update refund tasks and sales totals.
create or replace function private.record_refund_step(refund public.payment_refunds, state text, detail jsonb) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_refund_events (refund_id, state, detail)
      values (refund.id, record_refund_step.state, record_refund_step.detail)
  $$;

-- Issues about the refund itself (failed or unclear), not those of its payment.
create or replace function private.resolve_refund_issues(refund_id uuid, note text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_issue_resolutions (issue_id, resolved_by, note)
    select c.id, auth.uid(), resolve_refund_issues.note from public.payment_issues c
    where c.detail ->> 'refund_id' = resolve_refund_issues.refund_id::text
    on conflict on constraint payment_issue_resolutions_pkey do nothing
  $$;

-- Writes the refund to the order's timeline. A deleted order has none.
create or replace function private.record_refund_event(kind text, refund public.payment_refunds) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.order_events (order_id, kind, detail)
    select o.id, record_refund_event.kind, jsonb_build_object(
      'refund_id', refund.id, 'amount', refund.amount, 'reason', refund.reason, 'restocked', refund.restocked, 'way', refund.way)
    from public.orders o where o.id = refund.order_id
  $$;

-- The money went back: writes the timeline, mails the customer, resolves the issues of the payment and the refund, and lets an
-- unpaid order expire again. The issue of a payment that pays no order stays open until all of that payment is refunded.
create or replace function private.complete_refund(refund public.payment_refunds, detail jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.record_refund_step(refund, 'done', detail);
    perform private.record_refund_event('refunded', refund);
    perform private.queue_refund_mail(refund);
    perform private.resolve_issues(p, 'R' || refund.amount || ' was refunded: ' || refund.reason)
      from public.payments p
      join public.payment_balances b on b.payment_id = p.id
      where p.id = refund.payment_id and (b.pays_order or b.given_back = b.amount_gross);
    perform private.resolve_refund_issues(refund.id, 'The money was refunded.');
    perform private.release_order_of_notice(refund.order_id);
  end
  $$;

-- Sends a failed refund again. Another refund may have taken its amount in the meantime, so the amount is checked again.
create or replace function public.retry_refund(refund_id uuid) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    result public.refunds;
  begin
    perform private.require_admin();
    refund := private.lock_refund(retry_refund.refund_id);
    if refund.way <> 'payfast' or private.refund_state(refund.id) <> 'failed' then
      perform private.refuse(409, 'refund_not_failed', 'This refund has not failed.');
    end if;
    perform private.require_still_due(refund);
    perform private.request_refund(refund);
    perform private.resolve_refund_issues(refund.id, 'The refund was retried.');
    select * into result from public.refunds r where r.id = refund.id;
    return result;
  end
  $$;
comment on function public.retry_refund is 'Sends a failed PayFast refund again. Errors: refund_not_found, refund_not_failed, refund_exceeds_payment, refund_by_hand.';
grant execute on function public.retry_refund to authenticated;

-- Locks the order, then the payment, and returns the payment. Locking the order also keeps it from being deleted meanwhile. A payment
-- that was withdrawn is refused: everything that is decided about a payment passes here.
create or replace function private.lock_payment(payment_id uuid) returns public.payments
  language plpgsql
  set search_path = ''
  as $$
  declare
    locked public.payments;
  begin
    perform from public.orders o
      where o.id = (select p.order_id from public.payments p where p.id = lock_payment.payment_id)
      for update;
    select * into locked from public.payments p where p.id = lock_payment.payment_id for update;
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such payment.');
    elsif exists (select from public.payment_withdrawals w where w.payment_id = locked.id) then
      perform private.refuse(409, 'payment_withdrawn', 'This payment has been withdrawn.');
    end if;
    return locked;
  end
  $$;

-- PayFast gave no clear answer, and an admin looked at the account: `outcome` is done or failed. After a failure, done means that the admin
-- paid it back by hand.
create or replace function public.settle_refund(refund_id uuid, outcome text, note text) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    found_state text;
    result public.refunds;
  begin
    perform private.require_admin();
    if (settle_refund.outcome in ('done', 'failed') and private.is_line(settle_refund.note, 3, 500)) is not true then
      perform private.refuse(422, 'invalid_settlement', 'Choose whether the money was refunded, and explain in a few words how you know.');
    end if;
    refund := private.lock_refund(settle_refund.refund_id);
    found_state := private.refund_state(refund.id);
    if found_state = 'sent' then
      perform private.refuse(409, 'refund_in_progress', 'This refund is being sent to PayFast right now. Please check again in a minute.');
    elsif found_state in ('done', 'withdrawn', settle_refund.outcome) then
      perform private.refuse(409, 'refund_settled', 'This refund is already settled.');
    end if;

    if settle_refund.outcome = 'failed' then
      perform private.record_refund_step(refund, 'failed', jsonb_build_object('note', btrim(settle_refund.note)));
      perform private.resolve_refund_issues(refund.id, btrim(settle_refund.note));
    else
      if found_state = 'failed' then
        perform private.require_still_due(refund);
      end if;
      perform private.complete_refund(refund, jsonb_build_object('note', btrim(settle_refund.note)));
    end if;
    select * into result from public.refunds r where r.id = refund.id;
    return result;
  end
  $$;
comment on function public.settle_refund is 'An admin records how an unclear refund ended, or that a failed one was paid by hand, with a note. Errors: invalid_settlement, refund_not_found, refund_in_progress, refund_settled, refund_exceeds_payment.';
grant execute on function public.settle_refund to authenticated;

-- Withdrawing a refund by hand, or an outcome that an admin recorded, says that no money went back: it takes returned items out of stock
-- again, makes the money due again and sends the customer a correction. Of a failed refund, no money counts as refunded and no customer
-- was told: withdrawing it takes the items out of stock again and closes its issue.
create or replace function public.withdraw_refund(refund_id uuid, reason text) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    found_state text;
    result public.refunds;
  begin
    perform private.require_admin();
    if (private.is_line(btrim(withdraw_refund.reason), 3, 255)) is not true then
      perform private.refuse(422, 'invalid_reason', 'Please explain in a few words why you withdraw this refund.');
    end if;
    refund := private.lock_refund(withdraw_refund.refund_id);
    perform private.require_withdrawable(refund);
    found_state := private.refund_state(refund.id);

    if refund.restocked then
      perform private.remove_restocked_items(refund);
    end if;
    perform private.record_refund_step(refund, 'withdrawn',
      jsonb_build_object('note', btrim(withdraw_refund.reason), 'was', found_state));
    insert into public.order_events (order_id, kind, detail)
      values (refund.order_id, 'refund_withdrawn', jsonb_build_object(
        'refund_id', refund.id, 'amount', refund.amount, 'reason', btrim(withdraw_refund.reason)));
    if found_state = 'failed' then
      perform private.resolve_refund_issues(refund.id, btrim(withdraw_refund.reason));
    else
      -- The order holds money again, with which it must not expire.
      update public.orders o set expires_at = null
        where o.id = refund.order_id and o.status = 'pending_payment' and o.expires_at is not null;
      perform private.reopen_issues(refund);
      perform private.queue_refund_correction(refund);
    end if;
    select * into result from public.refunds r where r.id = refund.id;
    return result;
  end
  $$;
comment on function public.withdraw_refund is
  'Withdraws a refund that an admin recorded as paid although it was not, or one that failed. Returns the refund, now withdrawn. Errors: invalid_reason, refund_not_found, refund_withdrawn, refund_not_by_hand, refund_without_order, refund_exceeds_payment, returned_lures_sold.';
grant execute on function public.withdraw_refund to authenticated;

-- A failed refund has freed its amount, and another one may have taken it, or paid for its lures.
create or replace function private.require_still_due(failed public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.require_refundable(failed.payment_id, failed.amount);
    if failed.restocked and private.went_back_otherwise(failed) then
      perform private.refuse(409, 'refund_exceeds_payment',
        'As much was refunded another way since, perhaps for the same lures, so this refund stays failed. If you owe both, record a new refund without lures. An open issue can be resolved with a note.');
    end if;
  end
  $$;

-- Whether the lures of a failed refund were paid back with refunds done since, by any payment that paid the order: with what those gave
-- back beyond the price of their own lures. Nothing tells which of two failed refunds was meant, so the money counts for both: a withdrawal
-- is refused a little too often rather than too seldom.
create or replace function private.went_back_otherwise(failed public.payment_refunds) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select greatest(0.01, private.price_of_lures(failed)) <= (
      select sum(r.amount - private.price_of_lures(p)) from public.refunds r
      join public.payment_refunds p on p.id = r.id
      join public.payment_balances b on b.payment_id = r.payment_id and b.pays_order
      where r.order_id = failed.order_id and r.counts and r.state_since > failed.created_at)
  $$;

-- What part of its lines' prices an order asked for after its discount: 0.95 with 5 % off.
create or replace function private.paid_share(priced public.orders) returns numeric
  language sql stable
  set search_path = ''
  as $$ select 1 - least(1, coalesce(priced.discount_amount / nullif(priced.subtotal_amount, 0), 0)) $$;

-- Rand of a refund for the lures that it took off the order: their price less their part of the discount, at most the refund's amount.
create or replace function private.price_of_lures(refund public.payment_refunds) returns numeric
  language sql stable
  set search_path = ''
  as $$
    select least(refund.amount, round(coalesce(sum(taken.quantity * i.price * private.paid_share(o)), 0), 2))
    from public.payment_refund_items taken
    join public.order_items i on i.id = taken.order_item_id
    join public.orders o on o.id = i.order_id
    where taken.refund_id = refund.id
  $$;

-- Whether the refund is done because an admin said so: it was paid by hand, or an admin recorded the outcome, which has a note.
create or replace function private.is_done_by_admin(refund public.payment_refunds) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select r.state = 'done' and (r.way = 'by_hand' or r.detail ? 'note') from public.refunds r where r.id = refund.id
  $$;

-- Money without an order could be neither shown nor refunded again, so the refund of a deleted order stays. Items of a failed refund
-- return to the order only while it still has their money: otherwise they would be packed although they are not paid for.
create or replace function private.require_withdrawable(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    found_state text := private.refund_state(refund.id);
  begin
    if found_state = 'withdrawn' then
      perform private.refuse(409, 'refund_withdrawn', 'This refund has already been withdrawn.');
    elsif found_state <> 'failed' and not private.is_done_by_admin(refund) then
      perform private.refuse(409, 'refund_not_by_hand', 'PayFast sent this refund, so it cannot be withdrawn.');
    elsif not exists (select from public.orders o where o.id = refund.order_id) then
      perform private.refuse(409, 'refund_without_order', 'The order of this refund no longer exists, so the refund cannot be withdrawn.');
    elsif found_state = 'failed' and refund.restocked and (private.went_back_otherwise(refund)
        or private.price_of_lures(refund) > private.refundable_of(refund.order_id)) then
      perform private.refuse(409, 'refund_exceeds_payment',
        'This money was refunded another way, so the lures stay off the order. An open issue can be resolved with a note.');
    end if;
  end
  $$;
