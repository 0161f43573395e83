-- What waits for a person, and what a person can do about it: take a late payment once the shelf has its lures again, or
-- record that money went back. Both are rows of the ledger.

create view public.open_payment_concerns with (security_invoker = true) as
  select c.id, c.kind, c.order_id, c.notice_id, p.id as payment_id, p.pf_payment_id, p.amount_gross, c.detail, c.raised_at
  from public.payment_concerns c
  left join public.payments p on p.notice_id = c.notice_id
  where not exists (select from public.payment_concern_resolutions r where r.concern_id = c.id);
comment on view public.open_payment_concerns is 'Concerns that nobody has settled yet: the "needs you" list.';
grant select on public.open_payment_concerns to authenticated, service_role;
-- NOTE: runs as the caller, so the tables' policies hold: admins see rows, everybody else none.


-- A verified payment of exactly the order's amount came when its lures were sold. It stays recorded as that; this row
-- says that an admin let it pay the order later.
create table public.payment_acceptances (
  payment_id   uuid primary key references public.payments on delete restrict,
  order_id     uuid not null constraint an_order_is_accepted_once unique,
  accepted_by  uuid not null,
  created_at   timestamptz not null default now()
);
comment on table public.payment_acceptances is 'Late payments that an admin let pay their order after all.';

create table public.payment_refunds (
  id           uuid primary key default gen_random_uuid(),
  payment_id   uuid not null references public.payments on delete restrict,
  order_id     uuid,
  amount       numeric(10,2) not null constraint refund_of_nothing check (amount > 0),
  reason       text not null constraint malformed_reason check (private.is_line(reason, 3, 255)),
  restocked    boolean not null,
  recorded_by  uuid not null,
  created_at   timestamptz not null default now()
);
comment on table public.payment_refunds is 'Money given back, against the payment it came from. The transfer itself is made at PayFast.';
create index payment_refunds_by_payment on public.payment_refunds (payment_id);
create index payment_refunds_by_order on public.payment_refunds (order_id);

do $$
declare
  ledger text;
begin
  foreach ledger in array array['payment_acceptances', 'payment_refunds'] loop
    execute format('alter table public.%I enable row level security', ledger);
    execute format('alter table public.%I force row level security', ledger);
    execute format('grant select on public.%I to authenticated, service_role', ledger);
    execute format(
      'create policy select_as_admin on public.%I for select to authenticated using ((select private.is_admin()))',
      ledger);
    execute format(
      'create trigger rows_are_never_changed before update or delete on public.%I
       for each row execute function private.keep_ledger_row()', ledger);
    execute format(
      'create trigger rows_are_never_emptied before truncate on public.%I
       for each statement execute function private.keep_ledger_row()', ledger);
  end loop;
end
$$;


-- The shelf has the lures again: the payment that waited pays its order. The amount was compared when it came; nothing
-- else can be made paid by hand.
create function public.accept_late_payment(payment_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    waiting public.payments;
    outcome text;
  begin
    perform private.require_admin();
    select * into waiting from public.payments p where p.id = accept_late_payment.payment_id and p.outcome = 'sold_out';
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such late payment.');
    end if;

    outcome := private.mark_order_paid(waiting.order_id, now());
    if outcome = 'sold_out' then
      perform private.refuse(409, 'sold_out', 'The shelf does not have these lures yet.');
    elsif outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
    end if;
    insert into public.payment_acceptances (payment_id, order_id, accepted_by)
      values (waiting.id, waiting.order_id, (select auth.uid()));
    perform private.settle_concerns(waiting.notice_id, 'The payment was taken for its order.');
    return outcome;
  end
  $$;
grant execute on function public.accept_late_payment(uuid) to authenticated;

-- Money goes back, whole or in part, never more than came. The customer is told; restocking puts what the order took
-- back on the shelf.
create function public.record_refund(payment_id uuid, amount numeric, reason text, restock boolean default false) returns public.payment_refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refunded public.payments;
    already numeric;
    refund public.payment_refunds;
  begin
    perform private.require_admin();
    -- The row's lock makes two refunds of one payment wait for each other.
    select * into refunded from public.payments p where p.id = record_refund.payment_id for update;
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such payment.');
    end if;
    select coalesce(sum(r.amount), 0) into already from public.payment_refunds r where r.payment_id = refunded.id;
    if already + record_refund.amount > refunded.amount_gross then
      perform private.refuse(409, 'refund_exceeds_payment',
        'This is more than was paid and not yet given back.', jsonb_build_object('refundable', refunded.amount_gross - already));
    end if;

    insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, recorded_by)
      values (refunded.id, refunded.order_id, record_refund.amount, btrim(record_refund.reason), record_refund.restock, (select auth.uid()))
      returning * into refund;
    if record_refund.restock and refunded.order_id is not null then
      perform private.return_stock(refunded.order_id);
    end if;
    perform private.write_refund_event(refund);
    perform private.queue_refund_mail(refund);
    perform private.settle_concerns(refunded.notice_id, 'R' || refund.amount || ' was refunded: ' || refund.reason);
    return refund;
  end
  $$;
grant execute on function public.record_refund(uuid, numeric, text, boolean) to authenticated;

create function private.require_admin() returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      raise exception 'only an admin may do this' using errcode = 'insufficient_privilege';
    end if;
  end
  $$;

create function private.settle_concerns(notice_id uuid, note text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_concern_resolutions (concern_id, resolved_by, note)
    select c.id, auth.uid(), settle_concerns.note from public.payment_concerns c where c.notice_id = settle_concerns.notice_id
    on conflict on constraint payment_concern_resolutions_pkey do nothing
  $$;

create function private.write_refund_event(refund public.payment_refunds) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.order_events (order_id, kind, detail)
    select o.id, 'refunded', jsonb_build_object('amount', refund.amount, 'reason', refund.reason, 'restocked', refund.restocked)
    from public.orders o where o.id = refund.order_id
  $$;
