-- An admin withdraws a refund that was recorded by hand and never paid: it stands on the wrong order, or names a wrong amount. The ledger
-- stays append-only: `withdrawn` is the last step of such a refund. PayFast's own refunds have moved money and cannot be withdrawn.
alter table public.payment_refund_events
  drop constraint state_is_known,
  add constraint state_is_known check (state in ('requested', 'sent', 'unknown', 'failed', 'done', 'withdrawn'));
comment on column public.payment_refund_events.detail is
  'words: what PayFast or the network said; note: what an admin said; available: what PayFast would still give back before it was sent, in rand.';

-- The one place that decides which refunds count. A failed or withdrawn refund moved no money.
create or replace view public.refunds with (security_invoker = true) as
  select r.id, r.payment_id, r.order_id, r.amount, r.reason, r.restocked, r.way, r.recorded_by, r.created_at,
    step.state, step.detail, step.created_at as state_since,
    step.state not in ('failed', 'withdrawn') as counts
  from public.payment_refunds r
  cross join lateral (
    select e.state, e.detail, e.created_at from public.payment_refund_events e
    where e.refund_id = r.id order by e.id desc limit 1
  ) as step;
comment on view public.refunds is 'Each refund with its state: requested, sent, unknown, failed, done or withdrawn.';
comment on column public.refunds.counts is 'Whether the money went back or is on its way; false for a refund that failed or was withdrawn.';


-- The figures take the day on which a refund was done from its state, so a withdrawn refund leaves every figure, also those of its own
-- day: the money of that day never moved.
create or replace function private.expected_refunds_of(order_id uuid) returns setof private.counted_refunds
  language sql stable
  set search_path = ''
  as $$
    with sale as (
      select o.id, o.promo_code_id, o.total_amount,
        greatest(0, (select coalesce(sum(p.amount_gross), 0) from public.payments p where p.order_id = o.id) - o.total_amount) as overpaid
      from public.orders o
      where o.id = expected_refunds_of.order_id and o.placed_at is not null and o.paid_at is not null and o.status <> 'cancelled'
    ), done as (
      select r.id, r.amount, r.state_since as done_at
      from public.refunds r
      where r.order_id = expected_refunds_of.order_id and r.state = 'done'
    ), running as (
      select d.*, sum(d.amount) over (order by d.done_at, d.id) as until_now from done d
    ), counted as (
      select r.id as refund_id, s.id as order_id, s.promo_code_id, r.done_at,
        least(s.total_amount, greatest(0, r.until_now - s.overpaid))
          - least(s.total_amount, greatest(0, r.until_now - r.amount - s.overpaid)) as amount
      from sale s, running r
    )
    select c.* from counted c where c.amount > 0
  $$;
drop trigger keep_refunds on public.payment_refund_events;
create constraint trigger keep_refunds after insert on public.payment_refund_events
  deferrable initially deferred
  for each row when (new.state in ('done', 'withdrawn'))
  execute function private.keep_refunds();


-- The timeline names the amount, and money is the admins'.
alter policy select_as_staff on public.order_events
  using (
    (select private.is_staff())
    and (kind <> all ('{refund_due,refund_dismissed,refunded,refund_requested,refund_failed,refund_withdrawn,paid_by_hand,short_payment_accepted,top_up_requested,topped_up}'::text[])
      or (select private.is_admin())));

-- A refund settles the issues of its payment; withdrawing it raises them again. An issue is evidence and settled once, so it is raised as
-- a new row.
alter table public.payment_concerns
  add column reopening int not null default 0 constraint negative_reopening check (reopening >= 0),
  drop constraint a_notice_is_flagged_once,
  add constraint a_notice_is_flagged_once unique (notice_id, kind, reopening);
comment on column public.payment_concerns.reopening is
  'How often the issue had been raised before: it is raised again when the refund that settled it is withdrawn.';

