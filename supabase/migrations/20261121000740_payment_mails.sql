-- Mails around paying: money that went back, and an order that still waits for its payment.

create function private.queue_refund_mail(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund:' || refund.id, 'refund', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'refundReason', refund.reason));
    end if;
  end
  $$;


-- Once for each order: after its lures are no longer held and while it can still be paid. An order with money on its way
-- has no expires_at and is left in peace.
create function private.remind_unpaid_orders() returns integer
  language sql security definer
  set search_path = ''
  as $$
    with unpaid as (
      select o.id, o.customer_email
      from public.orders o
      where o.status = 'pending_payment' and o.placed_at is not null and o.customer_email is not null
        and o.hold_expires_at < now() - interval '30 minutes' and o.expires_at > now() + interval '1 hour'
        and not exists (select from public.mails m where m.key = 'payment-reminder:' || o.id)
      order by o.placed_at limit 500
    ), reminded as (
      select private.queue_mail('payment-reminder:' || u.id, 'payment-reminder', u.customer_email, private.order_for_mail(u.id))
      from unpaid u
    )
    select count(*)::integer from reminded
  $$;
