-- What an admin does about money that should go back. All four answers are for the admin area:
--
--   record_refund(payment_id, amount, reason, restock = false, way = null) → the new row of payment_refunds
--     way null      as the shop is set: through PayFast in live mode, by hand otherwise (payment_balances.refund_way says which)
--     way payfast   state `requested`; a job asks PayFast and the row of the view `refunds` moves on by itself
--     way by_hand   state `done`: the money is back already and this records it
--     409 refund_exceeds_payment {refundable}, 409 refund_by_hand, 404 payment_not_found; 23514 for an amount below a cent
--     or a reason that is no line of 3 to 255 characters
--   retry_refund(refund_id)               a failed one is asked for again → state `requested`; 409 refund_not_failed
--   settle_refund(refund_id, outcome, note)
--     an admin has looked at PayFast's dashboard: `done` (it went back) or `failed` (it did not, and will not);
--     409 refund_in_progress while it is being sent, 409 refund_settled once it is done
--
-- Restocking happens at once, whatever becomes of the money: it says where the lures are. The customer is told when the money
-- is back. A failed refund frees its amount; what is on its way counts as given back, so two at once cannot exceed the payment.
drop function public.record_refund(uuid, numeric, text, boolean);

create function public.record_refund(payment_id uuid, amount numeric, reason text, restock boolean default false, way text default null)
  returns public.payment_refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refunded public.payments;
    refund public.payment_refunds;
  begin
    perform private.require_admin();
    refunded := private.lock_payment(record_refund.payment_id);
    perform private.require_refundable(refunded.id, record_refund.amount);

    insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, way, recorded_by)
      values (refunded.id, refunded.order_id, record_refund.amount, btrim(record_refund.reason), record_refund.restock,
        coalesce(record_refund.way, private.refund_way()), (select auth.uid()))
      returning * into refund;
    if refund.restocked and refund.order_id is not null then
      perform private.return_stock(refund.order_id);
    end if;

    if refund.way = 'payfast' then
      perform private.ask_for_refund(refund);
    else
      perform private.refund_is_done(refund, '{}');
    end if;
    return refund;
  end
  $$;
grant execute on function public.record_refund(uuid, numeric, text, boolean, text) to authenticated;
comment on function public.record_refund(uuid, numeric, text, boolean, text) is
  'Gives money back: through PayFast in live mode, by hand otherwise. Never more than was paid.';

create function public.retry_refund(refund_id uuid) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    answer public.refunds;
  begin
    perform private.require_admin();
    refund := private.lock_refund(retry_refund.refund_id);
    if refund.way <> 'payfast' or private.refund_state(refund.id) <> 'failed' then
      perform private.refuse(409, 'refund_not_failed', 'This refund has not failed.');
    end if;
    perform private.require_refundable(refund.payment_id, refund.amount);
    perform private.ask_for_refund(refund);
    perform private.settle_refund_concerns(refund.id, 'The refund is tried again.');
    select * into answer from public.refunds r where r.id = refund.id;
    return answer;
  end
  $$;
grant execute on function public.retry_refund(uuid) to authenticated;
comment on function public.retry_refund(uuid) is 'Asks PayFast again for a refund that failed.';

create function public.settle_refund(refund_id uuid, outcome text, note text) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    found_state text;
    answer public.refunds;
  begin
    perform private.require_admin();
    if (settle_refund.outcome in ('done', 'failed') and private.is_line(settle_refund.note, 3, 500)) is not true then
      perform private.refuse(422, 'invalid_settlement', 'Say whether it went back, and in a few words how you know.');
    end if;
    refund := private.lock_refund(settle_refund.refund_id);
    found_state := private.refund_state(refund.id);
    if found_state = 'sent' then
      perform private.refuse(409, 'refund_in_progress', 'PayFast is being asked right now. Look again in a minute.');
    elsif found_state in ('done', settle_refund.outcome) then
      perform private.refuse(409, 'refund_settled', 'This refund is settled already.');
    end if;

    if settle_refund.outcome = 'failed' then
      perform private.write_refund_step(refund, 'failed', jsonb_build_object('note', btrim(settle_refund.note)));
      perform private.settle_refund_concerns(refund.id, btrim(settle_refund.note));
    else
      -- A failed one has freed its amount, and another refund may have taken it.
      if found_state = 'failed' then
        perform private.require_refundable(refund.payment_id, refund.amount);
      end if;
      perform private.refund_is_done(refund, jsonb_build_object('note', btrim(settle_refund.note)));
    end if;
    select * into answer from public.refunds r where r.id = refund.id;
    return answer;
  end
  $$;
