-- What customers may do about an order that holds their money, and what they are told about it.
--
-- The page /payment-cancelled cancels the order that its address names. An order that holds a payment (one that was too little, say) may
-- not end that way: the update finds no row, as it does for a paid order. Its customer cancels it on the order's own page, which says
-- that the money is refunded, through cancel_own_order().
create function private.held_amount(order_id uuid) returns numeric
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(sum(b.refundable), 0) from public.payment_balances b where b.order_id = held_amount.order_id
  $$;
comment on function private.held_amount(uuid) is 'Rand of all payments for this order that were neither refunded nor are on their way back.';
-- The policy below asks it as the customer. The schema is not served, so no call reaches it.
grant execute on function private.held_amount(uuid) to authenticated;

alter policy cancel_own on public.orders
  using (customer_id = (select auth.uid()) and status = 'pending_payment' and private.held_amount(id) = 0);

-- The payment's issue stays open, so the refund stays on the list of what needs attention.
create function public.cancel_own_order(order_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.orders o set status = 'cancelled'
    where o.id = cancel_own_order.order_id and o.customer_id = (select auth.uid())
      and o.placed_at is not null and o.status = 'pending_payment' and private.is_proven();
    return found;
  end
  $$;
comment on function public.cancel_own_order(uuid) is
  'Cancels an unpaid order of the caller''s, with the money it may hold. False when there is no such order or it has moved on.';
revoke execute on function public.cancel_own_order(uuid) from public, anon;
grant execute on function public.cancel_own_order(uuid) to authenticated;


-- An order as its customer sees it. Besides the former fields it tells how many of each line were returned, what the shop holds
-- of its money, and what it owes after a cancellation. A refund that failed is no refund, and is left out. A payment is being
-- confirmed only while a notice of it is: one that was too little waits for the shop and not for PayFast.
create or replace function private.order_document(o public.orders) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'id', o.id, 'order_number', o.order_number, 'status', o.status,
      'placed_at', o.placed_at, 'paid_at', o.paid_at, 'expires_at', o.expires_at,
      'cancelled_at', o.cancelled_at, 'cancellation_reason', o.cancellation_reason,
      'subtotal_amount', o.subtotal_amount, 'shipping_cost', o.shipping_cost, 'discount_amount', o.discount_amount,
      'total_amount', o.total_amount, 'amount_due', private.amount_due(o.id), 'held_amount', private.held_amount(o.id),
      'refund_due', (select coalesce(sum(t.outstanding), 0) from public.refund_tasks t where t.order_id = o.id and t.is_open),
      'promo_code', o.promo_code,
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
          'price', i.price, 'quantity', i.quantity, 'returned_quantity', i.returned_quantity, 'image_url', i.image_url
        ) order by i.position, i.created_at, i.id), '[]')
        from public.order_items i where i.order_id = o.id),
      'refunds', (
        select coalesce(jsonb_agg(jsonb_build_object('amount', r.amount, 'created_at', r.created_at) order by r.created_at), '[]')
        from public.refunds r join public.payments p on p.id = r.payment_id where p.order_id = o.id and r.state <> 'failed'),
      'timeline', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', e.kind, 'status', e.detail ->> 'to', 'happened_at', e.created_at
        ) order by e.id), '[]')
        from public.order_events e
        where e.order_id = o.id
          and e.kind in ('placed', 'paid', 'reinstated', 'cancelled', 'status_changed', 'tracking_changed')),
      'may_be_paid', o.status = 'pending_payment' and private.may_be_paid_now(o.id),
      -- Money is on its way: paying again, or cancelling, would be a mistake.
      'is_being_confirmed', o.status = 'pending_payment' and private.has_undecided_notice(o.id))
  $$;


-- The refusal names no cause: the lures may be sold, or reserved for another customer. Otherwise as before.
create or replace function private.start_payment_attempt(order_id uuid, merchant_id text) returns public.payment_attempts
  language plpgsql security definer
  set search_path = ''
  as $$
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
      perform private.refuse(409, 'sold_out', 'We no longer have enough of some lures.');
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
