-- Mails about orders, payments and refunds.
--
-- Triggers on orders and refund tasks queue them. They are deferred to the end of the transaction, so that a mail describes the
-- order as it was committed. The unique key of a queued mail contains the id of the order or of its event, so that the same
-- event cannot queue a second mail. The queue stores the template's values (amounts in rand, texts); emails/ renders them.
-- Orders without an e-mail address get no mail.

-- The confirmation to the customer and the notification to the shop, once each time an order is paid, or costs nothing.
create or replace function private.queue_order_mails(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(order_id);
    -- An order whose payment was withdrawn is paid, and confirmed, once more.
    occasion text := concat_ws(':', order_id, (
      select nullif(count(*), 0) from public.order_events e
      where e.order_id = queue_order_mails.order_id and e.kind = 'payment_withdrawn' and e.detail ? 'to'));
  begin
    perform private.queue_mail('order-confirmation:' || occasion, 'order-confirmation', props ->> 'customerEmail', props);
    perform private.queue_mail('order-notification:' || occasion, 'order-notification', null, props);
  end
  $$;

-- An order that was handed over in person gets only the mail about the hand-over.
create or replace function private.mail_new_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not exists (
      select from public.orders o where o.id = new.id and o.shipping_method = 'hand-over' and o.status = 'delivered'
    ) then
      perform private.queue_order_mails(new.id);
    end if;
    return null;
  end
  $$;

-- Deferred, so that an order that is handed over and delivered in the same transaction gets only that mail.
create constraint trigger a_new_order_is_mailed
  after insert or update of status on public.orders
  deferrable initially deferred
  for each row when (new.status = 'new' and (new.paid_at is not null or new.total_amount = 0))
  execute function private.mail_new_order();

-- The order as mail templates receive it. Courier and tracking number become a link in domain/tracking.ts, as on the page.
create or replace function private.order_for_mail(order_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'orderId', o.id, 'orderNumber', o.order_number, 'placedAt', o.created_at, 'hasAccount', o.customer_id is not null,
      'mustBeMade', private.must_be_made(o),
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
                  'returnedQuantity', i.returned_quantity, 'price', i.price, 'withHooks', i.with_hooks,
                  'imageUrl', i.image_url) order by i.position, i.id), '[]')
                from public.order_items i where i.order_id = o.id))
    from public.orders o where o.id = order_for_mail.order_id
  $$;
comment on function private.order_for_mail is 'Props of a mail about an order.';

-- Mails a paid order's step, a changed tracking number and a reinstatement.
create or replace function private.mail_order_status() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_status_mail(new.id);
    return null;
  end
  $$;

create constraint trigger a_moved_order_is_mailed
  after update of status, tracking_number, courier_company_id on public.orders
  deferrable initially deferred
  for each row when (
    new.paid_at is not null and (
      new.status in ('processing', 'shipped', 'delivered', 'cancelled')
      and (old.status <> new.status
        or new.status = 'shipped' and (old.tracking_number, old.courier_company_id) is distinct from (new.tracking_number, new.courier_company_id))
      or new.status = 'new' and old.status = 'cancelled' and old.paid_at is not null))
  execute function private.mail_order_status();

