-- Payments by EFT or cash, recorded by an admin. Only the whole total counts.
--
-- As with PayFast, a payment that arrives after the cancellation reinstates the order, if its lures are in stock. If they were
-- sold, the money is recorded all the same and raises an issue: an admin accepts it once stock is back, or refunds it.
-- The order is locked before anything is decided, as for a notice, so that a notice and an admin never both pay one order.
-- Errors: invalid_way, order_not_found, order_not_payable, payment_being_confirmed.
create or replace function private.take_payment_by_hand(order_id uuid, way text, reference text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    waiting public.orders;
    outcome text;
    payment public.payments;
  begin
    if (take_payment_by_hand.way in ('eft', 'cash')) is not true then
      perform private.refuse(422, 'invalid_way', 'Choose EFT or cash.');
    end if;
    select * into waiting from public.orders o where o.id = take_payment_by_hand.order_id for update;
    if waiting.placed_at is null then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    elsif waiting.paid_at is not null then
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    elsif private.has_money_waiting(waiting.id) then
      perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed.');
    end if;

    outcome := private.mark_order_paid(waiting.id, now());
    insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)
      values (waiting.id, waiting.total_amount, outcome, take_payment_by_hand.way, private.normalise_line(take_payment_by_hand.reference), (select auth.uid()))
      returning * into payment;
    insert into public.order_events (order_id, kind, detail)
      values (waiting.id, 'paid_by_hand', jsonb_build_object('way', take_payment_by_hand.way, 'amount', waiting.total_amount,
        'reference', private.normalise_line(take_payment_by_hand.reference)));
    if outcome = 'sold_out' then
      perform private.raise_payment_issue('sold_out', null, waiting.id, jsonb_build_object(
        'payment_id', payment.id, 'order_number', waiting.order_number, 'amount_gross', payment.amount_gross, 'order_total', waiting.total_amount));
    end if;
  end
  $$;

-- Security definer, because not even admins may write the ledger directly.
create or replace function public.record_payment(order_id uuid, way text, reference text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    perform private.take_payment_by_hand(record_payment.order_id, record_payment.way, record_payment.reference);
  end
  $$;
comment on function public.record_payment is
  'An admin received the whole total of an unpaid order, by eft or cash (`way`). Marks the order as paid, and reinstates a cancelled one. If its lures are sold out, the order stays as it is and the payment needs attention.';
grant execute on function public.record_payment to authenticated;
