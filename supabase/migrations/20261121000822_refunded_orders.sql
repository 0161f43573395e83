-- An order whose wrong payment went back in full has no money waiting any more: it may be paid again, and it expires as one that was just
-- placed. Until then it does neither, because its buyer has paid something.
create or replace function private.has_money_waiting(order_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
        select from public.payment_balances b
        where b.order_id = has_money_waiting.order_id and b.amount_gross > b.given_back)
      or exists (
        select from public.payment_attempts a
        join public.payment_notices n using (m_payment_id)
        where a.order_id = has_money_waiting.order_id and n.raw_body like '%payment_status=COMPLETE%'
          and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id))
  $$;

create or replace function private.refund_is_done(refund public.payment_refunds, detail jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.write_refund_step(refund, 'done', detail);
    perform private.write_refund_event('refunded', refund);
    perform private.queue_refund_mail(refund);
    perform private.settle_concerns(
      (select p.notice_id from public.payments p where p.id = refund.payment_id),
      'R' || refund.amount || ' was refunded: ' || refund.reason);
    perform private.settle_refund_concerns(refund.id, 'The money went back.');
    perform private.release_order_of_notice(refund.order_id);
  end
  $$;


-- A refund's order stays there while the refund is written, or is gone before: without this its event could meet an order that is being
-- deleted. Deleting locks the order before the shelf, so this does too.
create or replace function private.lock_payment(payment_id uuid) returns public.payments
  language plpgsql
  set search_path = ''
  as $$
  declare
    locked public.payments;
  begin
    select * into locked from public.payments p where p.id = lock_payment.payment_id for update;
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such payment.');
    end if;
    perform from public.orders o where o.id = locked.order_id for key share;
    return locked;
  end
  $$;
