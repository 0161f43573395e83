-- What the job `send_refund` writes. It never sends a refund whose last sending may have reached PayFast: it then asks PayFast
-- what could still be given back, and compares that with what it was before.
-- NOTE: nothing here is granted: the server calls it as the owner.

-- The last moment before PayFast is asked to give money back. False when somebody else has got there first, or when
-- another refund of the same payment is still open: PayFast's balance could then not be told apart.
create function private.claim_refund(refund_id uuid, available numeric) returns boolean
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
    ) then
      perform private.send_refund_at(refund.id, now() + interval '1 minute');
      return false;
    end if;
    perform private.write_refund_step(refund, 'sent', jsonb_build_object('available', claim_refund.available));
    return true;
  end
  $$;

-- PayFast gave it back, or its balance shows that it did.
create function private.finish_refund(refund_id uuid, words text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(finish_refund.refund_id);
  begin
    if private.refund_state(refund.id) in ('sent', 'unknown') then
      perform private.refund_is_done(refund, jsonb_build_object('words', words));
    end if;
  end
  $$;

-- PayFast said no. Nothing went back, so the amount is free again and a person decides.
create function private.fail_refund(refund_id uuid, words text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds := private.lock_refund(fail_refund.refund_id);
  begin
    if private.refund_state(refund.id) not in ('requested', 'sent', 'unknown') then
      return;
    end if;
    perform private.write_refund_step(refund, 'failed', jsonb_build_object('words', words));
    perform private.write_refund_event('refund_failed', refund);
    perform private.settle_refund_concerns(refund.id, 'PayFast has answered: ' || left(words, 400));
    perform private.raise_refund_concern('refund_failed', refund, words);
  end
  $$;

-- No clear answer: the state stays what it can only be, and the question is put again with growing pauses, as for notices.
-- After an hour a person is told; after a month the asking ends and the refund waits for that person.
create function private.postpone_refund(refund_id uuid, words text) returns void
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
    perform private.write_refund_step(refund, case found_state when 'requested' then 'requested' else 'unknown' end,
      jsonb_build_object('words', words));
    select count(*) into times_asked from public.payment_refund_events e
      where e.refund_id = refund.id and e.detail ? 'words'
        and e.id > private.last_refund_step(refund.id, 'sent', 'failed');

    if times_asked >= 6 then
      perform private.raise_refund_concern('refund_unknown', refund, words);
    end if;
    if times_asked < 70 then
      perform private.send_refund_at(refund.id, now() + private.notice_pause(times_asked));
    end if;
  end
  $$;

-- PayFast's balance is what it was before the refund was sent. A late one may still be under way, so that counts only after an
-- hour; then it is sent again, three times in all.
create function private.resend_refund(refund_id uuid) returns void
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
    if last_sent > now() - interval '1 hour' then
      perform private.postpone_refund(refund.id, 'PayFast has not given it back yet');
    elsif times_sent >= 3 then
      perform private.fail_refund(refund.id, 'PayFast was asked three times and gave nothing back');
    elsif private.refund_state(refund.id) in ('sent', 'unknown') then
      perform private.write_refund_step(refund, 'requested', jsonb_build_object('words', 'PayFast gave nothing back within an hour'));
      perform private.send_refund_at(refund.id, now());
    end if;
  end
  $$;

create function private.last_refund_step(refund_id uuid, variadic states text[]) returns bigint
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max(e.id), 0) from public.payment_refund_events e
    where e.refund_id = last_refund_step.refund_id and e.state = any (states)
  $$;

create function private.raise_refund_concern(kind text, refund public.payment_refunds, words text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_concerns (kind, order_id, detail)
    select raise_refund_concern.kind, refund.order_id, jsonb_build_object(
      'refund_id', refund.id, 'payment_id', refund.payment_id, 'amount', refund.amount, 'words', left(raise_refund_concern.words, 500))
    where not exists (
      select from public.open_payment_concerns c where c.refund_id = refund.id and c.kind = raise_refund_concern.kind)
  $$;
