-- The payment ledger: what the shop asked for, what PayFast reported, what was checked, and what followed.
--
-- Every row is written once. A trigger refuses updates, deletes and truncates, so the ledger can be read as evidence. A state
-- is a further row: a notice is decided when it has a row in payment_notice_outcomes, an issue is resolved when it has a row
-- in payment_issue_resolutions, a refund has the state of its newest row in payment_refund_events.
--
-- order_id has no foreign key in the ledger: the record of money outlives a deleted order, and order_number keeps the name
-- that people know it by. Amounts are rand with two decimals.
--
-- How an amount gets from PayFast to an order: start_payment_attempt() writes what is asked for; store_notice() stores what
-- PayFast posts; the job check_notice verifies it; apply_confirmed_notice() writes the payment and marks the order as paid.

-- Admins read the ledger. Not granted: insert. All rows come from the functions of this folder, which run as the owner.
comment on table public.payment_attempts is 'One row for each time a customer was sent to the payment page, with the amount asked for.';
comment on column public.payment_attempts.m_payment_id is 'Our name for the attempt. PayFast echoes it in the notice.';
comment on column public.payment_attempts.top_up_id is 'The request for the difference that this attempt pays; null for the whole order.';
comment on column public.payment_attempts.merchant_id is
  'The PayFast account of the attempt. A notice must name the same one.';
comment on column public.payment_attempts.amount is 'Rand asked for.';
comment on column public.payment_attempts.order_number is 'Kept here for people, because the order may be deleted.';
grant select on public.payment_attempts to authenticated, service_role;

create policy select_as_admin on public.payment_attempts for select to authenticated
  using ((select private.is_admin()));

comment on table public.payments is
  'Money received: one row for each payment that PayFast confirms or an admin records, whether or not it fits an order.';
comment on column public.payments.order_id is 'Null when the payment names no attempt of ours.';
comment on column public.payments.outcome is 'What the payment did to its order when it arrived. It never changes; payment_acceptances adds later decisions.';
comment on column public.payments.way is 'How the money came: payfast, or eft and cash as an admin recorded them.';
comment on column public.payments.received_on is
  'The day of South African time on which an EFT or cash arrived, as an admin named it. Null: the day on which it was recorded.';
comment on column public.payments.withdrawn_before is
  'How many payments of the order had been withdrawn before. An order is paid once for each of these numbers.';
comment on column public.payments.reference is 'The name of the payment on the bank statement or receipt.';
comment on column public.payments.recorded_by is
  'The admin who recorded the payment: by EFT, in cash, or listed in PayFast''s history without a notice. No foreign key: the ledger outlives the account.';
comment on column public.payments.notice_id is 'The notice that reported it. Null for EFT and cash, and for a payment whose notice never arrived.';
comment on column public.payments.pf_payment_id is 'PayFast''s number of the payment; null for EFT and cash.';
comment on column public.payments.amount_gross is 'Rand that the customer paid.';
comment on column public.payments.amount_fee is 'PayFast''s fee in rand, negative as PayFast reports it.';
comment on column public.payments.amount_net is 'Rand that PayFast pays out.';
grant select on public.payments to authenticated, service_role;

create policy select_as_admin on public.payments for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_refund_items is 'The order lines that a refund took units off, with quantities.';
comment on column public.payment_refund_items.order_item_id is 'The line. No foreign key: the order may be deleted.';
comment on column public.payment_refund_items.quantity is 'Units that the order lost: returned to stock, or still to be made (to_make).';
comment on column public.payment_refund_items.to_make is 'Units of quantity that still had to be made, so that no stock moved.';
grant select on public.payment_refund_items to authenticated, service_role;

create policy select_as_admin on public.payment_refund_items for select to authenticated
  using ((select private.is_admin()));

-- A payment pays its order by an exact notice, by hand, or because an admin accepted it later. Every other payment of an
-- order is surplus (a duplicate, a wrong amount). It took no stock, so refunding it returns none.
create or replace view public.payment_balances with (security_invoker = true) as
  select p.id as payment_id, p.order_id, p.pf_payment_id, p.amount_gross, back.given_back, back.on_its_way,
    p.amount_gross - back.given_back - back.on_its_way as refundable,
    case p.way when 'payfast' then private.refund_way() else 'by_hand' end as refund_way,
    p.outcome in ('paid', 'reinstated')
      or exists (select from public.payment_acceptances a where a.payment_id = p.id) as pays_order,
    p.way, p.reference, coalesce(private.noon_of(p.received_on), p.created_at) as received_at, p.received_on, p.outcome
  from public.payments p
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.state = 'done'), 0) as given_back,
      coalesce(sum(r.amount) filter (where r.state in ('requested', 'sent', 'unknown')), 0) as on_its_way
    from public.refunds r where r.payment_id = p.id
  ) as back
  where not exists (select from public.payment_withdrawals w where w.payment_id = p.id);

comment on view public.payment_balances is
  'For each payment that was not withdrawn, in rand: received, refunded, being refunded, and still refundable.';
