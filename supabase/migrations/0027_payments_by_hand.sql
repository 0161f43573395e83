-- The day on which an EFT or cash arrived. Null: the day on which it was recorded, as of every payment through PayFast.
-- schema/payments/by_hand.sql writes it.
alter table public.payments
  add column received_on date,
  add constraint only_manual_payments_have_a_day check (received_on is null or way <> 'payfast');

-- A payment by hand that was recorded by mistake and withdrawn (schema/payments/withdrawn_payments.sql). Part of the ledger, so order_id
-- has no foreign key.
create table public.payment_withdrawals (
  payment_id   uuid primary key references public.payments on delete restrict,
  order_id     uuid not null,
  reason       text not null constraint malformed_reason check (private.is_line(reason, 3, 255)),
  withdrawn_by uuid not null,
  created_at   timestamptz not null default clock_timestamp()
);
alter table public.payment_withdrawals enable row level security;
alter table public.payment_withdrawals force row level security;

create index payment_withdrawals_by_order on public.payment_withdrawals (order_id);

-- However many notices arrive at once, an order is paid once: once more only for each payment that was withdrawn before.
alter table public.payments
  add column withdrawn_before int not null default 0 constraint negative_withdrawals check (withdrawn_before >= 0);
drop index public.an_order_is_paid_once;
create unique index an_order_is_paid_once on public.payments (order_id, withdrawn_before) where outcome in ('paid', 'reinstated');

-- Orders that were replaced before their timeline named the order that replaced them.
insert into public.order_events (order_id, kind, actor_id, detail, created_at)
select replaced.id, 'replaced', e.actor_id,
  jsonb_build_object('order_id', replacement.id, 'order_number', replacement.order_number), e.created_at
from public.order_events e
join public.orders replacement on replacement.id = e.order_id
join public.orders replaced on replaced.order_number = (e.detail ->> 'replaces')::int
where e.kind = 'entered_by_hand' and e.detail ? 'replaces';
