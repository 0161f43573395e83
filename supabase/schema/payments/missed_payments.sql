-- Payments that PayFast's history lists although their notices never arrived.
--
-- The daily comparison raises an issue for each (reconciliation.sql), and an admin records the payment. It does to its order what its
-- notice would have done. The history that the shop fetched from PayFast verifies it: number, attempt and amount come from there and
-- not from the admin. A notice that arrives later is a repetition, because its payment exists (apply_confirmed_notice).
--
-- Lock order: the PayFast payment (advisory lock), then the order, then stock.
create or replace function public.record_missed_payment(issue_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    missed public.payment_issues;
    attempt public.payment_attempts;
    ordered public.orders;
    payment public.payments;
    paid_amount numeric(10,2);
    what_it_did text;
  begin
    perform private.require_admin();
    select * into missed from public.payment_issues c
      where c.id = record_missed_payment.issue_id and c.kind = 'missed_notice';
    if not found then
      perform private.refuse(404, 'issue_not_found', 'There is no such payment issue.');
    end if;
    paid_amount := (missed.detail ->> 'amount')::numeric;

    perform private.lock_payfast_payment(missed.detail ->> 'pf_payment_id');
    if exists (select from public.payments p where p.pf_payment_id = missed.detail ->> 'pf_payment_id')
      or exists (select from public.payment_issue_resolutions r where r.issue_id = missed.id) then
      perform private.refuse(409, 'issue_resolved', 'This payment issue has already been resolved.');
    end if;
    select * into attempt from public.payment_attempts a where a.m_payment_id = missed.detail ->> 'm_payment_id';
    if not found then
      perform private.refuse(409, 'payment_without_order',
        'This payment belongs to no order of this shop. Look it up at PayFast, then resolve this with a note.');
    end if;
    -- As for a notice: an order that holds money neither expires nor loses its lures within the hour.
    perform private.keep_order_for_notice(attempt.m_payment_id, now() + interval '1 hour');
    select * into ordered from public.orders o where o.id = attempt.order_id for update;
    what_it_did := case when ordered.id is null then 'order_deleted'
      else private.apply_payment(ordered, attempt, paid_amount) end;

    insert into public.payments (pf_payment_id, order_id, m_payment_id, amount_gross, outcome, recorded_by, withdrawn_before)
      values (missed.detail ->> 'pf_payment_id', attempt.order_id, attempt.m_payment_id, paid_amount, what_it_did,
        (select auth.uid()), private.withdrawals_of(attempt.order_id))
      returning * into payment;
    insert into public.order_events (order_id, kind, detail)
      select ordered.id, 'missed_payment_recorded', jsonb_build_object(
        'amount', paid_amount, 'pf_payment_id', payment.pf_payment_id, 'outcome', what_it_did)
      where ordered.id is not null;
    insert into public.payment_issue_resolutions (issue_id, resolved_by, note)
      values (missed.id, (select auth.uid()), case when what_it_did in ('paid', 'reinstated')
        then 'The payment was recorded for its order.' else 'The payment was recorded and needs a decision of its own.' end)
      on conflict on constraint payment_issue_resolutions_pkey do nothing;
    if what_it_did not in ('paid', 'reinstated') then
      -- Without pf_payment_id in `detail`: such issues are raised once (a_difference_is_flagged_once), and this one may be raised again.
      perform private.raise_payment_issue(what_it_did, null, attempt.order_id, jsonb_build_object(
        'payment_id', payment.id, 'order_number', attempt.order_number,
        'amount_gross', paid_amount, 'amount_asked', attempt.amount, 'order_total', ordered.total_amount));
    end if;
    return what_it_did;
  end
  $$;
comment on function public.record_missed_payment is
  'An admin records the payment of an issue "missed_notice", as PayFast''s history lists it. Returns what it did to its order: paid, reinstated, or why it paid none, which needs attention. Errors: issue_not_found, issue_resolved, payment_without_order.';
grant execute on function public.record_missed_payment to authenticated;
