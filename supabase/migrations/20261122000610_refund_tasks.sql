-- Cancelling a paid order opens a task: this money has to go back. It stands on the to-do list, on the order and in the order list until
-- refunds settle it, the order is reinstated, or an admin dismisses it with a reason.
--
-- What is outstanding is never typed in: it is what the payments of the order still hold, written again with every step of a refund.
-- A refund that fails therefore opens the task again.
create table public.refund_tasks (
  id          uuid primary key default gen_random_uuid(),
  order_id    uuid not null references public.orders on delete cascade,
  amount      numeric(10,2) not null constraint task_without_money check (amount > 0),
  outstanding numeric(10,2) not null constraint negative_outstanding check (outstanding >= 0),
  opened_by   uuid default auth.uid(),
  opened_at   timestamptz not null default now(),
  ended_as    text constraint unknown_end check (ended_as in ('withdrawn', 'dismissed')),
  ended_by    uuid,
  ended_at    timestamptz,
  reason      text constraint malformed_reason check (private.is_line(reason, 3, 255)),
  is_open     boolean not null generated always as (ended_at is null and outstanding > 0) stored,
  constraint ended_as_something check ((ended_as is null) = (ended_at is null)),
  constraint dismissed_without_reason check (ended_as is distinct from 'dismissed' or reason is not null)
);
comment on table public.refund_tasks is 'Money of cancelled orders that has to go back.';
comment on column public.refund_tasks.amount is 'Rand that the order held when it was cancelled.';
comment on column public.refund_tasks.outstanding is 'Rand that the order holds now: neither refunded nor on its way back.';
comment on column public.refund_tasks.ended_as is 'withdrawn: the order was reinstated; dismissed: an admin decided that no money goes back.';
create unique index one_refund_task_at_a_time on public.refund_tasks (order_id) where ended_at is null;
create index refund_tasks_by_order on public.refund_tasks (order_id, opened_at desc);
create index open_refund_tasks on public.refund_tasks (opened_at) where is_open;
alter table public.refund_tasks enable row level security;
alter table public.refund_tasks force row level security;

-- Money is the admins': packers and customers see no row.
grant select on public.refund_tasks to authenticated, service_role;
create policy select_as_admin on public.refund_tasks
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: nobody writes: triggers open, settle and withdraw a task, dismiss_refund_task() dismisses it.
select private.record_changes_of('public.refund_tasks', ignored => '{outstanding,is_open}');


-- By its name this runs after write_order_events, so the timeline says "cancelled" before it says what is due.
create function private.write_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    due numeric := private.refundable_of(new.id);
  begin
    if new.status = 'cancelled' and due > 0 then
      insert into public.refund_tasks (order_id, amount, outstanding) values (new.id, due, due);
      insert into public.order_events (order_id, kind, detail) values (new.id, 'refund_due', jsonb_build_object('amount', due));
    elsif old.status = 'cancelled' then
      update public.refund_tasks t set ended_as = 'withdrawn', ended_at = now(), ended_by = auth.uid()
        where t.order_id = new.id and t.ended_at is null;
    end if;
    return null;
  end
  $$;
create trigger write_refund_task after update of status on public.orders
  for each row when (old.paid_at is not null and old.status <> new.status and 'cancelled' in (old.status, new.status))
  execute function private.write_refund_task();

create function private.update_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.refund_tasks t set outstanding = private.refundable_of(t.order_id)
      from public.payment_refunds r
      where r.id = new.refund_id and t.order_id = r.order_id and t.ended_at is null;
    return null;
  end
  $$;
create trigger update_refund_task after insert on public.payment_refund_events
  for each row execute function private.update_refund_task();


create function public.dismiss_refund_task(task_id uuid, reason text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    dismissed public.refund_tasks;
  begin
    perform private.require_admin();
    if (private.is_line(btrim(dismiss_refund_task.reason), 3, 255)) is not true then
      perform private.refuse(422, 'invalid_reason', 'Say in a few words why this money stays.');
    end if;
    perform from public.orders o
      where o.id = (select t.order_id from public.refund_tasks t where t.id = dismiss_refund_task.task_id) for update;
    update public.refund_tasks t
      set ended_as = 'dismissed', ended_at = now(), ended_by = auth.uid(), reason = btrim(dismiss_refund_task.reason)
      where t.id = dismiss_refund_task.task_id and t.is_open
      returning * into dismissed;
    if not found then
      perform private.refuse(409, 'refund_task_ended', 'This refund is no longer due.');
    end if;
    insert into public.order_events (order_id, kind, detail)
      values (dismissed.order_id, 'refund_dismissed', jsonb_build_object('amount', dismissed.outstanding, 'reason', dismissed.reason));
  end
  $$;
grant execute on function public.dismiss_refund_task(uuid, text) to authenticated;
comment on function public.dismiss_refund_task(uuid, text) is 'An admin decides that the money of a cancelled order stays, and says why.';


-- Orders that were cancelled before this table existed and still hold money.
insert into public.refund_tasks (order_id, amount, outstanding, opened_at)
  select o.id, private.refundable_of(o.id), private.refundable_of(o.id), o.cancelled_at
  from public.orders o
  where o.status = 'cancelled' and o.paid_at is not null and private.refundable_of(o.id) > 0;


-- The dashboard's figures. What is due is money, so a packer's answer has no such figure.
create or replace function public.count_waiting_work() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_staff();
    return (
      select jsonb_build_object(
        'to_make', count(*) filter (where o.status in ('new', 'pending')),
        'to_ship', count(*) filter (where o.status = 'processing'),
        'awaiting_payment', count(*) filter (where o.status = 'pending_payment'),
        'concerns', (select count(*) from public.open_payment_concerns),
        'failed_mails', (select count(*) from public.mails m where m.status = 'failed' and not m.confidential),
        'low_stock', (select count(*) from private.low_variants()),
        'pending_photos', (select count(*) from public.gallery_submissions g where g.status = 'pending'),
        'open_messages', (
          select count(*) from public.contact_submissions c
          where not exists (select from public.contact_answers a where a.submission_id = c.id)))
      from public.orders o
      where o.placed_at is not null and o.status in ('new', 'pending', 'processing', 'pending_payment'))
      || case when private.is_admin()
        then jsonb_build_object('to_refund', (select count(*) from public.refund_tasks t where t.is_open))
        else '{}' end;
  end
  $$;


-- What a cancellation would do, asked before it is done: how many orders, how many mails, how many rand to refund.
create function public.preview_cancellation(order_ids uuid[]) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    perform private.require_few_orders(order_ids);
    return (
      select jsonb_build_object(
        'orders', count(*),
        'mails', count(*) filter (where o.paid_at is not null and o.customer_email is not null),
        'to_refund', coalesce(sum(private.refundable_of(o.id)) filter (where o.paid_at is not null), 0),
        'shipped', count(*) filter (where o.status in ('shipped', 'delivered')))
      from public.orders o
      where o.id = any (order_ids) and o.placed_at is not null and o.status <> 'cancelled');
  end
  $$;
grant execute on function public.preview_cancellation(uuid[]) to authenticated;
comment on function public.preview_cancellation(uuid[]) is
  'What cancelling these orders would do: {orders, mails, to_refund (rand), shipped}. Nothing changes.';