-- The newest timeline entry is the occasion: its id is the key, so two triggers of one transaction send one mail.
create or replace function private.queue_status_mail(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(order_id) || private.money_for_mail(order_id);
    occasion public.order_events;
  begin
    select * into occasion from public.order_events e
      where e.order_id = queue_status_mail.order_id
        and e.kind in ('status_changed', 'cancelled', 'refund_due', 'reinstated', 'tracking_changed')
      order by e.id desc limit 1;
    if occasion.id is not null and props ->> 'customerEmail' is not null then
      perform private.queue_mail('order-status:' || occasion.id, 'order-status-update', props ->> 'customerEmail',
        props || jsonb_build_object('isReinstated', occasion.kind = 'reinstated'));
    end if;
  end
  $$;
comment on function private.queue_status_mail is 'Queues the mail about the newest step of an order.';

-- The courier as mail templates receive it; null without one.
create or replace function private.courier_for_mail(courier_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('name', c.name, 'contactPerson', c.contact_person, 'contactPhone', c.contact_phone,
      'trackingUrl', c.tracking_url)
    from public.courier_companies c where c.id = courier_for_mail.courier_id
  $$;

-- Staff preview the mail before they ship the order. The same props are used, with the values that shipping will set.
create or replace function private.shipped_order_for_mail(order_id uuid, tracking_number text, courier_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select private.order_for_mail(order_id) || jsonb_build_object(
      'status', 'shipped', 'trackingNumber', tracking_number, 'courier', private.courier_for_mail(courier_id))
  $$;
comment on function private.shipped_order_for_mail is
  'Props of the mail about this order if it were shipped with this tracking number and courier; null for an unknown order.';

-- Rand received and refunded, and the payment methods of what is still held. Mails state how money goes back by method.
create or replace function private.money_for_mail(order_id uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('money', jsonb_build_object(
      'received', coalesce(sum(b.amount_gross), 0),
      'refunded', coalesce(sum(b.given_back), 0),
      'ways', coalesce(jsonb_agg(distinct b.way) filter (where b.amount_gross > b.given_back), '[]')))
    from public.payment_balances b where b.order_id = money_for_mail.order_id
  $$;

-- Tells the customer that a refund was made.
create or replace function private.queue_refund_mail(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id) || private.money_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund:' || refund.id, 'refund', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'refundReason', refund.reason,
          'refundWay', (select case when r.paid_by_hand then 'by_hand' else r.way end from public.refunds r where r.id = refund.id)));
    end if;
  end
  $$;

-- Corrects the mail about a refund that was withdrawn. It omits the admin's reason, which may name another customer's order.
create or replace function private.queue_refund_correction(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id) || private.money_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund-correction:' || refund.id, 'refund-correction', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'hadReturns', refund.restocked,
          'refundedAt', (select max(e.created_at) from public.payment_refund_events e where e.refund_id = refund.id and e.state = 'done')));
    end if;
  end
  $$;

-- Corrects the mail that said that a payment had arrived. It omits the admin's reason, which may name another customer's order.
create or replace function private.queue_payment_correction(payment public.payments) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(payment.order_id) || private.money_for_mail(payment.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('payment-correction:' || payment.id, 'payment-correction', props ->> 'customerEmail',
        props || jsonb_build_object('paymentAmount', payment.amount_gross, 'recordedAt', payment.created_at));
    end if;
  end
  $$;

-- Tells the customer of a cancelled order which amount is due back. Silent in the transaction of a withdrawn refund or
-- payment, whose correction says the same.
create or replace function private.mail_refund_due() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_status_mail(o.id) from public.orders o
      where o.id = new.order_id and o.status = 'cancelled'
        and not exists (
          select from public.order_events e
          where e.order_id = o.id and e.kind in ('refund_withdrawn', 'payment_withdrawn') and e.created_at = now());
    return null;
  end
  $$;

create constraint trigger a_new_refund_task_is_mailed after insert on public.refund_tasks
  deferrable initially deferred
  for each row execute function private.mail_refund_due();
create constraint trigger a_grown_refund_task_is_mailed after update of amount on public.refund_tasks
  deferrable initially deferred
  for each row when (new.amount > old.amount) execute function private.mail_refund_due();

-- The job remind_unpaid_orders reminds each unpaid order once: some time after its reservation ended, and at least an hour
-- before it expires. An order whose payment is being confirmed has no expires_at and gets no reminder, nor does a manual order
-- without an account: its customer cannot pay it in the shop. A mailbox gets one reminder a day: an order may have any address, and
-- accounts are free. Returns the number.
create or replace function private.remind_unpaid_orders() returns integer
  language sql security definer
  set search_path = ''
  as $$
    with unpaid as (
      select distinct on (auth.mailbox_of(o.customer_email)) o.id, o.customer_email
      from public.orders o cross join private.shop_rules r
      where o.status = 'pending_payment' and o.placed_at is not null and o.customer_id is not null and o.customer_email is not null
        and o.reserved_until < now() - make_interval(mins => r.remind_after_minutes) and o.expires_at > now() + interval '1 hour'
        and not exists (select from public.mails m where m.key = 'payment-reminder:' || o.id)
        -- The correction of that payment has told the customer already, and the cart is no longer as it was.
        and not exists (
          select from public.order_events e where e.order_id = o.id and e.kind = 'payment_withdrawn' and e.detail ? 'to')
        and auth.mailbox_of(o.customer_email) not in (
          select auth.mailbox_of(m.recipient) from public.mails m
          where m.template = 'payment-reminder' and m.created_at > now() - interval '1 day' and m.recipient is not null)
      order by auth.mailbox_of(o.customer_email), o.placed_at limit 500
    ), reminded as (
      select private.queue_mail('payment-reminder:' || u.id, 'payment-reminder', u.customer_email, private.order_for_mail(u.id))
      from unpaid u
    )
    select count(*)::integer from reminded
  $$;