comment on column public.payment_balances.refund_way is 'The method of a refund made now: payfast or by_hand.';
comment on column public.payment_balances.pays_order is
  'Whether this payment made its order paid; false for a duplicate or a wrong amount.';
comment on column public.payment_balances.amount_gross is 'Rand received.';
comment on column public.payment_balances.given_back is 'Rand refunded.';
comment on column public.payment_balances.on_its_way is 'Rand of refunds that are requested, sent or unknown.';
comment on column public.payment_balances.refundable is 'Rand that a refund may still take.';
comment on column public.payment_balances.way is 'payfast, eft or cash.';
comment on column public.payment_balances.received_at is
  'When the money arrived; noon of received_on where it is set.';
comment on column public.payment_balances.outcome is 'What the payment did to its order when it arrived.';
grant select on public.payment_balances to authenticated, service_role;

-- Every ledger table has both triggers: row triggers do not fire on truncate.
create or replace function private.forbid_ledger_change() returns trigger
language plpgsql set search_path = '' as $$
begin
  -- After five years the person is removed (people/retention.sql). Nothing else of the row may change.
  if tg_op = 'UPDATE' and tg_table_name = 'payment_notices' then
    if old.received_at < now() - interval '5 years'
      and to_jsonb(new) = to_jsonb(old) || '{"raw_body": "Erased", "headers": {}, "source_address": null}' then
      return new;
    end if;
  elsif tg_op = 'UPDATE' and tg_table_name = 'payment_notice_checks' then
    if old.check_name = 'source' and old.checked_at < now() - interval '5 years' and to_jsonb(new) = to_jsonb(old) || '{"detail": null}' then
      return new;
    end if;
  elsif tg_op = 'UPDATE' and tg_table_name = 'payments' then
    if old.created_at < now() - interval '5 years' and to_jsonb(new) = to_jsonb(old) || '{"reference": null}' then
      return new;
    end if;
  end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
end
$$;

create trigger rows_are_never_changed before delete or update on public.payment_attempts
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_attempts
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_notices
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_notices
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_notice_checks
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_notice_checks
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_notice_outcomes
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_notice_outcomes
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payments
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payments
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_issues
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_issues
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_issue_resolutions
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_issue_resolutions
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_acceptances
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_acceptances
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before delete or update on public.payment_refunds
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_refunds
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before update or delete on public.payment_reconciliations
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_reconciliations
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before update or delete on public.payment_refund_events
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_refund_events
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before update or delete on public.payment_refund_items
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_refund_items
  for each statement execute function private.forbid_ledger_change();
create trigger rows_are_never_changed before update or delete on public.payment_top_ups
  for each row execute function private.forbid_ledger_change();
create trigger rows_are_never_emptied before truncate on public.payment_top_ups
  for each statement execute function private.forbid_ledger_change();

-- The policy cancel_own on orders needs this: the page /payment-cancelled cancels the order in its address, and an order that
-- holds money (a short payment, for example) must not be cancelled without its customer reading what happens to the money.
-- Only refundable money counts: money on its way back and undecided notices do not. has_money_waiting() counts those too, and the
-- policy asks about undecided notices itself.
-- Security definer: customers may not read the ledger. It returns only a sum, and policies restrict whose order is asked about.
create or replace function private.held_amount(order_id uuid) returns numeric
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(sum(b.refundable), 0) from public.payment_balances b where b.order_id = held_amount.order_id
  $$;
comment on function private.held_amount is
  'Rand of all payments of this order that are neither refunded nor being refunded.';
grant execute on function private.held_amount to authenticated;

-- An order that holds money cannot be deleted: the customer's address would go with it, and no refund could be mailed. An order
-- holds money while a payment is not refunded in full or one is being confirmed. The specified page deletes the
-- lines before the order, so both tables are guarded. The order is locked before its lines go: a payment at the same time would
-- read them as there, and pay an order that then has none. A row trigger fires with its line locked, and a refund locks the order before
-- its lines, so waiting for the order could be a deadlock: it is refused instead.
create or replace function private.forbid_deleting_held_money() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    deleted_order uuid := to_jsonb(old) ->> case tg_table_name when 'orders' then 'id' else 'order_id' end;
  begin
    begin
      perform from public.orders o where o.id = deleted_order for no key update nowait;
    exception
      when lock_not_available then
        perform private.refuse(409, 'order_busy', 'This order is being changed right now. Please try again.');
    end;
    if private.is_payment_being_confirmed(deleted_order) then
      perform private.refuse(409, 'payment_being_confirmed',
        'A payment for this order is being confirmed, or needs your decision first: see Needs attention.');
    elsif private.has_money_waiting(deleted_order) then
      perform private.refuse(409, 'order_holds_money', 'This order has received money. Cancel and refund it before you delete it.');
    end if;
    return old;
  end
  $$;

create trigger forbid_deleting_held_money before delete on public.orders
  for each row execute function private.forbid_deleting_held_money();
create trigger forbid_deleting_held_money before delete on public.order_items
  for each row execute function private.forbid_deleting_held_money();
