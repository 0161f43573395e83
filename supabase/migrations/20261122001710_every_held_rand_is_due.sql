-- One rule for the money of cancelled orders: what a cancelled order holds is due, however the order ended, whether or not it was ever
-- paid, and whenever the money came. That covers payments that were too little, second payments, payments that arrive after the
-- cancellation and refunds that fail after it.
comment on column public.refund_tasks.amount is 'Rand that the order has held in all since it was cancelled.';

-- A surplus payment that goes back is no reason to leave an order cancelled; a payment that paid it is. So a task remembers how much
-- of its amount paid the order.
alter table public.refund_tasks
  add column paying_amount numeric(10,2) not null default 0 constraint negative_paying_amount check (paying_amount >= 0);
update public.refund_tasks set paying_amount = amount;
comment on column public.refund_tasks.paying_amount is
  'Rand of the payments that paid the order, held when it was cancelled. The order is reinstated only while it holds all of that.';

-- A decision to keep the money covers what was held then. More money, also from a refund that failed, asks again about all of it.
create function private.dismissed_amount(cancelled public.orders) returns numeric
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max(t.outstanding), 0) from public.refund_tasks t
    where t.order_id = cancelled.id and t.ended_as = 'dismissed' and t.ended_at > cancelled.cancelled_at
  $$;

-- Called whenever the money of an order changes, or the order is cancelled. `received` is money that has just come.
create function private.update_refund_task(order_id uuid, received numeric default 0) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    cancelled public.orders;
    held numeric := private.held_amount(update_refund_task.order_id);
  begin
    select * into cancelled from public.orders o where o.id = update_refund_task.order_id and o.status = 'cancelled';
    if not found then
      return;
    end if;
    update public.refund_tasks t set outstanding = held, amount = greatest(t.amount + received, held)
      where t.order_id = cancelled.id and t.ended_at is null;
    if not found and held > (case when received > 0 then 0 else private.dismissed_amount(cancelled) end) then
      insert into public.refund_tasks (order_id, amount, outstanding, paying_amount)
        values (cancelled.id, held, held, greatest(private.refundable_of(cancelled.id), (
          select max(t.paying_amount) from public.refund_tasks t
          where t.order_id = cancelled.id and t.ended_as = 'dismissed' and t.ended_at > cancelled.cancelled_at)));
    end if;
  end
  $$;
comment on function private.update_refund_task(uuid, numeric) is
  'Makes the open refund task of a cancelled order say what the order holds; opens one if there is none. Does nothing for other orders.';

create or replace function private.write_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.status = 'cancelled' then
      perform private.update_refund_task(new.id);
    else
      update public.refund_tasks t set ended_as = 'withdrawn', ended_at = now(), ended_by = auth.uid()
        where t.order_id = new.id and t.ended_at is null;
    end if;
    return null;
  end
  $$;
drop trigger write_refund_task on public.orders;
create trigger write_refund_task after update of status on public.orders
  for each row when (old.status <> new.status and 'cancelled' in (old.status, new.status))
  execute function private.write_refund_task();

create or replace function private.update_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_refund_task(r.order_id) from public.payment_refunds r where r.id = new.refund_id;
    return null;
  end
  $$;

create function private.add_to_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_refund_task(new.order_id, new.amount_gross);
    return null;
  end
  $$;
create trigger add_to_refund_task after insert on public.payments
  for each row when (new.order_id is not null) execute function private.add_to_refund_task();


-- A task that opens or grows is an entry of the timeline, and a mail to the customer at the end of the transaction. The cancellation of a
-- paid order queues the same mail, which goes once because both name the same entry.
create function private.write_refund_due() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.order_events (order_id, kind, detail)
      values (new.order_id, 'refund_due', jsonb_build_object('amount', new.outstanding));
    return null;
  end
  $$;
create trigger write_refund_due_when_opened after insert on public.refund_tasks
  for each row execute function private.write_refund_due();
create trigger write_refund_due_when_grown after update of amount on public.refund_tasks
  for each row when (new.amount > old.amount) execute function private.write_refund_due();

create function private.mail_refund_due() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_status_mail(o.id) from public.orders o where o.id = new.order_id and o.status = 'cancelled';
    return null;
  end
  $$;
create constraint trigger a_new_refund_task_is_mailed after insert on public.refund_tasks
  deferrable initially deferred
  for each row execute function private.mail_refund_due();
create constraint trigger a_grown_refund_task_is_mailed after update of amount on public.refund_tasks
  deferrable initially deferred
  for each row when (new.amount > old.amount) execute function private.mail_refund_due();

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


create or replace function private.was_refunded(cancelled uuid) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select private.refundable_of(cancelled) < coalesce(
      (select nullif(t.paying_amount, 0) from public.refund_tasks t
        where t.order_id = cancelled order by t.opened_at desc, t.ended_at desc nulls first limit 1),
      (select sum(b.amount_gross) from public.payment_balances b where b.order_id = cancelled and b.pays_order),
      0)
  $$;

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


-- Orders that were cancelled before and hold money that no task names. Their customers are not mailed about it now: most were told long
-- ago by other means, and an admin decides first.
alter table public.refund_tasks disable trigger a_new_refund_task_is_mailed, disable trigger a_grown_refund_task_is_mailed;
select private.update_refund_task(o.id) from public.orders o
  where o.status = 'cancelled' and private.held_amount(o.id) > 0;
alter table public.refund_tasks enable trigger a_new_refund_task_is_mailed, enable trigger a_grown_refund_task_is_mailed;
