-- What moves money in the ledger.
-- NOTE: nothing here is granted: the server calls it as the owner.


-- A buyer is about to be sent to PayFast. One transaction: the order is locked and must still await
-- payment, its stock is held anew, and the attempt is written with the amount the database has.
create function private.start_payment_attempt(order_id uuid, merchant_id text) returns public.payment_attempts
language plpgsql security definer set search_path = '' as $$
declare
  payable public.orders;
  attempt public.payment_attempts;
begin
  select * into payable from public.orders o where o.id = start_payment_attempt.order_id for update;
  if not found then
    perform private.refuse(404, 'order_not_found', 'There is no such order.');
  end if;
  if payable.status <> 'pending_payment' then
    perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
  end if;
  if not exists (select from public.order_items i where i.order_id = payable.id) then
    perform private.refuse(409, 'order_without_items', 'This order has no items.');
  end if;

  if private.has_money_waiting(payable.id) then
    perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed. Please do not pay again.');
  end if;
  if private.renew_hold(payable.id) = 'sold_out' then
    perform private.refuse(409, 'sold_out', 'Some lures were sold in the meantime.');
  end if;

  insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
    values (
      payable.id, payable.order_number,
      lpad(payable.order_number::text, 5, '0') || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
      start_payment_attempt.merchant_id, payable.total_amount)
    returning * into attempt;
  return attempt;
end
$$;


-- Money has come for this order, or a notice says so and is being checked: paying again would pay twice.
create function private.has_money_waiting(order_id uuid) returns boolean
language sql stable security definer set search_path = '' as $$
  select exists (select from public.payments p where p.order_id = has_money_waiting.order_id)
    or exists (
      select from public.payment_attempts a
      join public.payment_notices n using (m_payment_id)
      where a.order_id = has_money_waiting.order_id and n.raw_body like '%payment_status=COMPLETE%'
        and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id))
$$;


-- While a notice is undecided its order neither expires nor loses what is set aside for it: money is
-- on its way. An order without expires_at is not replaced by its customer's next one either.
create function private.keep_order_for_notice(m_payment_id text, until timestamptz) returns void
language plpgsql security definer set search_path = '' as $$
declare
  kept uuid := private.order_of_attempt(m_payment_id);
begin
  update public.orders o set expires_at = null, hold_expires_at = greatest(o.hold_expires_at, until)
    where o.id = kept and o.status = 'pending_payment';
  update public.stock_holds h set expires_at = until where h.order_id = kept and h.expires_at between now() and until;
end
$$;

-- No money after all: the order lives as long as one that was just placed.
create function private.release_order_of_notice(order_id uuid) returns void
language sql security definer set search_path = '' as $$
  update public.orders o set expires_at = now() + make_interval(hours => r.unpaid_expire_hours)
    from private.shop_rules r
    where o.id = release_order_of_notice.order_id and o.status = 'pending_payment' and o.expires_at is null
      and not private.has_money_waiting(o.id)
$$;


-- Pauses between two questions about one notice: short at first, because the endpoint usually answers;
-- then long, because it has been down for weeks.
create function private.notice_pause(times_asked integer) returns interval
language sql immutable set search_path = '' as $$
  select (array[
    '5 seconds', '15 seconds', '1 minute', '5 minutes', '15 minutes', '1 hour', '3 hours', '6 hours', '12 hours'
  ]::interval[])[least(greatest(times_asked, 1), 9)]
$$;


create function private.check_notice_at(notice_id uuid, run_at timestamptz) returns void
language sql security definer set search_path = '' as $$
  select graphile_worker.add_job(
    'check_notice', json_build_object('noticeId', notice_id),
    run_at => check_notice_at.run_at, job_key => 'check_notice:' || notice_id)
$$;


-- Stores a notice whose signature is good, and the job that checks the rest: both or nothing, before
-- PayFast gets its answer.
create function private.store_notice(raw_body text, m_payment_id text, headers jsonb, source_address text) returns uuid
language plpgsql security definer set search_path = '' as $$
declare
  notice_id uuid;
begin
  insert into public.payment_notices (raw_body, m_payment_id, headers, source_address)
    values (store_notice.raw_body, store_notice.m_payment_id, store_notice.headers, store_notice.source_address)
    returning id into notice_id;
  insert into public.payment_notice_checks (notice_id, check_name, result) values (notice_id, 'signature', 'passed');
  if store_notice.raw_body like '%payment_status=COMPLETE%' then
    perform private.keep_order_for_notice(store_notice.m_payment_id, now() + interval '1 hour');
  end if;
  perform private.check_notice_at(notice_id, now());
  return notice_id;
end
$$;


