-- Short payments: PayFast confirmed, or an admin recorded, less than the order's total.
--
-- The order stays unpaid, keeps its reservation and raises an issue. An admin refunds the payment, accepts it as it is, or asks
-- the customer for the difference. A request stays open while the order is unpaid and the short payment is whole; it has no
-- state of its own, so its row is never changed. When the difference arrives, both payments pay the order: through PayFast, or by
-- EFT or cash, which needs no request.

-- Admins read. Not granted: insert. Rows come from request_top_up().
comment on table public.payment_top_ups is
  'Requests to customers to pay the difference of a short payment, and differences that an admin recorded without one.';
comment on column public.payment_top_ups.payment_id is 'The payment that was short.';
comment on column public.payment_top_ups.amount is 'Rand missing.';
grant select on public.payment_top_ups to authenticated, service_role;

create policy select_as_admin on public.payment_top_ups for select to authenticated
  using ((select private.is_admin()));

create or replace function private.open_top_up(order_id uuid) returns public.payment_top_ups
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
comment on function private.open_top_up is 'The open request for the difference of this order, or null.';

create or replace function private.amount_due(order_id uuid) returns numeric
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce((private.open_top_up(o.id)).amount, o.total_amount) from public.orders o where o.id = amount_due.order_id
  $$;
comment on function private.amount_due is 'Rand to ask for when the customer pays now: the open difference, or the total.';

-- Locks the order and the payment, and refuses unless the payment is short of an unpaid order, not refunded and not a top-up.
-- Errors: payment_not_short, order_not_payable, payment_refunded, order_without_items.
create or replace function private.lock_short_payment(payment_id uuid) returns public.payments
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
      perform private.refuse(409, 'payment_not_short', 'This payment is not short of an order''s total.');
    elsif ordered.paid_at is not null then
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    elsif (select b.refundable < b.amount_gross from public.payment_balances b where b.payment_id = short.id) then
      perform private.refuse(409, 'payment_refunded', 'Money of this payment has already been refunded.');
    end if;
    perform private.require_items(ordered.id);
    return short;
  end
  $$;

-- Marks the order as paid although rand are missing; the shortfall stays in payment_acceptances.
create or replace function public.accept_short_payment(payment_id uuid) returns text
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
      perform private.refuse(409, 'sold_out', coalesce(private.deleted_colour_problem(short.order_id),
        'There is not enough stock of these lures.'));
    elsif outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    end if;
    insert into public.order_events (order_id, kind, detail)
      values (short.order_id, 'short_payment_accepted', jsonb_build_object('amount', short.amount_gross, 'shortfall', missing));
    perform private.resolve_issues(short, 'Accepted as it is, R' || missing || ' short.');
    return outcome;
  end
  $$;
comment on function public.accept_short_payment is
  'An admin accepts a short payment as it is; the shortfall is recorded. Returns paid or reinstated. Errors: payment_not_short, order_not_payable, payment_refunded, order_without_items, sold_out.';
grant execute on function public.accept_short_payment to authenticated;

-- The link leads to the order's page, where its customer signs in and pays, so the order needs an account. PayFast takes no
-- payment below R5.00.
create or replace function public.request_top_up(payment_id uuid) returns public.payment_top_ups
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
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    elsif (private.open_top_up(ordered.id)).id is not null then
      perform private.refuse(409, 'top_up_requested', 'The customer has already been asked for the difference.');
    elsif ordered.customer_id is null or ordered.customer_email is null then
      perform private.refuse(409, 'no_account', 'This order has no account with an e-mail address, so no link can be sent.');
    elsif private.refund_way() = 'payfast' and ordered.total_amount - short.amount_gross < 5 then
      perform private.refuse(422, 'amount_too_small', 'PayFast''s minimum payment is R5.00. Accept the payment as it is, or refund it.');
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
comment on function public.request_top_up is 'Mails the customer a link to pay the difference. Errors: order_not_payable, top_up_requested, no_account, amount_too_small.';
grant execute on function public.request_top_up to authenticated;

-- The difference arrived and paid the order: the short payment is accepted with it. Does nothing for null.
create or replace function private.complete_top_up(top_up_id uuid) returns void
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
    perform private.resolve_issues(p, 'The customer paid the missing R' || topped_up.amount || '.')
      from public.payments p where p.id = topped_up.payment_id;
  end
  $$;
