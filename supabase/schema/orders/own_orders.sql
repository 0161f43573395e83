-- What customers do with their own placed orders: read one in full, and cancel one that is unpaid.
--
-- Both functions are security definer and look the order up by id and caller. An order of another customer, a draft and
-- an order that does not exist give the same answer, so that ids cannot be probed. A session that has not shown the
-- second factor of its account finds none either.

-- Security definer: the document contains payments, refunds and events, whose tables customers cannot read.
create or replace function public.get_order(order_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    found_order public.orders;
  begin
    select * into found_order from public.orders o
    where o.id = get_order.order_id and o.customer_id = (select auth.uid())
      and o.placed_at is not null and private.has_aal2();
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    end if;
    return private.order_document(found_order);
  end
  $$;
comment on function public.get_order is
  'An order of the caller''s with lines, refunds and timeline. Amounts are rand. For signed-in customers. Refuses '
  'order_not_found, also for another customer''s order.';
grant execute on function public.get_order to authenticated;

-- The one description of an order for its customer: the order's page and the export of personal data use it.
-- Internal notes, staff's names and refunds that failed or were withdrawn are left out.
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
      'waived_amount', (
        select coalesce(sum(a.shortfall), 0) from public.payment_acceptances a
        join public.payment_balances b on b.payment_id = a.payment_id where a.order_id = o.id),
      'refund_due', (
        select coalesce(sum(t.outstanding), 0) from public.refund_tasks t where t.order_id = o.id and t.is_open),
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
        select coalesce(jsonb_agg(jsonb_build_object(
          'amount', r.amount, 'created_at', r.created_at,
          'done_at', case r.state when 'done' then r.state_since end
        ) order by r.created_at), '[]')
        from public.refunds r join public.payments p on p.id = r.payment_id where p.order_id = o.id and r.counts),
      'timeline', (
        select coalesce(jsonb_agg(jsonb_build_object(
          'kind', e.kind, 'status', e.detail ->> 'to', 'happened_at', e.created_at
        ) order by e.id), '[]')
        from public.order_events e
        where e.order_id = o.id
          and e.kind in ('placed', 'paid', 'reinstated', 'cancelled', 'status_changed', 'tracking_changed')),
      'may_be_paid', o.status = 'pending_payment' and private.may_be_paid_now(o.id),
      -- A notice is being verified. The page then offers neither payment nor cancellation.
      'is_being_confirmed', o.status = 'pending_payment' and private.is_payment_being_confirmed(o.id))
  $$;
comment on function private.order_document is
  'An order as its customer may see it. Amounts are rand. Checks no rights: its callers do.';

-- Unlike the policy cancel_own this also cancels an order that holds money. The payment's issue stays open, so the
-- refund stays on the list of what needs attention. An order whose payment is being confirmed is not cancelled here either.
-- Security definer: that policy hides such orders.
create or replace function public.cancel_own_order(order_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.orders o set status = 'cancelled'
    where o.id = cancel_own_order.order_id and o.customer_id = (select auth.uid())
      and not private.is_payment_being_confirmed(o.id)
      and o.placed_at is not null and o.status = 'pending_payment' and private.has_aal2();
    return found;
  end
  $$;
comment on function public.cancel_own_order is
  'Cancels an unpaid order of the caller''s, money or not. True when it did; false when there is no such order, its payment '
  'is being confirmed, or it is paid or cancelled already. For signed-in customers.';
grant execute on function public.cancel_own_order to authenticated;
