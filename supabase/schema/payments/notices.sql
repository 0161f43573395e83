-- Payment notices (PayFast's ITN): stored as received, checked by a job, applied once.
--
-- 1. The endpoint checks names of fields and the signature, and calls store_notice(), which stores the body and queues the job
--    check_notice in one transaction, before PayFast receives its 200.
-- 2. The job checks merchant, source and PayFast's own confirmation. Without a clear answer it calls postpone_notice() and
--    marks nothing: PayFast may be unreachable for weeks.
-- 3. With a confirmation it calls apply_confirmed_notice(), which writes the payment, marks the order as paid and decides the
--    notice. Repeating it changes nothing: pf_payment_id is unique and locked first.
-- While a notice is undecided its order does not expire and keeps the reservations that are still valid, because money is on its
-- way. Expired reservations are not renewed.
--
-- Lock order: the PayFast payment (advisory lock), then the order, then stock.

-- Admins read all of it. Not granted: insert. Only the functions below write, as the owner.
comment on table public.payment_notices is 'Payment notices as received, stored before they are answered.';
comment on column public.payment_notices.raw_body is 'The posted form, byte for byte. All checks read this column.';
comment on column public.payment_notices.m_payment_id is 'Copied from the body for look-ups. Unverified.';
comment on column public.payment_notices.headers is 'HTTP headers of the request, as evidence.';
comment on column public.payment_notices.source_address is
  'Address of the sender. Evidence only: PayFast''s confirmation decides.';
grant select on public.payment_notices to authenticated, service_role;

create policy select_as_admin on public.payment_notices for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_notice_checks is 'Each check of a notice, each time it was made.';
comment on column public.payment_notice_checks.check_name is
  'signature, merchant, source, confirmation, attempt or amount.';
comment on column public.payment_notice_checks.result is 'passed, failed or unknown.';
comment on column public.payment_notice_checks.detail is 'What the check saw, for people.';
grant select on public.payment_notice_checks to authenticated, service_role;

create policy select_as_admin on public.payment_notice_checks for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_notice_outcomes is 'The decision about a notice. A notice without a row here is still being checked.';
comment on column public.payment_notice_outcomes.outcome is
  'paid, reinstated, repeated, not_a_payment, or why it paid no order.';
grant select on public.payment_notice_outcomes to authenticated, service_role;

create policy select_as_admin on public.payment_notice_outcomes for select to authenticated
  using ((select private.is_admin()));

-- An order without expires_at is not replaced by its customer's next order either.
create or replace function private.keep_order_for_notice(m_payment_id text, until timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept uuid := private.order_of_attempt(m_payment_id);
begin
  update public.orders o set expires_at = null, reserved_until = greatest(o.reserved_until, until)
    where o.id = kept and o.status = 'pending_payment';
  update public.stock_reservations h set expires_at = until where h.order_id = kept and h.expires_at between now() and until;
end
$$;

-- No money of the order is unsettled any more: it expires like one that was just placed. Also called after refunds. A manual order
-- without an account waits for its payment until staff cancel it.
create or replace function private.release_order_of_notice(order_id uuid) returns void
language sql security definer set search_path = '' as $$
  update public.orders o set expires_at = now() + make_interval(hours => r.unpaid_expire_hours)
    from private.shop_rules r
    where o.id = release_order_of_notice.order_id and o.status = 'pending_payment' and o.expires_at is null
      and o.customer_id is not null and not private.has_money_waiting(o.id)
$$;

-- Growing delays between two checks of a notice, or two refund calls: seconds at first, hours during an outage.
create or replace function private.retry_delay(times_asked integer) returns interval
language sql immutable set search_path = '' as $$
  select (array[
    '5 seconds', '15 seconds', '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours'
  ]::interval[])[least(greatest(times_asked, 1), 9)]
$$;

-- One job for each notice: scheduling it again moves its time.
create or replace function private.schedule_notice_check(notice_id uuid, run_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  select graphile_worker.add_job(
    'check_notice', json_build_object('noticeId', notice_id, 'requestId', nullif(current_setting('request.id', true), '')),
    run_at => schedule_notice_check.run_at, job_key => 'check_notice:' || notice_id)
$$;

-- Whether a notice says that money was paid. Compares whole pairs, which need no encoding in a form: the same text inside another
-- field, such as the buyer's name, must not keep an order from expiring.
create or replace function private.reports_payment(raw_body text) returns boolean
language sql immutable set search_path = '' as $$
  select strpos('&' || reports_payment.raw_body || '&', '&payment_status=COMPLETE&') > 0
$$;

-- Stores a notice with a valid signature together with the job that checks the rest.
create or replace function private.store_notice(raw_body text, m_payment_id text, headers jsonb, source_address text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  notice_id uuid;
begin
  insert into public.payment_notices (raw_body, m_payment_id, headers, source_address)
    values (store_notice.raw_body, store_notice.m_payment_id, store_notice.headers, store_notice.source_address)
    returning id into notice_id;
  insert into public.payment_notice_checks (notice_id, check_name, result) values (notice_id, 'signature', 'passed');
  if private.reports_payment(store_notice.raw_body) then
    perform private.keep_order_for_notice(store_notice.m_payment_id, now() + interval '1 hour');
  end if;
  perform private.schedule_notice_check(notice_id, now());
  return notice_id;
end
$$;

-- Stores a notice with an invalid signature as evidence of a wrong passphrase or a forgery. Only for known attempts, and at
-- most ten for each, so that forged notices cannot fill the disk.
create or replace function private.store_refused_notice(raw_body text, m_payment_id text, headers jsonb, source_address text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  attempt public.payment_attempts;
  refused uuid;
begin
  select * into attempt from public.payment_attempts a where a.m_payment_id = store_refused_notice.m_payment_id;
  if not found or (
    select count(*) >= 10 from public.payment_notices n where n.m_payment_id = store_refused_notice.m_payment_id
  ) then
    return;
  end if;

  insert into public.payment_notices (raw_body, m_payment_id, headers, source_address)
    values (store_refused_notice.raw_body, attempt.m_payment_id, store_refused_notice.headers, store_refused_notice.source_address)
    returning id into refused;
  insert into public.payment_notice_checks (notice_id, check_name, result) values (refused, 'signature', 'failed');
  insert into public.payment_notice_outcomes (notice_id, outcome) values (refused, 'bad_signature');
  if not exists (
    select from public.payment_issues c where c.kind = 'bad_signature' and c.order_id = attempt.order_id
  ) then
    perform private.raise_payment_issue('bad_signature', refused, attempt.order_id, '{}');
  end if;
end
$$;

-- The order of an attempt; null for an unknown m_payment_id.
create or replace function private.order_of_attempt(m_payment_id text) returns uuid
language sql stable security definer set search_path = '' as $$
  select a.order_id from public.payment_attempts a where a.m_payment_id = order_of_attempt.m_payment_id
$$;

-- Records the decision in the ledger and on the order's timeline, raises an issue when a person must act, and resolves an
-- earlier issue "unconfirmed" once PayFast has answered.
create or replace function private.decide_notice(notice_id uuid, outcome text, order_id uuid default null, detail jsonb default '{}') returns text
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.payment_notice_outcomes (notice_id, outcome) values (decide_notice.notice_id, decide_notice.outcome)
    on conflict on constraint payment_notice_outcomes_pkey do nothing;
  if decide_notice.outcome not in ('paid', 'reinstated', 'repeated', 'not_a_payment') then
    perform private.raise_payment_issue(decide_notice.outcome, decide_notice.notice_id, decide_notice.order_id, decide_notice.detail);
  end if;
  insert into public.order_events (order_id, kind, detail)
    select o.id, 'payment_notice', jsonb_build_object('outcome', decide_notice.outcome, 'notice_id', decide_notice.notice_id)
    from public.payment_notices n join public.orders o on o.id = private.order_of_attempt(n.m_payment_id)
    where n.id = decide_notice.notice_id and decide_notice.outcome <> 'repeated'
    for key share of o;
  if decide_notice.outcome in ('denied', 'unreadable', 'unconfirmed', 'wrong_merchant', 'repeated', 'not_a_payment') then
    perform private.release_order_of_notice(decide_notice.order_id);
  end if;
  insert into public.payment_issue_resolutions (issue_id, note)
    select c.id, 'PayFast answered: ' || decide_notice.outcome
    from public.payment_issues c
    where c.notice_id = decide_notice.notice_id and c.kind = 'unconfirmed' and decide_notice.outcome <> 'unconfirmed'
    on conflict do nothing;
  return decide_notice.outcome;
end
$$;

-- The pause before the next check of a notice that PayFast has not confirmed yet: as long as it has been asked, because a customer's page
-- adds checks (expedite_notices).
create or replace function private.notice_pause(asked interval) returns interval
language sql immutable set search_path = '' as $$
  select least(greatest(interval '5 seconds', notice_pause.asked), interval '12 hours')
$$;

-- How long PayFast has been asked about a notice without a clear answer. Hours in which the shop was off do not count: between two checks,
-- no more time than the pause that was due.
create or replace function private.time_asked(notice_id uuid) returns interval
language plpgsql stable set search_path = '' as $$
declare
  asked interval := '0';
  since timestamptz;
  checked timestamptz;
begin
  for checked in
    select c.checked_at from public.payment_notice_checks c
    where c.notice_id = time_asked.notice_id and c.check_name = 'confirmation' and c.result = 'unknown'
    order by c.checked_at
  loop
    asked := asked + least(checked - coalesce(since, checked), private.notice_pause(asked));
    since := checked;
  end loop;
  return asked;
end
$$;

-- PayFast gave no clear answer: schedules the next check and changes nothing else. Half an hour raises an issue; thirty days of asking
-- give up.
create or replace function private.postpone_notice(notice_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  waited interval;
  asked interval := private.time_asked(postpone_notice.notice_id);
  m_payment_id text;
begin
  select now() - min(c.checked_at) into waited from public.payment_notice_checks c
    where c.notice_id = postpone_notice.notice_id and c.check_name = 'confirmation' and c.result = 'unknown';
  select n.m_payment_id into m_payment_id from public.payment_notices n where n.id = postpone_notice.notice_id;

  if waited >= interval '30 minutes' then
    perform private.raise_payment_issue('unconfirmed', postpone_notice.notice_id, private.order_of_attempt(m_payment_id), '{}');
  end if;
  if asked >= interval '30 days' then
    return private.decide_notice(postpone_notice.notice_id, 'unconfirmed', private.order_of_attempt(m_payment_id));
  end if;
  perform private.keep_order_for_notice(m_payment_id, now() + private.notice_pause(asked) + interval '1 hour');
  perform private.schedule_notice_check(postpone_notice.notice_id, now() + private.notice_pause(asked));
  return 'postponed';
end
$$;

-- Whether money of this order is unsettled: a payment not refunded in full, or one that is being confirmed. Such an order neither
-- expires nor can be paid again. `besides`: a payment that does not count.
create or replace function private.has_money_waiting(order_id uuid, besides uuid default null) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
        select from public.payment_balances b
        where b.order_id = has_money_waiting.order_id and b.amount_gross > b.given_back
          and b.payment_id is distinct from has_money_waiting.besides)
      or private.is_payment_being_confirmed(has_money_waiting.order_id)
  $$;

-- Called before a customer is sent to PayFast. Renews the reservation first, so that the customer never pays for stock that
-- another order took in the meantime. Errors: order_not_found, order_not_payable, order_without_items,
-- payment_being_confirmed, sold_out.
create or replace function private.start_payment_attempt(order_id uuid, merchant_id text) returns public.payment_attempts
language plpgsql security definer set search_path = '' as $$
declare
  payable public.orders;
  attempt public.payment_attempts;
  reservation text;
begin
  select * into payable from public.orders o where o.id = start_payment_attempt.order_id for update;
  if not found then
    perform private.refuse(404, 'order_not_found', 'There is no such order.');
  end if;
  if payable.status <> 'pending_payment' then
    perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
  end if;
  if not exists (select from public.order_items i where i.order_id = payable.id) then
    perform private.refuse(409, 'order_without_items', 'This order has no items.');
  end if;

  if not private.may_be_paid_now(payable.id) then
    perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed. Please do not pay again.');
  end if;
  reservation := private.renew_reservation(payable.id);
  if reservation = 'sold_out' then
    perform private.refuse(409, 'sold_out', 'We no longer have enough of some lures.');
  elsif reservation <> 'held' then
    perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
  end if;

  insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount, top_up_id)
    values (
      payable.id, payable.order_number,
      lpad(payable.order_number::text, 5, '0') || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
      start_payment_attempt.merchant_id, private.amount_due(payable.id), (private.open_top_up(payable.id)).id)
    returning * into attempt;
  return attempt;
end
$$;

-- A notice can arrive before the transaction that wrote its attempt has committed. It is checked three more times before it
-- counts as money for an unknown order: returns false then.
create or replace function private.postpone_for_attempt(notice_id uuid) returns boolean
language plpgsql security definer set search_path = '' as $$
declare
  times_missed integer;
begin
  select count(*) into times_missed from public.payment_notice_checks c
    where c.notice_id = postpone_for_attempt.notice_id and c.check_name = 'attempt';
  if times_missed >= 3 then
    return false;
  end if;
  perform private.record_notice_check(postpone_for_attempt.notice_id, 'attempt', 'unknown', 'no such attempt yet');
  perform private.schedule_notice_check(postpone_for_attempt.notice_id, now() + private.retry_delay(times_missed + 1));
  return true;
end
$$;

-- A check may be recorded several times: each row is one time it was made.
create or replace function private.record_notice_check(notice_id uuid, check_name text, result text, detail text default null) returns void
language sql security definer set search_path = '' as $$
  insert into public.payment_notice_checks (notice_id, check_name, result, detail)
    values (record_notice_check.notice_id, record_notice_check.check_name, record_notice_check.result, record_notice_check.detail)
$$;

-- Checks the undecided notices of an order now instead of at their next scheduled time, because the customer waits on the
-- return page. At most one check in five seconds at first, and in ten minutes once the notice is some hours old: each check is a request
-- to PayFast and rows that stay, and PayFast may give no clear answer for weeks. Returns the number of checks scheduled.
create or replace function private.expedite_notices(order_id uuid) returns integer
language sql security definer set search_path = '' as $$
  with waiting as (
    select n.id
    from public.payment_attempts a
    join public.payment_notices n using (m_payment_id)
    where a.order_id = expedite_notices.order_id
      and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)
      and not exists (
        select from public.payment_notice_checks c
        where c.notice_id = n.id
          and c.checked_at > now() - greatest(interval '5 seconds', least((now() - n.received_at) / 20, interval '10 minutes')))
  ), hurried as (
    select private.schedule_notice_check(waiting.id, now()) from waiting
  )
  select count(*)::integer from hurried
$$;

-- Before anything else about a payment of PayFast: two forged notices could name one payment and two orders, and each would mark its order
-- as paid before the unique pf_payment_id refused the second row.
create or replace function private.lock_payfast_payment(pf_payment_id text) returns void
language sql set search_path = '' as $$
  select pg_advisory_xact_lock(hashtextextended('payment ' || lock_payfast_payment.pf_payment_id, 0))
$$;

-- Applies a notice that PayFast has confirmed.
create or replace function private.apply_confirmed_notice(notice_id uuid, payment jsonb) returns text
language plpgsql security definer set search_path = '' as $$
declare
  paid_amount  numeric(10,2) := (payment ->> 'amount_gross')::numeric;
  attempt      public.payment_attempts;
  ordered      public.orders;
  outcome      text;
  detail       jsonb;
begin
  perform private.lock_payfast_payment(payment ->> 'pf_payment_id');
  select * into attempt from public.payment_attempts a where a.m_payment_id = payment ->> 'm_payment_id';
  if found then
    select * into ordered from public.orders o where o.id = attempt.order_id for update;
  end if;

  if exists (select from public.payments p where p.pf_payment_id = payment ->> 'pf_payment_id') then
    return private.decide_notice(apply_confirmed_notice.notice_id, 'repeated', attempt.order_id);
  end if;

  if attempt.id is null and private.postpone_for_attempt(apply_confirmed_notice.notice_id) then
    return 'postponed';
  end if;

  perform private.record_notice_check(apply_confirmed_notice.notice_id, 'attempt',
    case when attempt.id is null then 'failed' else 'passed' end);
  if attempt.id is null then
    outcome := 'unknown_order';
  elsif ordered.id is null then
    outcome := 'order_deleted';
  else
    outcome := private.apply_payment(ordered, attempt, paid_amount);
    perform private.record_notice_check(apply_confirmed_notice.notice_id, 'amount',
      case when outcome = 'wrong_amount' then 'failed' else 'passed' end);
  end if;

  insert into public.payments (
      pf_payment_id, notice_id, order_id, m_payment_id, amount_gross, amount_fee, amount_net, outcome, withdrawn_before)
    values (
      payment ->> 'pf_payment_id', apply_confirmed_notice.notice_id, attempt.order_id, payment ->> 'm_payment_id',
      paid_amount, (payment ->> 'amount_fee')::numeric, (payment ->> 'amount_net')::numeric, outcome,
      private.withdrawals_of(attempt.order_id));
  -- The daily comparison may have missed the notice. Its issue offers to refund the payment, which is an ordinary one now.
  insert into public.payment_issue_resolutions (issue_id, note)
    select c.id, 'The notice has arrived: ' || outcome from public.payment_issues c
    where c.kind = 'missed_notice' and c.notice_id is null and c.detail ->> 'pf_payment_id' = payment ->> 'pf_payment_id'
    on conflict on constraint payment_issue_resolutions_pkey do nothing;

  detail := jsonb_build_object(
    'pf_payment_id', payment ->> 'pf_payment_id', 'order_number', attempt.order_number,
    'amount_gross', paid_amount, 'amount_asked', attempt.amount, 'order_total', ordered.total_amount);
  return private.decide_notice(apply_confirmed_notice.notice_id, outcome, attempt.order_id, detail);
end
$$;

-- Marks the order as paid when the amount is exactly what was asked for and what is due now; everything else is for a person to decide.
-- Returns the outcome of the payment.
create or replace function private.apply_payment(ordered public.orders, attempt public.payment_attempts, amount_paid numeric) returns text
language plpgsql security definer set search_path = '' as $$
declare
  amount_due numeric := case when attempt.top_up_id is null then ordered.total_amount
    when attempt.top_up_id = (private.open_top_up(ordered.id)).id then attempt.amount end;
  outcome text;
begin
  if ordered.status not in ('pending_payment', 'cancelled') or ordered.paid_at is not null then
    return 'paid_twice';
  end if;
  if amount_paid <> attempt.amount or amount_paid is distinct from amount_due then
    return 'wrong_amount';
  end if;

  -- A late payment reinstates a cancelled order if its stock is still available; otherwise a person decides.
  outcome := private.mark_order_paid(ordered.id, now());
  if outcome in ('paid', 'reinstated') then
    perform private.complete_top_up(attempt.top_up_id);
    return outcome;
  end if;
  return case outcome when 'sold_out' then 'sold_out' else 'paid_twice' end;
end
$$;

create or replace function private.is_payment_being_confirmed(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
        select from public.payment_attempts a
        join public.payment_notices n using (m_payment_id)
        where a.order_id = is_payment_being_confirmed.order_id and private.reports_payment(n.raw_body)
          and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id))
      or exists (
        select from public.payment_issues c
        where c.order_id = is_payment_being_confirmed.order_id and c.kind = 'missed_notice'
          and not exists (select from public.payment_issue_resolutions r where r.issue_id = c.id))
  $$;
comment on function private.is_payment_being_confirmed is
  'Whether a notice that reports a payment of this order is still being checked, or PayFast''s history lists a payment that an admin has not recorded yet.';
-- For the policy cancel_own on orders, which restricts whose order is asked about.
grant execute on function private.is_payment_being_confirmed to authenticated;

-- False while money of the order is unsettled: paying now would pay twice. The short payment of a requested top-up is the exception.
create or replace function private.may_be_paid_now(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select not private.has_money_waiting(may_be_paid_now.order_id, (private.open_top_up(may_be_paid_now.order_id)).payment_id)
  $$;
