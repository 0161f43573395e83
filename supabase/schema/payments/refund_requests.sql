-- Refunds through PayFast: what the job send_refund records before and after each request.
--
-- PayFast has no idempotency key for refunds, and a request may time out after it was carried out. So the job reads the
-- refundable balance first, records it with the step `sent`, and later compares balances to learn whether the money went back.
-- That comparison works only while no other refund of the same payment is open, and if none was sent between the balance and the claim.
--
-- Not granted: all functions of this file are called by the job, as the owner.
create or replace function private.send_refund_at(refund_id uuid, run_at timestamptz) returns void
  language sql security definer
  set search_path = ''
  as $$
    select graphile_worker.add_job(
      'send_refund', json_build_object('refundId', refund_id, 'requestId', nullif(current_setting('request.id', true), '')),
      run_at => send_refund_at.run_at, job_key => 'send_refund:' || refund_id)
  $$;

-- Claims the refund for this run of the job, immediately before the request. Returns false when another run was first, or when
-- another refund of the same payment is open or has moved on since the balance was read; the job then runs again in a minute.
-- `other_steps` is what other_refund_steps() returned before that. A process of a release that does not pass it skips the check.
create or replace function private.claim_refund(refund_id uuid, available numeric, other_steps bigint default null) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(claim_refund.refund_id);
  begin
    if private.refund_state(refund.id) <> 'requested' then
      return false;
    end if;
    if exists (
      select from public.refunds r where r.payment_id = refund.payment_id and r.id <> refund.id and r.state in ('sent', 'unknown')
    ) or private.other_refund_steps(refund) <> claim_refund.other_steps then
      perform private.send_refund_at(refund.id, now() + interval '1 minute');
      return false;
    end if;
    perform private.record_refund_step(refund, 'sent', jsonb_build_object('available', claim_refund.available));
    return true;
  end
  $$;

-- How many steps other refunds of the same payment have taken. A count, because ids of uncommitted steps may be lower than committed ones.
create or replace function private.other_refund_steps(refund public.payment_refunds) returns bigint
  language sql stable
  set search_path = ''
  as $$
    select count(*) from public.payment_refund_events e
    join public.payment_refunds r on r.id = e.refund_id
    where r.payment_id = refund.payment_id and r.id <> refund.id
  $$;

-- PayFast refunded, or its balance shows that it did.
create or replace function private.finish_refund(refund_id uuid, words text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(finish_refund.refund_id);
  begin
    if private.refund_state(refund.id) in ('sent', 'unknown') then
      perform private.complete_refund(refund, jsonb_build_object('words', words));
    end if;
  end
  $$;

-- PayFast refused. No money moved: the amount is refundable again, and an issue asks a person to decide.
create or replace function private.fail_refund(refund_id uuid, words text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(fail_refund.refund_id);
  begin
    if private.refund_state(refund.id) not in ('requested', 'sent', 'unknown') then
      return;
    end if;
    perform private.record_refund_step(refund, 'failed', jsonb_build_object('words', words));
    perform private.record_refund_event('refund_failed', refund);
    perform private.resolve_refund_issues(refund.id, 'PayFast has answered: ' || left(words, 400));
    perform private.raise_refund_issue('refund_failed', refund, words);
  end
  $$;

-- No clear answer: a refund that was sent becomes `unknown`, and the job runs again after growing delays.
-- The sixth failure (about an hour) raises an issue; the seventieth (about a month) leaves the refund to that person.
create or replace function private.postpone_refund(refund_id uuid, words text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(postpone_refund.refund_id);
    found_state text := private.refund_state(refund.id);
    times_asked integer;
  begin
    if found_state not in ('requested', 'sent', 'unknown') then
      return;
    end if;
    perform private.record_refund_step(refund, case found_state when 'requested' then 'requested' else 'unknown' end,
      jsonb_build_object('words', words));
    select count(*) into times_asked from public.payment_refund_events e
      where e.refund_id = refund.id and e.detail ? 'words'
        and e.id > private.last_refund_step(refund.id, 'sent', 'failed');

    if times_asked >= 6 then
      perform private.raise_refund_issue('refund_unknown', refund, words);
    end if;
    if times_asked < 70 then
      perform private.send_refund_at(refund.id, now() + private.retry_delay(times_asked));
    end if;
  end
  $$;

-- Id of the newest step with one of these states, 0 without any. Failures are counted from there.
create or replace function private.last_refund_step(refund_id uuid, variadic states text[]) returns bigint
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max(e.id), 0) from public.payment_refund_events e
    where e.refund_id = last_refund_step.refund_id and e.state = any (states)
  $$;

-- One open issue of each kind for a refund.
create or replace function private.raise_refund_issue(kind text, refund public.payment_refunds, words text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_issues (kind, order_id, detail)
    select raise_refund_issue.kind, refund.order_id, jsonb_build_object(
      'refund_id', refund.id, 'payment_id', refund.payment_id, 'amount', refund.amount, 'words', left(raise_refund_issue.words, 500))
    where not exists (
      select from public.open_payment_issues c where c.refund_id = refund.id and c.kind = raise_refund_issue.kind)
  $$;

-- PayFast's balance is unchanged since the refund was sent. It may still be under way, so only after an hour does that count as
-- not refunded; then it is sent again, three times in all. Returns true when the job must send it now.
create or replace function private.resend_refund(refund_id uuid, available numeric) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(resend_refund.refund_id);
    times_sent integer;
    last_sent timestamptz;
  begin
    select count(*), max(e.created_at) into times_sent, last_sent
      from public.payment_refund_events e
      where e.refund_id = refund.id and e.state = 'sent' and e.id > private.last_refund_step(refund.id, 'failed');
    if private.refund_state(refund.id) not in ('sent', 'unknown') then
      return false;
    elsif last_sent > now() - interval '1 hour' then
      perform private.postpone_refund(refund.id, 'PayFast has not refunded it yet');
      return false;
    elsif times_sent >= 3 then
      perform private.fail_refund(refund.id, 'PayFast was asked three times and refunded nothing');
      return false;
    end if;
    perform private.record_refund_step(refund, 'sent', jsonb_build_object('available', resend_refund.available));
    return true;
  end
  $$;