grant execute on function public.settle_refund(uuid, text, text) to authenticated;
comment on function public.settle_refund(uuid, text, text) is
  'An admin says how a refund ended that PayFast gave no clear word about.';


-- Everything about the refunds of one payment happens one after the other.
create function private.lock_payment(payment_id uuid) returns public.payments
  language plpgsql
  set search_path = ''
  as $$
  declare
    locked public.payments;
  begin
    select * into locked from public.payments p where p.id = lock_payment.payment_id for update;
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such payment.');
    end if;
    return locked;
  end
  $$;

create function private.lock_refund(refund_id uuid) returns public.payment_refunds
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

create function private.refund_state(refund_id uuid) returns text
  language sql stable
  set search_path = ''
  as $$ select r.state from public.refunds r where r.id = refund_state.refund_id $$;

create function private.require_refundable(payment_id uuid, amount numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    left_over numeric := (select b.refundable from public.payment_balances b where b.payment_id = require_refundable.payment_id);
  begin
    if amount > left_over then
      perform private.refuse(409, 'refund_exceeds_payment',
        'This is more than was paid and not yet given back.', jsonb_build_object('refundable', left_over));
    end if;
  end
  $$;

create function private.ask_for_refund(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if private.refund_way() <> 'payfast' then
      perform private.refuse(409, 'refund_by_hand',
        'PayFast takes refunds from a live shop only. Pay it back by hand and record that.');
    end if;
    perform private.write_refund_step(refund, 'requested', '{}');
    perform private.write_refund_event('refund_requested', refund);
    perform private.send_refund_at(refund.id, now());
  end
  $$;

create function private.write_refund_step(refund public.payment_refunds, state text, detail jsonb) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_refund_events (refund_id, state, detail)
      values (refund.id, write_refund_step.state, write_refund_step.detail)
  $$;

-- The money is back: the timeline says so, the customer is told, and whatever asked for it is settled.
create function private.refund_is_done(refund public.payment_refunds, detail jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.write_refund_step(refund, 'done', detail);
    perform private.write_refund_event('refunded', refund);
    perform private.queue_refund_mail(refund);
    perform private.settle_concerns(
      (select p.notice_id from public.payments p where p.id = refund.payment_id),
      'R' || refund.amount || ' was refunded: ' || refund.reason);
    perform private.settle_refund_concerns(refund.id, 'The money went back.');
  end
  $$;

create function private.settle_refund_concerns(refund_id uuid, note text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_concern_resolutions (concern_id, resolved_by, note)
    select c.id, auth.uid(), settle_refund_concerns.note from public.payment_concerns c
    where c.detail ->> 'refund_id' = settle_refund_concerns.refund_id::text
    on conflict on constraint payment_concern_resolutions_pkey do nothing
  $$;

drop function private.write_refund_event(public.payment_refunds);
create function private.write_refund_event(kind text, refund public.payment_refunds) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.order_events (order_id, kind, detail)
    select o.id, write_refund_event.kind, jsonb_build_object(
      'refund_id', refund.id, 'amount', refund.amount, 'reason', refund.reason, 'restocked', refund.restocked, 'way', refund.way)
    from public.orders o where o.id = refund.order_id
  $$;

create function private.send_refund_at(refund_id uuid, run_at timestamptz) returns void
  language sql security definer
  set search_path = ''
  as $$
    select graphile_worker.add_job(
      'send_refund', json_build_object('refundId', refund_id),
      run_at => send_refund_at.run_at, job_key => 'send_refund:' || refund_id)
  $$;

create or replace function private.queue_refund_mail(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund:' || refund.id, 'refund', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'refundReason', refund.reason, 'refundWay', refund.way));
    end if;
  end
  $$;