create function private.reopen_concerns(refund public.payment_refunds) returns void
  language sql
  set search_path = ''
  as $$
    -- A refund by hand and the resolutions it causes are written in one transaction, so they bear the same time.
    insert into public.payment_concerns (kind, notice_id, order_id, detail, reopening)
    select c.kind, c.notice_id, c.order_id, c.detail, c.reopening + 1
    from public.payments p
    join public.payment_concerns c on c.notice_id = p.notice_id
    join public.payment_concern_resolutions r on r.concern_id = c.id and r.resolved_at = refund.created_at
    where p.id = refund.payment_id
  $$;


-- Lures that the refund put back belong to the order again and leave the shelf. If some were sold or reserved since, the withdrawal is
-- refused as a whole. An order that was cancelled before it was shipped has given all its lures back, so nothing leaves the shelf: a
-- reinstatement takes them. A lure made to order leaves as far as it is there; the rest is made.
create function private.take_returned_items(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    line record;
    there int;
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = refund.order_id));
    perform private.lock_products(refund.order_id);
    for line in
      select i.id, i.variant_id, i.product_name, i.product_variant, returned.quantity, coalesce(p.made_to_order, false) as made_to_order,
        o.status <> 'cancelled' or exists (
          select from public.stock_movements m where m.order_id = o.id and m.variant_id = i.variant_id having sum(m.quantity) <> 0) as is_taken
      from public.payment_refund_items returned
      join public.order_items i on i.id = returned.order_item_id
      join public.orders o on o.id = i.order_id
      left join public.products p on p.id = i.product_id
      where returned.refund_id = refund.id
      order by i.position, i.created_at, i.id
    loop
      update public.order_items i set returned_quantity = i.returned_quantity - line.quantity where i.id = line.id;
      if line.variant_id is not null and line.is_taken then
        there := private.available(line.variant_id, refund.order_id);
        if there < line.quantity and not line.made_to_order then
          perform private.refuse(409, 'returned_lures_sold',
            'This refund put ' || line.quantity || ' × ' || concat_ws(', ', line.product_name, line.product_variant)
              || ' back in stock, and only ' || there || ' can still be taken. Correct the stock, then withdraw the refund.',
            jsonb_build_object('order_item_id', line.id, 'wanted', line.quantity, 'available', there));
        elsif there > 0 then
          perform private.move_stock(line.variant_id, -least(line.quantity, there), 'sold', refund.order_id);
        end if;
      end if;
    end loop;
  end
  $$;


-- The reason stays with the staff: it may name another customer's order.
create function private.queue_refund_correction(refund public.payment_refunds) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(refund.order_id) || private.money_for_mail(refund.order_id);
  begin
    if props ->> 'customerEmail' is not null then
      perform private.queue_mail('refund-correction:' || refund.id, 'refund-correction', props ->> 'customerEmail',
        props || jsonb_build_object('refundAmount', refund.amount, 'refundedAt', refund.created_at, 'hadReturns', refund.restocked));
    end if;
  end
  $$;

-- The correction of a withdrawn refund says what is due again, so the task that opens in the same transaction sends no mail of its own.
create or replace function private.mail_refund_due() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_status_mail(o.id) from public.orders o
      where o.id = new.order_id and o.status = 'cancelled'
        and not exists (
          select from public.order_events e
          where e.order_id = o.id and e.kind = 'refund_withdrawn' and e.created_at = now());
    return null;
  end
  $$;


