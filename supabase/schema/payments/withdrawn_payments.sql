-- Payments by hand that were recorded by mistake, on the wrong order for example, and are withdrawn: no money came.
--
-- The ledger stays append only: a withdrawal is a row of its own, and payment_balances, from which all sums follow, leaves the payment
-- out. An order that it had paid awaits payment again and reserves its lures, or is cancelled again if the payment had reinstated it; but
-- if another payment of exactly the total was recorded as paid twice, that one pays the order now.
-- Money through PayFast has moved, so it is refunded and never withdrawn. So is one of two payments that paid an order together.
-- Locks: the order, the payment, then those of a step of the order's status.

-- Admins read. Not granted: insert. Rows come from withdraw_payment().
comment on table public.payment_withdrawals is 'Payments by EFT or cash that were recorded by mistake. They count nowhere.';
comment on column public.payment_withdrawals.reason is 'For staff only: it may name another customer.';
comment on column public.payment_withdrawals.withdrawn_by is 'The admin. No foreign key: the ledger outlives the account.';
comment on column public.payment_withdrawals.order_id is 'The order of the payment. No foreign key.';
grant select on public.payment_withdrawals to authenticated, service_role;

create policy select_as_admin on public.payment_withdrawals for select to authenticated
  using ((select private.is_admin()));

create trigger rows_are_never_changed before update or delete on public.payment_withdrawals
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_withdrawals
  for each statement execute function private.forbid_ledger_change();

