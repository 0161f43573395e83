-- Refund tasks: a cancelled order holds money that has to go back.
--
-- Cancelling a paid order opens the task; it is shown on the to-do list, on the order and in the order list. `outstanding` is
-- never typed in: each change of the order's money recalculates it from the payments, so refunds settle the task and a failed
-- refund opens it again. Reinstating the order withdraws the task; an admin may dismiss it with a reason.
-- An order has at most one task that has not ended. The order's row lock guards it.

-- Admins read. Not granted: insert, update. Triggers on orders, payments and refund steps write the tasks.
comment on table public.refund_tasks is 'Money of cancelled orders that has to go back.';
comment on column public.refund_tasks.amount is 'Rand in all that the order has held since it was cancelled.';
comment on column public.refund_tasks.outstanding is
  'Rand that the order holds now: neither refunded nor being refunded.';
comment on column public.refund_tasks.ended_as is
  'withdrawn: the order was reinstated, or the payment was withdrawn. dismissed: an admin decided to keep the money. Null while open or settled by refunds.';
comment on column public.refund_tasks.paying_amount is
  'The most rand of the payments that had paid the order that it held since its cancellation. Reinstating requires that the order still holds them.';
comment on column public.refund_tasks.opened_by is 'Who cancelled the order, or null when the shop did.';
comment on column public.refund_tasks.ended_at is
  'When it was withdrawn or dismissed. Null while open or settled by refunds.';
comment on column public.refund_tasks.reason is 'Why an admin dismissed it.';
comment on column public.refund_tasks.is_open is 'Whether money is outstanding.';
grant select on public.refund_tasks to authenticated, service_role;

create policy select_as_admin on public.refund_tasks for select to authenticated
  using ((select private.is_admin()));

create or replace function public.dismiss_refund_task(task_id uuid, reason text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    dismissed public.refund_tasks;
  begin
    perform private.require_admin();
    if (private.is_line(btrim(dismiss_refund_task.reason), 3, 255)) is not true then
      perform private.refuse(422, 'invalid_reason', 'Please explain in a few words why this money is kept.');
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
comment on function public.dismiss_refund_task is 'An admin keeps the money of a cancelled order, with a reason. Errors: invalid_reason, refund_task_ended.';
grant execute on function public.dismiss_refund_task to authenticated;

-- The trigger write_refund_task fires after write_order_events, by its name, so that the timeline says "cancelled" before it says
-- what is due.
create or replace function private.open_refund_task() returns trigger
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

create trigger write_refund_task after update of status on public.orders
  for each row when (old.status <> new.status and 'cancelled' in (old.status, new.status))
  execute function private.open_refund_task();

-- Every step of a refund may change what its order holds.
create or replace function private.update_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_refund_task(r.order_id) from public.payment_refunds r where r.id = new.refund_id;
    return null;
  end
  $$;

create trigger update_refund_task after insert on public.payment_refund_events
  for each row execute function private.update_refund_task();

-- `received` is money that has just arrived, so it raises the total of the task. A dismissed task covers what was held then: only
-- more money opens a new one. A refund that was on its way at the cancellation and then failed, or that is withdrawn, leaves the order
-- more of the money that paid it: reinstating requires that money too.
create or replace function private.update_refund_task(order_id uuid, received numeric default 0) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    cancelled public.orders;
    held numeric;
  begin
    -- The order first, then its task: whoever deletes, refunds or reinstates the order takes them in this order.
    select * into cancelled from public.orders o where o.id = update_refund_task.order_id and o.status = 'cancelled'
      for no key update;
    if not found then
      return;
    end if;
    held := private.held_amount(cancelled.id);
    update public.refund_tasks t set outstanding = held, amount = greatest(t.amount + received, held),
        paying_amount = greatest(t.paying_amount, private.refundable_of(cancelled.id))
      where t.order_id = cancelled.id and t.ended_at is null;
    if not found and held > (case when received > 0 then 0 else private.dismissed_amount(cancelled) end) then
      insert into public.refund_tasks (order_id, amount, outstanding, paying_amount)
        values (cancelled.id, held, held, greatest(private.refundable_of(cancelled.id), (
          select max(t.paying_amount) from public.refund_tasks t
          where t.order_id = cancelled.id and t.ended_as = 'dismissed' and t.ended_at > cancelled.cancelled_at)));
    end if;
  end
  $$;
comment on function private.update_refund_task(uuid,numeric) is
  'Recalculates the open refund task of a cancelled order, or opens one. Does nothing for other orders.';

-- A payment that arrives for a cancelled order has to go back too.
create or replace function private.extend_refund_task() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_refund_task(new.order_id, new.amount_gross);
    return null;
  end
  $$;

create trigger extend_refund_task after insert on public.payments
  for each row when (new.order_id is not null) execute function private.extend_refund_task();

-- A task that opens or grows is written to the timeline. The mail to the customer (mail_refund_due) names that entry in its key;
-- the mail about the cancellation names the same one, so the customer receives one mail.
create or replace function private.record_refund_due() returns trigger
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
  for each row execute function private.record_refund_due();
create trigger write_refund_due_when_grown after update of amount on public.refund_tasks
  for each row when (new.amount > old.amount) execute function private.record_refund_due();

-- Rand that an admin decided to keep since the order was cancelled. When the order holds more, the task opens again for all of it.
create or replace function private.dismissed_amount(cancelled public.orders) returns numeric
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max(t.outstanding), 0) from public.refund_tasks t
    where t.order_id = cancelled.id and t.ended_as = 'dismissed' and t.ended_at > cancelled.cancelled_at
  $$;
