-- Too little money came for an order. An admin has three ways on, beside a note: accept it as it is (the shortfall is recorded), ask
-- for the difference through a payment link, or refund it. In the first two the order becomes paid; its payments and the shortfall
-- add up to its total.
alter table public.payment_acceptances
  drop constraint an_order_is_accepted_once,
  add column shortfall numeric(10,2) not null default 0 constraint negative_shortfall check (shortfall >= 0);
comment on table public.payment_acceptances is 'Payments that pay their order although their notice alone did not: late, accepted short, or topped up.';
comment on column public.payment_acceptances.shortfall is 'Rand that an admin let go when the payment was accepted.';
create index payment_acceptances_by_order on public.payment_acceptances (order_id);

-- A request for the difference. It is open while the order is unpaid and the first payment is still whole; it ends by what happens to these,
-- so its row is never changed.
create table public.payment_top_ups (
  id            uuid primary key default gen_random_uuid(),
  payment_id    uuid not null references public.payments on delete restrict constraint topped_up_twice unique,
  order_id      uuid not null,
  amount        numeric(10,2) not null constraint top_up_of_nothing check (amount > 0),
  requested_by  uuid not null,
  created_at    timestamptz not null default now()
);
comment on table public.payment_top_ups is 'Links by which buyers who paid too little were asked to pay the difference.';
comment on column public.payment_top_ups.payment_id is 'The payment that was short.';
create index payment_top_ups_by_order on public.payment_top_ups (order_id);
alter table public.payment_top_ups enable row level security;
alter table public.payment_top_ups force row level security;
grant select on public.payment_top_ups to authenticated, service_role;
create policy select_as_admin on public.payment_top_ups
  for select to authenticated
  using ((select private.is_admin()));
create trigger rows_are_never_changed before update or delete on public.payment_top_ups
  for each row execute function private.keep_ledger_row();
create trigger rows_are_never_emptied before truncate on public.payment_top_ups
  for each statement execute function private.keep_ledger_row();
-- NOTE: nobody writes: the rows come from request_top_up().

-- An attempt that asks for the difference says so: its notice is compared with the difference and not with the order's total.
alter table public.payment_attempts
  add column top_up_id uuid references public.payment_top_ups on delete restrict;
create index payment_attempts_by_top_up on public.payment_attempts (top_up_id) where top_up_id is not null;


create function private.open_top_up(order_id uuid) returns public.payment_top_ups
  language sql stable security definer
  set search_path = ''
  as $$
    select t
    from public.payment_top_ups t
    join public.payment_balances b on b.payment_id = t.payment_id
    join public.orders o on o.id = t.order_id
    where t.order_id = open_top_up.order_id and o.paid_at is null
      and b.refundable = b.amount_gross and b.amount_gross + t.amount = o.total_amount
    order by t.created_at desc limit 1
  $$;
comment on function private.open_top_up(uuid) is 'The difference that this order waits for, or null.';

create function private.amount_due(order_id uuid) returns numeric
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce((private.open_top_up(o.id)).amount, o.total_amount) from public.orders o where o.id = amount_due.order_id
  $$;
comment on function private.amount_due(uuid) is 'Rand that a buyer who pays now is asked for.';

create function private.has_undecided_notice(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.payment_attempts a
      join public.payment_notices n using (m_payment_id)
      where a.order_id = has_undecided_notice.order_id and n.raw_body like '%payment_status=COMPLETE%'
        and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id))
  $$;
comment on function private.has_undecided_notice(uuid) is 'Whether a notice says that this order was paid and is still being checked.';

create or replace function private.has_money_waiting(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
        select from public.payment_balances b
        where b.order_id = has_money_waiting.order_id and b.amount_gross > b.given_back)
      or private.has_undecided_notice(has_money_waiting.order_id)
  $$;

