-- Payments by EFT or cash, recorded by an admin. Only the whole total counts.
--
-- As with PayFast, a payment that arrives after the cancellation reinstates the order, if its lures are in stock.
-- A manual order that waited for its payment belongs to the verified account with its e-mail from now on.
-- The order is locked before anything is decided, as for a notice, so that a notice and an admin never both pay one order.
-- Errors: invalid_way, order_not_found, order_not_payable, payment_being_confirmed, sold_out.
create or replace function private.take_payment_by_hand(order_id uuid, way text, reference text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    waiting public.orders;
    outcome text;
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

    update public.orders o set customer_id = private.verified_account_of(o.customer_email)
      where o.id = waiting.id and o.customer_id is null
        and exists (select from public.order_events e where e.order_id = o.id and e.kind = 'entered_by_hand');
    outcome := private.mark_order_paid(waiting.id, now());
    if outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'sold_out', 'There is not enough stock of these lures.');
    end if;
    insert into public.payments (order_id, amount_gross, outcome, way, reference, recorded_by)
      values (waiting.id, waiting.total_amount, outcome, take_payment_by_hand.way, private.normalise_line(take_payment_by_hand.reference), (select auth.uid()));
    insert into public.order_events (order_id, kind, detail)
      values (waiting.id, 'paid_by_hand', jsonb_build_object('way', take_payment_by_hand.way, 'amount', waiting.total_amount,
        'reference', private.normalise_line(take_payment_by_hand.reference)));
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
  'An admin received the whole total of an unpaid order, by eft or cash (`way`). Marks the order as paid, and reinstates a cancelled one.';
grant execute on function public.record_payment to authenticated;
