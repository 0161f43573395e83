-- Before an order is shipped, staff may see the mail that will go out with it. It is written from the same props as the mail itself: those
-- of the order, with the number, the courier and the status that shipping will give it.

create function private.courier_for_mail(courier_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('name', c.name, 'contactPerson', c.contact_person, 'contactPhone', c.contact_phone,
      'trackingUrl', c.tracking_url)
    from public.courier_companies c where c.id = courier_for_mail.courier_id
  $$;

create or replace function private.order_for_mail(order_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'orderId', o.id, 'orderNumber', o.order_number, 'placedAt', o.created_at,
      'customerName', o.customer_name, 'customerEmail', o.customer_email, 'customerPhone', o.customer_phone,
      'status', o.status, 'shippingMethod', o.shipping_method, 'lockerLocation', o.locker_location,
      'shippingAddress', o.shipping_address, 'shippingCity', o.shipping_city,
      'shippingState', o.shipping_state, 'shippingZip', o.shipping_zip, 'notes', o.notes,
      'subtotal', o.subtotal_amount, 'shippingCost', o.shipping_cost,
      'discountAmount', o.discount_amount, 'totalAmount', o.total_amount,
      'trackingNumber', o.tracking_number,
      'courier', private.courier_for_mail(o.courier_company_id),
      'items', (select coalesce(jsonb_agg(jsonb_build_object(
                  'productName', i.product_name, 'productVariant', i.product_variant, 'quantity', i.quantity,
                  'price', i.price, 'withHooks', i.with_hooks, 'imageUrl', i.image_url) order by i.position, i.id), '[]')
                from public.order_items i where i.order_id = o.id))
    from public.orders o where o.id = order_for_mail.order_id
  $$;

create function private.shipped_order_for_mail(order_id uuid, tracking_number text, courier_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select private.order_for_mail(order_id) || jsonb_build_object(
      'status', 'shipped', 'trackingNumber', tracking_number, 'courier', private.courier_for_mail(courier_id))
  $$;
comment on function private.shipped_order_for_mail(uuid, text, uuid) is
  'What the mail about an order says once it is shipped with this number and courier; null when there is no such order.';
