-- The mails of an order. Their content is read here, from the tables, when the cause happens: what a
-- caller sends is never put into a mail.

create function private.order_for_mail(order_id uuid) returns jsonb
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
      'courier', (select jsonb_build_object('name', c.name, 'contactPerson', c.contact_person, 'contactPhone', c.contact_phone)
                  from public.courier_companies c where c.id = o.courier_company_id),
      'items', (select coalesce(jsonb_agg(jsonb_build_object(
                  'productName', i.product_name, 'productVariant', i.product_variant, 'quantity', i.quantity,
                  'price', i.price, 'withHooks', i.with_hooks, 'imageUrl', i.image_url) order by i.position, i.id), '[]')
                from public.order_items i where i.order_id = o.id))
    from public.orders o where o.id = order_for_mail.order_id
  $$;


-- Confirmation to the customer and notification to the shop: for an order that is paid or costs nothing,
-- once each for as long as the shop stands.
create function private.queue_order_mails(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(order_id);
  begin
    perform private.queue_mail('order-confirmation:' || order_id, 'order-confirmation', props ->> 'customerEmail', props);
    perform private.queue_mail('order-notification:' || order_id, 'order-notification', null, props);
  end
  $$;

create function private.mail_new_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_order_mails(new.id);
    return null;
  end
  $$;

-- At the end of the transaction, because an order that costs nothing may be new before its items are there.
create constraint trigger a_new_order_is_mailed
  after insert or update of status on public.orders
  deferrable initially deferred
  for each row when (new.status = 'new' and (new.paid_at is not null or new.total_amount = 0))
  execute function private.mail_new_order();