-- withdraw_refund(refund_id, reason) → the row of the view `refunds`, now `withdrawn`. Its order and its payment are locked first, so of
-- two admins at once the second is refused.
--   404 refund_not_found, 422 invalid_reason
--   409 refund_withdrawn     it was withdrawn already
--   409 refund_not_by_hand   it went through PayFast
--   409 refund_without_order its order was deleted: money without an order could be neither shown nor refunded
--   409 returned_lures_sold  {order_item_id, wanted, available}
create function public.withdraw_refund(refund_id uuid, reason text) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    answer public.refunds;
  begin
    perform private.require_admin();
    if (private.is_line(btrim(withdraw_refund.reason), 3, 255)) is not true then
      perform private.refuse(422, 'invalid_reason', 'Say in a few words why this refund is withdrawn.');
    end if;
    refund := private.lock_refund(withdraw_refund.refund_id);
    perform private.require_withdrawable(refund);

    if refund.restocked then
      perform private.take_returned_items(refund);
    end if;
    perform private.write_refund_step(refund, 'withdrawn', jsonb_build_object('note', btrim(withdraw_refund.reason)));
    insert into public.order_events (order_id, kind, detail)
      values (refund.order_id, 'refund_withdrawn', jsonb_build_object(
        'refund_id', refund.id, 'amount', refund.amount, 'reason', btrim(withdraw_refund.reason)));
    perform private.keep_money_of(refund.order_id);
    perform private.reopen_concerns(refund);
    perform private.queue_refund_correction(refund);
    select * into answer from public.refunds r where r.id = refund.id;
    return answer;
  end
  $$;
grant execute on function public.withdraw_refund(uuid, text) to authenticated;
comment on function public.withdraw_refund(uuid, text) is
  'An admin takes back a refund that was recorded by hand and never paid; the customer is mailed a correction.';

create function private.require_withdrawable(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    found_state text := private.refund_state(refund.id);
  begin
    if found_state = 'withdrawn' then
      perform private.refuse(409, 'refund_withdrawn', 'This refund was withdrawn already.');
    elsif refund.way <> 'by_hand' or found_state <> 'done' then
      perform private.refuse(409, 'refund_not_by_hand', 'PayFast sent this refund, so it cannot be withdrawn.');
    elsif not exists (select from public.orders o where o.id = refund.order_id) then
      perform private.refuse(409, 'refund_without_order', 'The order of this refund no longer exists, so the refund cannot be withdrawn.');
    end if;
  end
  $$;

-- The order holds money again: while unpaid it does not expire, and once cancelled it is reinstated only with all that paid it.
create function private.keep_money_of(held_by uuid) returns void
  language sql
  set search_path = ''
  as $$
    update public.orders o set expires_at = null where o.id = held_by and o.status = 'pending_payment' and o.expires_at is not null;
    update public.refund_tasks t set paying_amount = greatest(t.paying_amount, private.refundable_of(held_by))
      where t.order_id = held_by and t.ended_at is null;
  $$;

-- As before; a withdrawn refund is settled too.
create or replace function public.settle_refund(refund_id uuid, outcome text, note text) returns public.refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refund public.payment_refunds;
    found_state text;
    answer public.refunds;
  begin
    perform private.require_admin();
    if (settle_refund.outcome in ('done', 'failed') and private.is_line(settle_refund.note, 3, 500)) is not true then
      perform private.refuse(422, 'invalid_settlement', 'Say whether it went back, and in a few words how you know.');
    end if;
    refund := private.lock_refund(settle_refund.refund_id);
    found_state := private.refund_state(refund.id);
    if found_state = 'sent' then
      perform private.refuse(409, 'refund_in_progress', 'PayFast is being asked right now. Look again in a minute.');
    elsif found_state in ('done', 'withdrawn', settle_refund.outcome) then
      perform private.refuse(409, 'refund_settled', 'This refund is settled already.');
    end if;

    if settle_refund.outcome = 'failed' then
      perform private.write_refund_step(refund, 'failed', jsonb_build_object('note', btrim(settle_refund.note)));
      perform private.settle_refund_concerns(refund.id, btrim(settle_refund.note));
    else
      -- A failed one has freed its amount, and another refund may have taken it.
      if found_state = 'failed' then
        perform private.require_refundable(refund.payment_id, refund.amount);
      end if;
      perform private.refund_is_done(refund, jsonb_build_object('note', btrim(settle_refund.note)));
    end if;
    select * into answer from public.refunds r where r.id = refund.id;
    return answer;
  end
  $$;


-- An order as its customer sees it, as before: of its refunds those that count.
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
        from public.refunds r join public.payments p on p.id = r.payment_id where p.order_id = o.id and r.counts),
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
