-- Actions on many orders at once: set a status, mail the customers, preview a cancellation.
--
-- set_order_statuses() and email_buyers() answer {"done": [id, …], "skipped": [{"order_number", "reason"}, …]}: an
-- order that cannot be changed is skipped with a sentence, and the others are still done. At most 500 orders a call.
-- Packers may set statuses, cancelling excepted. Mails and the preview are for admins.
-- All rows are locked before the first change, in the order of all checkouts and payments: orders, promo codes,
-- variants, products, each by id. Bulk actions wait for those and never deadlock with them.

-- Security definer: locks promo codes and variants that packers cannot write. require_staff() comes first, and
-- the trigger guard_order_update checks each order as for a single change.
-- Only PT409 refusals are caught: a right that is missing (42501, a packer who cancels) ends the whole call.
-- `was` is the status of each order as the caller saw it: without it, an outdated page sets shipped orders back.
create or replace function public.set_order_statuses(order_ids uuid[], status text, was text[] default null) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed public.orders;
    order_id uuid;
    seen text;
    reason text;
    done jsonb := '[]';
    skipped jsonb := '[]';
  begin
    perform private.require_staff();
    perform private.require_few_orders(order_ids);
    if (set_order_statuses.status in ('new', 'processing', 'shipped', 'delivered', 'cancelled')) is not true then
      perform private.refuse(422, 'invalid_status', 'An order cannot be set to this status.');
    end if;
    perform private.lock_orders(order_ids);

    for order_id, seen in
      select distinct on (chosen.id) chosen.id, chosen.seen from unnest(order_ids, was) as chosen (id, seen) order by chosen.id
    loop
      select * into changed from public.orders o where o.id = order_id;
      reason := private.status_change_error(changed, set_order_statuses.status, seen);
      if reason is null then
        begin
          update public.orders o set status = set_order_statuses.status where o.id = order_id;
        exception
          when sqlstate 'PT409' then
            reason := sqlerrm;
        end;
      end if;
      if reason is null then
        done := done || to_jsonb(order_id);
      else
        skipped := skipped || jsonb_build_object('order_number', changed.order_number, 'reason', reason);
      end if;
    end loop;
    return jsonb_build_object('done', done, 'skipped', skipped);
  end
  $$;
comment on function public.set_order_statuses is
  'Sets the status of up to 500 orders and answers {done: [id], skipped: [{order_number, reason}]}. status: new, '
  'processing, shipped, delivered or cancelled; was: the status of each order as it was shown. '
  'For staff; cancelling for admins. Refuses too_many_orders, invalid_status.';
grant execute on function public.set_order_statuses to authenticated;

-- Why an order cannot get a status, as a sentence for the list of skipped orders; null when it can be tried.
-- A cancelled order is skipped: reinstating takes stock again and is decided order by order.
create or replace function private.status_change_error(found public.orders, new_status text, seen text) returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when found.id is null or found.placed_at is null then 'There is no such order.'
      when found.status = new_status or new_status = 'new' and found.status = 'pending'
        then 'It already has this status.'
      when found.status = 'cancelled' then 'It is cancelled. Open it to reinstate it.'
      when found.status <> seen then 'Someone has changed it in the meantime.'
      when new_status = 'shipped' and (coalesce(found.tracking_number, '') = '' or found.courier_company_id is null)
        then 'It has no tracking number or courier yet.'
    end
  $$;