-- Paying again would pay twice, unless the difference was asked for.
create function private.may_be_paid_now(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select not case when (private.open_top_up(may_be_paid_now.order_id)).id is null
      then private.has_money_waiting(may_be_paid_now.order_id)
      else private.has_undecided_notice(may_be_paid_now.order_id) end
  $$;


-- Locks the order and the payment, and makes sure that the payment is a whole one that fell short of an unpaid order.
create function private.lock_short_payment(payment_id uuid) returns public.payments
  language plpgsql
  set search_path = ''
  as $$
  declare
    short public.payments := private.lock_payment(lock_short_payment.payment_id);
    ordered public.orders;
  begin
    select * into ordered from public.orders o where o.id = short.order_id;
    if short.outcome <> 'wrong_amount' or ordered.id is null or short.amount_gross >= ordered.total_amount
      or exists (select from public.payment_attempts a where a.m_payment_id = short.m_payment_id and a.top_up_id is not null) then
      perform private.refuse(409, 'payment_not_short', 'This payment is not too little for an order.');
    elsif ordered.paid_at is not null then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    elsif (select b.refundable < b.amount_gross from public.payment_balances b where b.payment_id = short.id) then
      perform private.refuse(409, 'payment_refunded', 'Money of this payment was refunded already.');
    end if;
    return short;
  end
  $$;

create function public.accept_short_payment(payment_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    short public.payments;
    missing numeric;
    outcome text;
  begin
    perform private.require_admin();
    short := private.lock_short_payment(accept_short_payment.payment_id);
    select o.total_amount - short.amount_gross into missing from public.orders o where o.id = short.order_id;

    insert into public.payment_acceptances (payment_id, order_id, accepted_by, shortfall)
      values (short.id, short.order_id, (select auth.uid()), missing);
    outcome := private.mark_order_paid(short.order_id, now());
    if outcome = 'sold_out' then
      perform private.refuse(409, 'sold_out', 'The shelf does not have these lures.');
    elsif outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    end if;
    insert into public.order_events (order_id, kind, detail)
      values (short.order_id, 'short_payment_accepted', jsonb_build_object('amount', short.amount_gross, 'shortfall', missing));
    perform private.settle_concerns(short.notice_id, 'Accepted as it is, R' || missing || ' short.');
    return outcome;
  end
  $$;
grant execute on function public.accept_short_payment(uuid) to authenticated;
comment on function public.accept_short_payment(uuid) is 'A payment that is too little pays its order all the same; what is missing is recorded.';

-- The link leads to the order's page, where its customer signs in and pays; so there must be such a customer.
create function public.request_top_up(payment_id uuid) returns public.payment_top_ups
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    short public.payments;
    ordered public.orders;
    top_up public.payment_top_ups;
  begin
    perform private.require_admin();
    short := private.lock_short_payment(request_top_up.payment_id);
    select * into ordered from public.orders o where o.id = short.order_id;
    if ordered.status <> 'pending_payment' then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    elsif (private.open_top_up(ordered.id)).id is not null then
      perform private.refuse(409, 'top_up_requested', 'The customer was asked for the difference already.');
    elsif ordered.customer_id is null or ordered.customer_email is null then
      perform private.refuse(409, 'no_account', 'This order has no account with an e-mail address, so no link can be sent.');
    elsif private.refund_way() = 'payfast' and ordered.total_amount - short.amount_gross < 5 then
      perform private.refuse(422, 'amount_too_small', 'PayFast takes payments from R5.00. Accept the payment as it is, or refund it.');
    end if;

    insert into public.payment_top_ups (payment_id, order_id, amount, requested_by)
      values (short.id, ordered.id, ordered.total_amount - short.amount_gross, (select auth.uid()))
      returning * into top_up;
    insert into public.order_events (order_id, kind, detail)
      values (ordered.id, 'top_up_requested', jsonb_build_object('amount', top_up.amount));
    perform private.queue_mail('top-up:' || top_up.id, 'payment-top-up', ordered.customer_email,
      private.order_for_mail(ordered.id) || jsonb_build_object('amountPaid', short.amount_gross, 'amountDue', top_up.amount));
    return top_up;
  end
  $$;
grant execute on function public.request_top_up(uuid) to authenticated;
comment on function public.request_top_up(uuid) is 'Mails the customer a link by which the difference of a short payment is paid.';

-- The difference came: the short payment pays its order with it.
create function private.complete_top_up(top_up_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    topped_up public.payment_top_ups;
  begin
    select * into topped_up from public.payment_top_ups t where t.id = complete_top_up.top_up_id;
    if topped_up.id is null then
      return;
    end if;
    insert into public.payment_acceptances (payment_id, order_id, accepted_by)
      values (topped_up.payment_id, topped_up.order_id, topped_up.requested_by);
    insert into public.order_events (order_id, kind, detail)
      values (topped_up.order_id, 'topped_up', jsonb_build_object('amount', topped_up.amount));
    perform private.settle_concerns(
      (select p.notice_id from public.payments p where p.id = topped_up.payment_id),
      'The customer paid the missing R' || topped_up.amount || '.');
  end
  $$;


-- As before, with the amount that is due and the request it answers.
create or replace function private.start_payment_attempt(order_id uuid, merchant_id text) returns public.payment_attempts
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

  if not private.may_be_paid_now(payable.id) then
    perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed. Please do not pay again.');
  end if;
  if private.renew_hold(payable.id) = 'sold_out' then
    perform private.refuse(409, 'sold_out', 'Some lures were sold in the meantime.');
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

-- What a confirmed payment means for its locked order; makes it paid when it fits. The amount must be what was asked for at that attempt and
-- what the order still costs, to the cent. A top-up fits while its request is open: after a refund of the first payment, or once the
-- order was paid otherwise, it is money that a person must look at.
drop function private.outcome_for_order(public.orders, numeric, numeric);
create function private.outcome_for_order(ordered public.orders, attempt public.payment_attempts, amount_paid numeric) returns text
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

  -- A late payment brings a cancelled order back when the shelf still has its lures; if not, a person decides.
  outcome := private.mark_order_paid(ordered.id, now());
  if outcome in ('paid', 'reinstated') then
    perform private.complete_top_up(attempt.top_up_id);
    return outcome;
  end if;
  return case outcome when 'sold_out' then 'sold_out' else 'paid_twice' end;
end
$$;

create or replace function private.apply_confirmed_notice(notice_id uuid, payment jsonb) returns text
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
    outcome := private.outcome_for_order(ordered, attempt, paid_amount);
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

-- A late payment that answered a request for the difference takes the first payment along, or is refused once that was refunded.
create or replace function public.accept_late_payment(payment_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    waiting public.payments;
    requested uuid;
    outcome text;
  begin
    perform private.require_admin();
    select * into waiting from public.payments p where p.id = accept_late_payment.payment_id and p.outcome = 'sold_out';
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such late payment.');
    end if;
    perform private.lock_payment(waiting.id);
    select a.top_up_id into requested from public.payment_attempts a where a.m_payment_id = waiting.m_payment_id;
    if requested is not null and (private.open_top_up(waiting.order_id)).id is distinct from requested
      or (select b.refundable < b.amount_gross from public.payment_balances b where b.payment_id = waiting.id) then
      perform private.refuse(409, 'payment_refunded', 'Money of this payment was refunded already.');
    end if;

    outcome := private.mark_order_paid(waiting.order_id, now());
    if outcome = 'sold_out' then
      perform private.refuse(409, 'sold_out', 'The shelf does not have these lures yet.');
    elsif outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    end if;
    insert into public.payment_acceptances (payment_id, order_id, accepted_by)
      values (waiting.id, waiting.order_id, (select auth.uid()));
    perform private.complete_top_up(requested);
    perform private.settle_concerns(waiting.notice_id, 'The payment was taken for its order.');
    return outcome;
  end
  $$;


-- The customer's page offers to pay what is due: the difference, once that was asked for.
create or replace function private.order_document(o public.orders) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'id', o.id, 'order_number', o.order_number, 'status', o.status,
      'placed_at', o.placed_at, 'paid_at', o.paid_at, 'expires_at', o.expires_at,
      'cancelled_at', o.cancelled_at, 'cancellation_reason', o.cancellation_reason,
      'subtotal_amount', o.subtotal_amount, 'shipping_cost', o.shipping_cost, 'discount_amount', o.discount_amount,
      'total_amount', o.total_amount, 'amount_due', private.amount_due(o.id), 'promo_code', o.promo_code,
      'customer_name', o.customer_name, 'customer_email', o.customer_email, 'customer_phone', o.customer_phone,
      'shipping_method', o.shipping_method, 'locker_location', o.locker_location,
      'shipping_address', o.shipping_address, 'shipping_city', o.shipping_city,
      'shipping_state', o.shipping_state, 'shipping_zip', o.shipping_zip, 'notes', o.notes,
      'tracking_number', nullif(o.tracking_number, ''),
      'courier', (
        select jsonb_build_object('name', c.name, 'tracking_url', c.tracking_url)
        from public.courier_companies c where c.id = o.courier_company_id),
      'items', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', i.id, 'product_name', i.product_name, 'product_variant', i.product_variant, 'with_hooks', i.with_hooks,
          'price', i.price, 'quantity', i.quantity, 'image_url', i.image_url
        ) order by i.position, i.created_at, i.id), '[]')
        from public.order_items i where i.order_id = o.id),
      'refunds', (
        select coalesce(jsonb_agg(jsonb_build_object('amount', r.amount, 'created_at', r.created_at) order by r.created_at), '[]')
        from public.payment_refunds r join public.payments p on p.id = r.payment_id where p.order_id = o.id),
      'timeline', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', e.kind, 'status', e.detail ->> 'to', 'happened_at', e.created_at
        ) order by e.id), '[]')
        from public.order_events e
        where e.order_id = o.id
          and e.kind in ('placed', 'paid', 'reinstated', 'cancelled', 'status_changed', 'tracking_changed')),
      -- Money is on its way: paying again, or cancelling, would be a mistake.
      'is_being_confirmed', o.status = 'pending_payment' and not private.may_be_paid_now(o.id))
  $$;