create or replace function public.withdraw_payment(payment_id uuid, reason text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    withdrawn public.payments;
    ordered public.orders;
    had_paid boolean;
    returned_to text;
  begin
    perform private.require_admin();
    if (private.is_line(btrim(withdraw_payment.reason), 3, 255)) is not true then
      perform private.refuse(422, 'invalid_reason', 'Please explain in a few words why you withdraw this payment.');
    end if;
    withdrawn := private.lock_payment(withdraw_payment.payment_id);
    select * into ordered from public.orders o where o.id = withdrawn.order_id;
    select b.pays_order into had_paid from public.payment_balances b where b.payment_id = withdrawn.id;
    perform private.require_payment_withdrawable(withdrawn, ordered, had_paid);

    insert into public.payment_withdrawals (payment_id, order_id, reason, withdrawn_by)
      values (withdrawn.id, ordered.id, btrim(withdraw_payment.reason), (select auth.uid()));
    perform private.resolve_issues(withdrawn, 'The payment was withdrawn: ' || btrim(withdraw_payment.reason));
    if not had_paid then
      perform private.release_order_of_notice(ordered.id);
    elsif not private.pay_with_duplicate(ordered) then
      returned_to := private.take_back_payment(ordered);
    end if;
    perform private.lower_refund_task(ordered.id, had_paid);
    insert into public.order_events (order_id, kind, detail)
      values (ordered.id, 'payment_withdrawn', jsonb_strip_nulls(jsonb_build_object(
        'payment_id', withdrawn.id, 'way', withdrawn.way, 'amount', withdrawn.amount_gross,
        'reason', btrim(withdraw_payment.reason), 'to', returned_to)));
    -- No other payment was mentioned in a mail.
    if returned_to is not null or ordered.status = 'cancelled'
      or exists (select from public.payment_top_ups t where t.payment_id = withdrawn.id) then
      perform private.queue_payment_correction(withdrawn);
    end if;
    return (select o.status from public.orders o where o.id = ordered.id);
  end
  $$;
comment on function public.withdraw_payment is
  'Withdraws a payment by EFT or cash that was recorded by mistake, with a reason. Returns the status of its order: pending_payment or cancelled if the payment had paid it. Errors: invalid_reason, payment_not_found, payment_withdrawn, payment_not_by_hand, payment_refunded, order_not_found, order_has_left, paid_by_several.';
grant execute on function public.withdraw_payment to authenticated;

create or replace function private.require_payment_withdrawable(payment public.payments, ordered public.orders, had_paid boolean) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if payment.way = 'payfast' then
      perform private.refuse(409, 'payment_not_by_hand', 'This money came through PayFast, so the payment cannot be withdrawn. Refund it instead.');
    elsif ordered.id is null then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif exists (select from public.refunds r where r.payment_id = payment.id and r.state <> 'withdrawn') then
      perform private.refuse(409, 'payment_refunded', 'Money of this payment has already been refunded.');
    elsif not had_paid then
      return;
    elsif private.has_been_shipped(ordered) and (private.duplicate_of(ordered)).payment_id is null then
      perform private.refuse(409, 'order_has_left', 'This order has been shipped, so its payment cannot be withdrawn. Ask the customer to pay, and keep this payment for theirs.');
    elsif exists (
      select from public.payment_balances b where b.order_id = ordered.id and b.pays_order and b.payment_id <> payment.id) then
      perform private.refuse(409, 'paid_by_several', 'Two payments paid this order together, so neither can be withdrawn. Record a refund of this one instead.');
    end if;
  end
  $$;

-- A cancellation after shipping returned nothing to stock: the lures are with the customer.
create or replace function private.has_been_shipped(ordered public.orders) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select ordered.status in ('shipped', 'delivered') or ordered.status = 'cancelled' and coalesce((
      select e.detail ->> 'from' in ('shipped', 'delivered') from public.order_events e
      where e.order_id = ordered.id and e.kind = 'cancelled' order by e.id desc limit 1), false)
  $$;

-- A second payment of exactly the total, of which nothing was refunded.
create or replace function private.duplicate_of(ordered public.orders) returns public.payment_balances
  language sql stable
  set search_path = ''
  as $$
    select b from public.payment_balances b
    where b.order_id = ordered.id and b.outcome = 'paid_twice' and not b.pays_order
      and b.amount_gross = ordered.total_amount and b.refundable = b.amount_gross
    order by b.received_at, b.payment_id limit 1
  $$;

-- The customer paid too, and only the mistake made that a second payment. The order stays as it is and counts on the day of that payment.
create or replace function private.pay_with_duplicate(ordered public.orders) returns boolean
  language plpgsql
  set search_path = ''
  as $$
  declare
    duplicate public.payment_balances := private.duplicate_of(ordered);
    payment public.payments;
  begin
    if duplicate.payment_id is null then
      return false;
    end if;
    select * into payment from public.payments p where p.id = duplicate.payment_id;
    insert into public.payment_acceptances (payment_id, order_id, accepted_by)
      values (payment.id, ordered.id, (select auth.uid()));
    perform private.resolve_issues(payment, 'It pays the order since the other payment was withdrawn.');
    update public.orders o set paid_at = greatest(o.placed_at, duplicate.received_at) where o.id = ordered.id;
    return true;
  end
  $$;

-- Returns the status that the order had before its payment: cancelled with its earlier reason, or awaiting payment.
create or replace function private.take_back_payment(ordered public.orders) returns text
  language plpgsql
  set search_path = ''
  as $$
  begin
    -- The payment gave the order the account of its address. Another payment gives it back.
    update public.orders o set customer_id = null where o.id = ordered.id and private.got_account_by_address(o);
    if ordered.status = 'cancelled' then
      update public.orders o set paid_at = null where o.id = ordered.id;
      return 'cancelled';
    elsif private.was_reinstated_by_payment(ordered.id) then
      update public.orders o
        set status = 'cancelled', paid_at = null, cancellation_reason = coalesce((
          select e.detail ->> 'reason' from public.order_events e
          where e.order_id = o.id and e.kind = 'cancelled' order by e.id limit 1), 'shop')
        where o.id = ordered.id;
      return 'cancelled';
    end if;
    -- All variants before any product: returning the stock locks both, and reserving it the variants again.
    perform private.lock_variant_rows(array(select i.variant_id from public.order_items i where i.order_id = ordered.id));
    update public.orders o set status = 'pending_payment', paid_at = null where o.id = ordered.id;
    perform private.reserve_again(ordered);
    return 'pending_payment';
  end
  $$;

-- The first of these events since the order last awaited its payment was that payment.
create or replace function private.was_reinstated_by_payment(order_id uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce((
      select e.kind = 'reinstated' from public.order_events e
      where e.order_id = was_reinstated_by_payment.order_id and e.kind in ('paid', 'reinstated')
        and e.id > coalesce((
          select max(w.id) from public.order_events w
          where w.order_id = was_reinstated_by_payment.order_id and w.kind = 'payment_withdrawn' and w.detail ? 'to'), 0)
      order by e.id limit 1), false)
  $$;

-- The order waits as it did when it was placed: one that staff entered for days and without expiring. If its lures are no longer in
-- stock, it waits without them, as after the end of a reservation.
create or replace function private.reserve_again(ordered public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_manual boolean := exists (
      select from public.order_events e where e.order_id = ordered.id and e.kind = 'entered_by_hand');
    rules private.shop_rules;
    reserved_to timestamptz;
    refusal text;
  begin
    select * into rules from private.shop_rules;
    begin
      reserved_to := private.reserve_stock(ordered.id, now() + case when is_manual then private.staff_reservation()
        else make_interval(mins => rules.reservation_minutes) end);
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        reserved_to := now();
    end;
    if is_manual and reserved_to > now() then
      -- An account that the payment attached would end the reservation within hours.
      reserved_to := now() + private.staff_reservation();
      update public.stock_reservations h set expires_at = reserved_to where h.order_id = ordered.id;
    end if;
    update public.orders o
      set reserved_until = reserved_to, expires_at = case
        when not is_manual and not private.has_money_waiting(o.id) then now() + make_interval(hours => rules.unpaid_expire_hours) end
      where o.id = ordered.id;
  end
  $$;

-- A cancelled order holds less money, and none of it went back. If the payment had paid the order, reinstating it does not require that
-- money any more; otherwise it requires what it did, so that a refund of the payment that paid still prevents it.
create or replace function private.lower_refund_task(order_id uuid, had_paid boolean) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    held numeric := private.held_amount(lower_refund_task.order_id);
    is_over boolean := had_paid and held = 0;
  begin
    update public.refund_tasks t
      set outstanding = held,
        paying_amount = case when had_paid then private.refundable_of(t.order_id) else t.paying_amount end,
        ended_as = case when is_over then 'withdrawn' end, ended_at = case when is_over then now() end,
        ended_by = case when is_over then auth.uid() end
      where t.order_id = lower_refund_task.order_id and t.ended_at is null;
  end
  $$;

-- How often payments of this order were withdrawn.
create or replace function private.withdrawals_of(order_id uuid) returns int
  language sql stable
  set search_path = ''
  as $$
    select count(*)::int from public.payment_withdrawals w where w.order_id = withdrawals_of.order_id
  $$;