-- Security definer: the outbox is not writable for clients. require_admin() comes first.
-- An address gets one mail, on the timeline of its newest order. The outbox key contains the day, the text and the
-- address, so that pressing the button twice, or retrying, does not send the same words twice on one day. It does
-- not contain the order, so that a customer gets one mail also when more than 500 selected orders take several calls.
create or replace function public.email_buyers(order_ids uuid[], subject text, message text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    content jsonb := jsonb_build_object('subject', btrim(subject), 'message', btrim(message));
    result jsonb;
  begin
    perform private.require_admin();
    perform private.require_few_orders(order_ids);
    if (private.is_line(btrim(subject), 1, 200) and length(btrim(message)) between 1 and 10000) is not true then
      perform private.refuse(422, 'invalid_email_text', 'Please fill in all fields');
    end if;

    with recipients as (
      select o.id, o.order_number, o.customer_name, lower(coalesce(o.customer_email, p.email)) as email,
        row_number() over (partition by lower(coalesce(o.customer_email, p.email)) order by o.created_at desc) as nth
      from public.orders o left join public.profiles p on p.id = o.customer_id
      where o.id = any (order_ids) and o.placed_at is not null
    ), keyed as (
      select w.*, 'letter:' || to_char(now(), 'YYYY-MM-DD') || ':' || md5(content::text) || ':' || w.email as key
      from recipients w
    ), queued as (
      -- The subquery does not see the mails that this statement writes.
      select w.id, exists (select from public.mails m where m.key = w.key) as is_duplicate, private.queue_mail(w.key,
        'admin-email', w.email, content || jsonb_build_object('customerName', w.customer_name, 'orderId', w.id,
          'senderName', private.sender_name((select auth.uid())))) as mail_id
      from keyed w where w.email is not null and w.nth = 1
    )
    select jsonb_build_object(
      'done', (select coalesce(jsonb_agg(id), '[]') from queued where not is_duplicate),
      'skipped', (
        select coalesce(jsonb_agg(jsonb_build_object('order_number', w.order_number, 'reason', case
            when w.email is null then 'It has no e-mail address.'
            when w.nth > 1 then 'The same customer gets one e-mail, about a newer order.'
            else 'The same customer was already e-mailed this text today.' end)
          order by w.order_number), '[]')
        from recipients w left join queued q on q.id = w.id
        where w.email is null or w.nth > 1 or q.is_duplicate))
    into result;
    return result;
  end
  $$;
comment on function public.email_buyers is
  'Queues one mail to each customer of up to 500 orders and answers {done: [order id], skipped: [{order_number, '
  'reason}]}. For admins. Refuses too_many_orders, invalid_email_text.';
grant execute on function public.email_buyers to authenticated;

-- The figures of the confirmation dialog. Security definer: reads payments. require_admin() comes first.
create or replace function public.preview_cancellation(order_ids uuid[]) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    perform private.require_few_orders(order_ids);
    return (
      select jsonb_build_object(
        'orders', count(*),
        'mails', count(*) filter (where (o.paid_at is not null or held.amount > 0) and o.customer_email is not null),
        'to_refund', coalesce(sum(held.amount), 0),
        'shipped', count(*) filter (where o.status in ('shipped', 'delivered')))
      from public.orders o
      cross join lateral (select private.held_amount(o.id) as amount) as held
      where o.id = any (order_ids) and o.placed_at is not null and o.status <> 'cancelled');
  end
  $$;
comment on function public.preview_cancellation is
  'What cancelling these orders would do: {orders, mails, to_refund (rand), shipped}. Changes nothing. For '
  'admins. Refuses too_many_orders.';
grant execute on function public.preview_cancellation to authenticated;

create or replace function private.require_few_orders(order_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if coalesce(cardinality(order_ids), 0) not between 1 and 500 then
      perform private.refuse(422, 'too_many_orders', 'Choose between 1 and 500 orders.');
    end if;
  end
  $$;
comment on function private.require_few_orders is 'Refuses too_many_orders unless there are 1 to 500 ids.';

-- Locks what changing the orders may touch, before any is changed: a cancellation releases a promo code use and returns
-- stock, which changes the variant and its product. The order of the four is that of placing and paying.
create or replace function private.lock_orders(order_ids uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.orders o where o.id = any (order_ids) order by o.id for update;
    perform private.lock_promo_codes(array(select o.promo_code_id from public.orders o where o.id = any (order_ids)));
    perform private.lock_variant_rows(
      array(select i.variant_id from public.order_items i where i.order_id = any (order_ids)));
    perform from public.products p
      where p.id in (select i.product_id from public.order_items i where i.order_id = any (order_ids))
      order by p.id for no key update;
  end
  $$;
