-- Payments by EFT or cash, recorded by an admin, with their amount and the day on which they arrived.
--
-- As with PayFast, a payment that arrives after the cancellation reinstates the order, if its lures are in stock. If they were
-- sold, the money is recorded all the same and raises an issue: an admin accepts it once stock is back, or refunds it.
-- Less than the total is a wrong amount, with the same decisions as a short payment through PayFast (short_payments.sql); exactly the
-- rest of a short payment pays the order with it. What exceeds the amount due, and all money for an order that is paid already, is a
-- payment of its own, `paid_twice`: the sum of the payments that paid an order is always its total.
-- The order is locked before anything is decided, as for a notice, so that a notice and an admin never both pay one order.

-- Without an amount, only the whole total of an unpaid order without money counts: a page of an older release means that.
-- Errors: invalid_way, order_not_found, order_not_payable, payment_being_confirmed, payment_undecided, rest_still_missing,
-- invalid_amount, invalid_day, order_replaced.
create or replace function private.take_payment_by_hand(
    order_id uuid, way text, reference text, amount numeric default null, received_on date default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    ordered public.orders;
    received public.payments;
    due numeric;
    short_payment uuid;
    top_up uuid;
  begin
    if (take_payment_by_hand.way in ('eft', 'cash')) is not true then
      perform private.refuse(422, 'invalid_way', 'Choose EFT or cash.');
    end if;
    select * into ordered from public.orders o where o.id = take_payment_by_hand.order_id for update;
    if ordered.placed_at is null then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    end if;
    perform private.require_not_replaced(ordered);
    if amount is null and ordered.paid_at is not null then
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    elsif amount is null and private.has_money_waiting(ordered.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;
    perform private.require_amount_and_day(ordered, amount, received_on);
    select d.due, d.short_payment into due, short_payment from private.due_by_hand(ordered) d;
    amount := coalesce(amount, due);

    received.order_id := ordered.id;
    received.way := take_payment_by_hand.way;
    received.reference := private.normalise_line(take_payment_by_hand.reference);
    -- The time of today's payments is known.
    received.received_on := nullif(take_payment_by_hand.received_on, private.local_day(now()));
    if amount < due then
      perform private.require_first_part(short_payment, due - amount);
      received.outcome := 'wrong_amount';
      received.amount_gross := amount;
      perform private.record_payment_by_hand(received, ordered, amount);
      -- As with a short payment through PayFast: the order waits for the decision.
      update public.orders o set expires_at = null where o.id = ordered.id and o.status = 'pending_payment';
    elsif due > 0 then
      top_up := private.top_up_by_hand(short_payment, due);
      received.outcome := private.mark_order_paid(ordered.id, greatest(ordered.placed_at, coalesce(private.noon_of(received.received_on), now())));
      received.amount_gross := due;
      perform private.record_payment_by_hand(received, ordered, amount);
      if received.outcome <> 'sold_out' then
        perform private.complete_top_up(top_up);
      end if;
    end if;
    if amount > due then
      received.outcome := 'paid_twice';
      received.amount_gross := amount - due;
      perform private.record_payment_by_hand(received, ordered, amount);
    end if;
    insert into public.order_events (order_id, kind, detail)
      values (ordered.id, 'paid_by_hand', jsonb_build_object('way', received.way, 'amount', amount, 'reference', received.reference)
        || jsonb_strip_nulls(jsonb_build_object(
          'received_on', received.received_on, 'surplus', case when due > 0 and amount > due then amount - due end)));
  end
  $$;

-- What the order still costs, and the short payment that it holds; 0 for a paid order. Any other money of an unpaid order needs a decision
-- first: the payment that paid it could not be told from the one to refund. Errors: payment_being_confirmed, payment_undecided.
create or replace function private.due_by_hand(ordered public.orders, out due numeric, out short_payment uuid)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    held record;
  begin
    due := 0;
    if ordered.paid_at is not null then
      return;
    elsif private.is_payment_being_confirmed(ordered.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;
    select count(*) as payments, sum(b.amount_gross) as amount, (array_agg(b.payment_id))[1] as payment_id,
        bool_and(b.outcome = 'wrong_amount' and b.amount_gross < ordered.total_amount and b.refundable = b.amount_gross) as is_short
      into held
      from public.payment_balances b where b.order_id = ordered.id and b.amount_gross > b.given_back;
    if held.payments > 1 or not held.is_short then
      perform private.refuse(409, 'payment_undecided',
        'This order holds a payment that needs your decision first: accept or refund it under Needs attention.');
    end if;
    due := ordered.total_amount - coalesce(held.amount, 0);
    short_payment := held.payment_id;
  end
  $$;

-- Customers pay under the number that they know. The money would reinstate the old order beside the one that replaced it.
create or replace function private.require_not_replaced(ordered public.orders) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    replacement public.orders;
  begin
    if ordered.status <> 'cancelled' or ordered.paid_at is not null then
      return;
    end if;
    replacement := private.replacement_of(ordered.id);
    if replacement.id is not null then
      perform private.refuse(409, 'order_replaced',
        'This order was replaced. Record it on #' || lpad(replacement.order_number::text, 5, '0') || '.',
        jsonb_build_object('order_id', replacement.id, 'order_number', replacement.order_number));
    end if;
  end
  $$;

-- The day is one of the shop's time zone.
create or replace function private.require_amount_and_day(ordered public.orders, amount numeric, received_on date) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if amount <> round(amount, 2) or amount not between 0.01 and 99999999.99 then
      perform private.refuse(422, 'invalid_amount', 'Enter an amount in rand, for example 120.50.');
    elsif received_on > private.local_day(now()) then
      perform private.refuse(422, 'invalid_day', 'Money cannot have arrived in the future. Choose today or an earlier day.');
    elsif received_on < private.local_day(private.first_placed_at(ordered)) then
      perform private.refuse(422, 'invalid_day', 'Money for an order cannot have arrived before the day on which it was placed.');
    end if;
  end
  $$;

-- Two short payments could be neither accepted nor topped up together.
create or replace function private.require_first_part(short_payment uuid, missing numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if short_payment is not null then
      perform private.refuse(409, 'rest_still_missing', 'R' || missing
        || ' would still be missing. Record the rest in one amount when all of it has arrived, or accept or refund the first payment.',
        jsonb_build_object('missing', missing));
    end if;
  end
  $$;

-- The request for the difference that money by hand answers. Without one, the money answers itself, so that the short payment has the
-- same records as after a top-up through PayFast. Null without a short payment.
create or replace function private.top_up_by_hand(short_payment uuid, amount numeric) returns uuid
  language plpgsql
  set search_path = ''
  as $$
  declare
    top_up uuid;
  begin
    insert into public.payment_top_ups (payment_id, order_id, amount, requested_by)
      select p.id, p.order_id, top_up_by_hand.amount, (select auth.uid()) from public.payments p where p.id = short_payment
      on conflict on constraint topped_up_twice do nothing;
    select t.id into top_up from public.payment_top_ups t where t.payment_id = short_payment;
    return top_up;
  end
  $$;

-- Writes one row of the ledger, and its issue if the money did not pay the order. `amount` is all that arrived.
create or replace function private.record_payment_by_hand(received public.payments, ordered public.orders, amount numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    payment public.payments;
  begin
    insert into public.payments (order_id, amount_gross, outcome, way, reference, received_on, recorded_by, withdrawn_before)
      values (received.order_id, received.amount_gross, received.outcome, received.way, received.reference, received.received_on,
        (select auth.uid()), private.withdrawals_of(received.order_id))
      returning * into payment;
    if payment.outcome not in ('paid', 'reinstated') then
      perform private.raise_payment_issue(payment.outcome, null, ordered.id, jsonb_strip_nulls(jsonb_build_object(
        'payment_id', payment.id, 'order_number', ordered.order_number, 'amount_gross', payment.amount_gross,
        'order_total', ordered.total_amount, 'received', nullif(record_payment_by_hand.amount, payment.amount_gross))));
    end if;
  end
  $$;

create or replace function private.noon_of(day date) returns timestamptz
  language sql immutable
  return (day + time '12:00') at time zone 'Africa/Johannesburg';
comment on function private.noon_of is 'Noon of a day in the shop''s time zone: it stands for the unknown time at which money arrived.';
-- For payment_balances, which runs with the rights of its reader.
grant execute on function private.noon_of to authenticated, service_role;

-- Security definer, because not even admins may write the ledger directly. `was` is what the order had received when the form opened: a
-- retry after a lost response would record the money once more, as paid twice.
create or replace function public.record_payment(
    order_id uuid, way text, reference text default null, amount numeric default null, received_on date default null,
    was numeric default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    received_so_far numeric;
  begin
    perform private.require_admin();
    perform from public.orders o where o.id = record_payment.order_id for update;
    select coalesce(sum(b.amount_gross), 0) into received_so_far
      from public.payment_balances b where b.order_id = record_payment.order_id;
    if was <> received_so_far then
      perform private.refuse(409, 'payments_changed',
        'The payments of this order have changed in the meantime. Please check them and try again.',
        jsonb_build_object('received', received_so_far));
    end if;
    perform private.take_payment_by_hand(
      record_payment.order_id, record_payment.way, record_payment.reference, record_payment.amount, record_payment.received_on);
  end
  $$;
comment on function public.record_payment is
  'An admin received money for an order, by eft or cash (`way`): `amount` rand, or the whole total of an unpaid order without it, on `received_on` (a day of South African time; today without it), if the order had received `was` rand before. The amount due marks the order as paid, and reinstates a cancelled one; if its lures are sold out, the order stays as it is and the payment needs attention. Less raises an issue. What exceeds it, and money for a paid order, is recorded as paid twice. Errors: invalid_way, invalid_amount, invalid_day, order_not_found, order_not_payable, payments_changed, payment_being_confirmed, payment_undecided, rest_still_missing, order_replaced.';
grant execute on function public.record_payment to authenticated;
