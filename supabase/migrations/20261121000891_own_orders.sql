-- An order as its customer reads it: lines, money, delivery, courier and what happened when. One document, because the courier's
-- row and the timeline name people of the shop and are not the customer's to read whole.
create function private.order_document(o public.orders) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select jsonb_build_object(
      'id', o.id, 'order_number', o.order_number, 'status', o.status,
      'placed_at', o.placed_at, 'paid_at', o.paid_at, 'expires_at', o.expires_at,
      'cancelled_at', o.cancelled_at, 'cancellation_reason', o.cancellation_reason,
      'subtotal_amount', o.subtotal_amount, 'shipping_cost', o.shipping_cost, 'discount_amount', o.discount_amount,
      'total_amount', o.total_amount, 'promo_code', o.promo_code,
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
      'is_being_confirmed', o.status = 'pending_payment' and private.has_money_waiting(o.id))
  $$;

create function public.show_order(order_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    found_order public.orders;
  begin
    select * into found_order from public.orders o
    where o.id = show_order.order_id and o.customer_id = (select auth.uid()) and o.placed_at is not null and private.is_proven();
    if not found then
      perform private.refuse(404, 'order_not_found', 'There is no such order.');
    end if;
    return private.order_document(found_order);
  end
  $$;
comment on function public.show_order(uuid) is 'An order of the caller''s, whole. A stranger''s and none at all are the same answer.';
grant execute on function public.show_order(uuid) to authenticated;
