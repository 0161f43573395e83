-- Applies a notice that PayFast has confirmed. The one place where an order becomes paid.
--
-- The order's row is locked before anything is decided, so copies of a notice that arrive together,
-- and two payments for one order, are decided one after the other.
create function private.apply_confirmed_notice(notice_id uuid, payment jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  paid_amount  numeric(10,2) := (payment ->> 'amount_gross')::numeric;
  attempt      public.payment_attempts;
  ordered      public.orders;
  outcome      text;
  detail       jsonb;
begin
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
    outcome := private.outcome_for_order(ordered, attempt.amount, paid_amount);
    perform private.note_check(apply_confirmed_notice.notice_id, 'amount',
      case when outcome = 'wrong_amount' then 'failed' else 'passed' end);
  end if;

  insert into public.payments (
      pf_payment_id, notice_id, order_id, m_payment_id, amount_gross, amount_fee, amount_net, outcome)
    values (
      payment ->> 'pf_payment_id', apply_confirmed_notice.notice_id, attempt.order_id, payment ->> 'm_payment_id',
      paid_amount, (payment ->> 'amount_fee')::numeric, (payment ->> 'amount_net')::numeric, outcome)
    on conflict on constraint pf_payment_id_is_unique do nothing;
  if not found then
    -- No order was locked, and another notice of the same payment came first.
    return private.decide_notice(apply_confirmed_notice.notice_id, 'repeated');
  end if;

  detail := jsonb_build_object(
    'pf_payment_id', payment ->> 'pf_payment_id', 'order_number', attempt.order_number,
    'amount_gross', paid_amount, 'amount_asked', attempt.amount, 'order_total', ordered.total_amount);
  return private.decide_notice(apply_confirmed_notice.notice_id, outcome, attempt.order_id, detail);
end
$$;


-- What a confirmed payment means for its locked order; makes it paid when it fits. The amount must be
-- what was asked for at that attempt and what the order still costs, to the cent.
create function private.outcome_for_order(ordered public.orders, amount_asked numeric, amount_paid numeric) returns text
language plpgsql security definer set search_path = '' as $$
begin
  if ordered.status not in ('pending_payment', 'cancelled') or ordered.paid_at is not null then
    return 'paid_twice';
  end if;
  if amount_paid <> amount_asked or amount_paid <> ordered.total_amount then
    return 'wrong_amount';
  end if;

  -- A late payment brings a cancelled order back when the shelf still has its lures; if not, a person decides.
  return case private.mark_order_paid(ordered.id, now())
    when 'paid' then 'paid'
    when 'reinstated' then 'reinstated'
    when 'sold_out' then 'sold_out'
    else 'paid_twice'
  end;
end
$$;


-- A notice may be quicker than the row it names. It gets three more chances before it counts as money
-- for an unknown order.
create function private.awaits_attempt(notice_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  times_missed integer;
begin
  select count(*) into times_missed from public.payment_notice_checks c
    where c.notice_id = awaits_attempt.notice_id and c.check_name = 'attempt';
  if times_missed >= 3 then
    return false;
  end if;
  perform private.note_check(awaits_attempt.notice_id, 'attempt', 'unknown', 'no such attempt yet');
  perform private.check_notice_at(awaits_attempt.notice_id, now() + private.notice_pause(times_missed + 1));
  return true;
end
$$;


create function private.note_check(notice_id uuid, check_name text, result text, detail text default null) returns void
language sql security definer set search_path = '' as $$
  insert into public.payment_notice_checks (notice_id, check_name, result, detail)
    values (note_check.notice_id, note_check.check_name, note_check.result, note_check.detail)
$$;


-- Notices of an order that wait for PayFast's answer are asked about now. A buyer who waits on the
-- return page triggers it; the pause of five seconds between two questions stays.
create function private.hurry_notices(order_id uuid) returns integer
language sql security definer set search_path = '' as $$
  with waiting as (
    select n.id
    from public.payment_attempts a
    join public.payment_notices n using (m_payment_id)
    where a.order_id = hurry_notices.order_id
      and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)
      and not exists (
        select from public.payment_notice_checks c
        where c.notice_id = n.id and c.checked_at > now() - interval '5 seconds')
  ), hurried as (
    select private.check_notice_at(waiting.id, now()) from waiting
  )
  select count(*)::integer from hurried
$$;
-- NOTE: nothing here is granted: the server calls it as the owner.
