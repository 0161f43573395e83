-- Money that did not come through PayFast: an EFT, cash at an expo. It stands in the same ledger as what it is, with whoever took it;
-- it has no notice, because nobody sent one, and it is compared with no history of PayFast's.
alter table public.payments
  alter column pf_payment_id drop not null,
  alter column notice_id drop not null,
  add column way text not null default 'payfast' constraint unknown_way check (way in ('payfast', 'eft', 'cash')),
  add column reference text constraint malformed_reference check (private.is_line(reference, 1, 100)),
  add column recorded_by uuid,
  add constraint notice_or_hand check (
    way = 'payfast' and notice_id is not null and pf_payment_id is not null and recorded_by is null
    or way <> 'payfast' and notice_id is null and pf_payment_id is null and recorded_by is not null);
comment on column public.payments.way is 'payfast; eft and cash were recorded by an admin.';
comment on column public.payments.reference is 'What the bank statement or the receipt calls it.';
comment on column public.payments.recorded_by is 'Which admin took money that came by hand. No foreign key: the ledger outlives the account.';

-- By hand it came, by hand it goes back.
create or replace view public.payment_balances with (security_invoker = true) as
  select p.id as payment_id, p.order_id, p.pf_payment_id, p.amount_gross, back.given_back, back.on_its_way,
    p.amount_gross - back.given_back - back.on_its_way as refundable,
    case p.way when 'payfast' then private.refund_way() else 'by_hand' end as refund_way
  from public.payments p
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.state = 'done'), 0) as given_back,
      coalesce(sum(r.amount) filter (where r.state in ('requested', 'sent', 'unknown')), 0) as on_its_way
    from public.refunds r where r.payment_id = p.id
  ) as back;

create or replace function public.record_refund(payment_id uuid, amount numeric, reason text, restock boolean default false, way text default null)
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
    if refunded.way <> 'payfast' and record_refund.way = 'payfast' then
      perform private.refuse(409, 'refund_by_hand', 'This money did not come through PayFast, so it goes back by hand.');
    end if;

    insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, way, recorded_by)
      values (refunded.id, refunded.order_id, record_refund.amount, btrim(record_refund.reason), record_refund.restock,
        case when refunded.way <> 'payfast' then 'by_hand' else coalesce(record_refund.way, private.refund_way()) end,
        (select auth.uid()))
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

create or replace function private.reconcile(from_day date, to_day date, history jsonb) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    found_differences integer;
  begin
    with transactions as (
      select t.pf_payment_id, t.m_payment_id, t.gross
      from jsonb_to_recordset(history) as t (pf_payment_id text, m_payment_id text, gross numeric)
    ), differences as (
      select case when p.id is null then 'missed_notice' else 'history_differs' end as kind,
        t.pf_payment_id, t.m_payment_id, t.gross as amount, p.amount_gross as recorded
      from transactions t left join public.payments p on p.pf_payment_id = t.pf_payment_id
      where p.id is null or p.amount_gross <> t.gross
      union all
      select 'missing_money', p.pf_payment_id, p.m_payment_id, null, p.amount_gross
      from public.payments p
      where p.way = 'payfast'
        and (p.created_at at time zone 'Africa/Johannesburg')::date > from_day
        and (p.created_at at time zone 'Africa/Johannesburg')::date < to_day
        and not exists (select from transactions t where t.pf_payment_id = p.pf_payment_id)
    ), flagged as (
      insert into public.payment_concerns (kind, order_id, detail)
      select d.kind, private.order_of_attempt(d.m_payment_id), jsonb_build_object(
        'pf_payment_id', d.pf_payment_id, 'm_payment_id', d.m_payment_id, 'amount', d.amount, 'recorded', d.recorded)
      from differences d
      on conflict (kind, (detail ->> 'pf_payment_id')) where notice_id is null do nothing
      returning 1
    )
    select count(*) into found_differences from flagged;

    insert into public.payment_reconciliations (from_day, to_day, transactions, differences)
      values (reconcile.from_day, reconcile.to_day, jsonb_array_length(history), found_differences);
    return found_differences;
  end
  $$;

-- Somebody has the whole sum of an order in hand. The order's row is locked before anything is decided, as for a notice, so the two
-- never pay one order twice.
create function private.take_payment_by_hand(order_id uuid, way text, reference text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    waiting public.orders;
    outcome text;
  begin
    if (take_payment_by_hand.way in ('eft', 'cash')) is not true then
      perform private.refuse(422, 'invalid_way', 'Say whether it was an EFT or cash.');
    end if;
    select * into waiting from public.orders o where o.id = take_payment_by_hand.order_id for update;
    if waiting.placed_at is null then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif waiting.status <> 'pending_payment' then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    elsif private.has_money_waiting(waiting.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;

    outcome := private.mark_order_paid(waiting.id, now());
    if outcome <> 'paid' then
      perform private.refuse(409, 'sold_out', 'The shelf does not have these lures.');
    end if;
    insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)
      values (waiting.id, waiting.total_amount, 'paid', take_payment_by_hand.way, private.tidy(take_payment_by_hand.reference), (select auth.uid()));
    insert into public.order_events (order_id, kind, detail)
      values (waiting.id, 'paid_by_hand', jsonb_build_object('way', take_payment_by_hand.way, 'amount', waiting.total_amount,
        'reference', private.tidy(take_payment_by_hand.reference)));
  end
  $$;

create function public.record_payment(order_id uuid, way text, reference text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    perform private.take_payment_by_hand(record_payment.order_id, record_payment.way, record_payment.reference);
  end
  $$;
grant execute on function public.record_payment(uuid, text, text) to authenticated;
comment on function public.record_payment(uuid, text, text) is
  'An admin has the whole sum of an order that awaits payment, by EFT or in cash; it is paid.';