-- Keeps a notice with a wrong signature as evidence: of a wrong passphrase in the settings, or of a
-- forgery. Only for an attempt of ours and only a few for each, so that nobody fills the disk with it.
create function private.keep_refused_notice(raw_body text, m_payment_id text, headers jsonb, source_address text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  attempt public.payment_attempts;
  refused uuid;
begin
  select * into attempt from public.payment_attempts a where a.m_payment_id = keep_refused_notice.m_payment_id;
  if not found or (
    select count(*) >= 10 from public.payment_notices n where n.m_payment_id = keep_refused_notice.m_payment_id
  ) then
    return;
  end if;

  insert into public.payment_notices (raw_body, m_payment_id, headers, source_address)
    values (keep_refused_notice.raw_body, attempt.m_payment_id, keep_refused_notice.headers, keep_refused_notice.source_address)
    returning id into refused;
  insert into public.payment_notice_checks (notice_id, check_name, result) values (refused, 'signature', 'failed');
  insert into public.payment_notice_outcomes (notice_id, outcome) values (refused, 'bad_signature');
  if not exists (
    select from public.payment_concerns c where c.kind = 'bad_signature' and c.order_id = attempt.order_id
  ) then
    perform private.raise_payment_concern('bad_signature', refused, attempt.order_id, '{}');
  end if;
end
$$;


create function private.raise_payment_concern(kind text, notice_id uuid, order_id uuid, detail jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into public.payment_concerns (kind, notice_id, order_id, detail)
    values (raise_payment_concern.kind, raise_payment_concern.notice_id, raise_payment_concern.order_id, raise_payment_concern.detail)
    on conflict on constraint a_notice_is_flagged_once do nothing
$$;


create function private.order_of_attempt(m_payment_id text) returns uuid
language sql stable security definer set search_path = '' as $$
  select a.order_id from public.payment_attempts a where a.m_payment_id = order_of_attempt.m_payment_id
$$;


-- Writes what a notice did, for the ledger and on the order's timeline. A concern is raised when a person must know; one that said "unconfirmed"
-- is settled, because now it is.
create function private.decide_notice(notice_id uuid, outcome text, order_id uuid default null, detail jsonb default '{}') returns text
language plpgsql security definer set search_path = '' as $$
begin
  insert into public.payment_notice_outcomes (notice_id, outcome) values (decide_notice.notice_id, decide_notice.outcome)
    on conflict on constraint payment_notice_outcomes_pkey do nothing;
  if decide_notice.outcome not in ('paid', 'reinstated', 'repeated', 'not_a_payment') then
    perform private.raise_payment_concern(decide_notice.outcome, decide_notice.notice_id, decide_notice.order_id, decide_notice.detail);
  end if;
  insert into public.order_events (order_id, kind, detail)
    select o.id, 'payment_notice', jsonb_build_object('outcome', decide_notice.outcome, 'notice_id', decide_notice.notice_id)
    from public.payment_notices n join public.orders o on o.id = private.order_of_attempt(n.m_payment_id)
    where n.id = decide_notice.notice_id and decide_notice.outcome <> 'repeated'
    for key share of o;
  if decide_notice.outcome in ('denied', 'unreadable', 'unconfirmed', 'wrong_merchant') then
    perform private.release_order_of_notice(decide_notice.order_id);
  end if;
  insert into public.payment_concern_resolutions (concern_id, note)
    select c.id, 'PayFast answered: ' || decide_notice.outcome
    from public.payment_concerns c
    where c.notice_id = decide_notice.notice_id and c.kind = 'unconfirmed' and decide_notice.outcome <> 'unconfirmed'
    on conflict do nothing;
  return decide_notice.outcome;
end
$$;


-- PayFast gave no clear answer: ask again later, mark nothing. After an hour a person is told, after
-- a month the asking ends.
create function private.postpone_notice(notice_id uuid) returns text
language plpgsql security definer set search_path = '' as $$
declare
  times_asked integer;
  pause interval;
  named text;
begin
  select count(*) into times_asked from public.payment_notice_checks c
    where c.notice_id = postpone_notice.notice_id and c.check_name = 'confirmation' and c.result = 'unknown';
  select n.m_payment_id into named from public.payment_notices n where n.id = postpone_notice.notice_id;

  if times_asked >= 6 then
    perform private.raise_payment_concern('unconfirmed', postpone_notice.notice_id, private.order_of_attempt(named), '{}');
  end if;
  if times_asked >= 70 then
    return private.decide_notice(postpone_notice.notice_id, 'unconfirmed', private.order_of_attempt(named));
  end if;
  pause := private.notice_pause(times_asked);
  perform private.keep_order_for_notice(named, now() + pause + interval '1 hour');
  perform private.check_notice_at(postpone_notice.notice_id, now() + pause);
  return 'postponed';
end
$$;
