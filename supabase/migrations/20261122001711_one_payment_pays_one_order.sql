-- Two notices may name the same payment of PayFast and different orders, which no honest notice does. Each locked its own order and
-- made it paid before the payment's unique number refused the second row, so one payment paid two orders. The payment is locked first
-- now; after that lock its row is there or it is not.
create or replace function private.apply_confirmed_notice(notice_id uuid, payment jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  paid_amount  numeric(10,2) := (payment ->> 'amount_gross')::numeric;
  attempt      public.payment_attempts;
  ordered      public.orders;
  outcome      text;
  detail       jsonb;
begin
  perform pg_advisory_xact_lock(hashtextextended('payment ' || (payment ->> 'pf_payment_id'), 0));
  select * into attempt from public.payment_attempts a where a.m_payment_id = payment ->> 'm_payment_id';
  if found then
    select * into ordered from public.orders o where o.id = attempt.order_id for update;
  end if;

  if exists (select from public.payments p where p.pf_payment_id = payment ->> 'pf_payment_id') then
    return private.decide_notice(apply_confirmed_notice.notice_id, 'repeated');
  end if;

  if attempt.id is null and private.awaits_attempt(apply_confirmed_notice.notice_id) then
    return 'postponed';
  end if;

  perform private.note_check(apply_confirmed_notice.notice_id, 'attempt',
    case when attempt.id is null then 'failed' else 'passed' end);
  if attempt.id is null then
    outcome := 'unknown_order';
  elsif ordered.id is null then
    outcome := 'order_deleted';
  else
    outcome := private.outcome_for_order(ordered, attempt, paid_amount);
    perform private.note_check(apply_confirmed_notice.notice_id, 'amount',
      case when outcome = 'wrong_amount' then 'failed' else 'passed' end);
  end if;

  insert into public.payments (
      pf_payment_id, notice_id, order_id, m_payment_id, amount_gross, amount_fee, amount_net, outcome)
    values (
      payment ->> 'pf_payment_id', apply_confirmed_notice.notice_id, attempt.order_id, payment ->> 'm_payment_id',
      paid_amount, (payment ->> 'amount_fee')::numeric, (payment ->> 'amount_net')::numeric, outcome);

  detail := jsonb_build_object(
    'pf_payment_id', payment ->> 'pf_payment_id', 'order_number', attempt.order_number,
    'amount_gross', paid_amount, 'amount_asked', attempt.amount, 'order_total', ordered.total_amount);
  return private.decide_notice(apply_confirmed_notice.notice_id, outcome, attempt.order_id, detail);
end
$$;
