-- The payment ledger. Rows are never changed (schema/payments/ledger.sql), so order_id has no foreign key: the record of money
-- outlives its order.

-- PayFast echoes m_payment_id, so a notice finds its attempt and the amount that was asked for.
create table public.payment_attempts (
  id           uuid primary key default gen_random_uuid(),
  order_id     uuid not null,
  order_number integer not null,
  m_payment_id text not null
    constraint m_payment_id_is_unique unique
    constraint m_payment_id_is_safe check (m_payment_id ~ '^[A-Za-z0-9_/-]{1,100}$'),
  merchant_id  text not null,
  amount       numeric(10,2) not null constraint amount_is_positive check (amount > 0),
  created_at   timestamptz not null default now(),
  top_up_id    uuid
);
alter table public.payment_attempts enable row level security;
alter table public.payment_attempts force row level security;

create index payment_attempts_by_order on public.payment_attempts (order_id, created_at desc);
create index payment_attempts_by_top_up on public.payment_attempts (top_up_id) where top_up_id is not null;

-- What was posted to the notice address, by PayFast or by a forger. A form is ASCII, so text holds it byte for byte.
create table public.payment_notices (
  id             uuid primary key default gen_random_uuid(),
  raw_body       text not null constraint raw_body_is_a_form check (raw_body ~ '^[!-~]+$' and length(raw_body) <= 16384),
  m_payment_id   text,
  headers        jsonb not null,
  source_address text,
  received_at    timestamptz not null default now()
);
alter table public.payment_notices enable row level security;
alter table public.payment_notices force row level security;

create index payment_notices_by_attempt on public.payment_notices (m_payment_id);
create index payment_notices_received_at_idx on public.payment_notices (received_at);

-- `unknown`: PayFast gave no clear answer, or the sender's address is on no list.
create table public.payment_notice_checks (
  id         bigint generated always as identity primary key,
  notice_id  uuid not null references public.payment_notices on delete restrict,
  check_name text not null constraint check_is_known
    check (check_name in ('signature', 'merchant', 'source', 'confirmation', 'attempt', 'amount')),
  result     text not null constraint result_is_known check (result in ('passed', 'failed', 'unknown')),
  detail     text,
  checked_at timestamptz not null default clock_timestamp()
);
alter table public.payment_notice_checks enable row level security;
alter table public.payment_notice_checks force row level security;

create index payment_notice_checks_by_notice on public.payment_notice_checks (notice_id, id);

-- The decision about a notice, once.
create table public.payment_notice_outcomes (
  notice_id  uuid primary key references public.payment_notices on delete restrict,
  outcome    text not null constraint outcome_is_known check (outcome in (
    'paid', 'reinstated', 'repeated', 'not_a_payment',
    'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out',
    'bad_signature', 'wrong_merchant', 'denied', 'unreadable', 'unconfirmed')),
  decided_at timestamptz not null default clock_timestamp()
);
alter table public.payment_notice_outcomes enable row level security;
alter table public.payment_notice_outcomes force row level security;

-- Confirmed money, once for each payment of PayFast, whether or not it fits an order; and payments by EFT or cash.
create table public.payments (
  id            uuid primary key default gen_random_uuid(),
  pf_payment_id text constraint pf_payment_id_is_unique unique,
  notice_id     uuid references public.payment_notices on delete restrict,
  order_id      uuid,
  m_payment_id  text,
  amount_gross  numeric(10,2) not null,
  amount_fee    numeric(10,2),
  amount_net    numeric(10,2),
  outcome       text not null constraint outcome_is_known check (outcome in (
    'paid', 'reinstated', 'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out')),
  created_at    timestamptz not null default clock_timestamp(),
  way           text not null default 'payfast' constraint unknown_way check (way in ('payfast', 'eft', 'cash')),
  reference     text constraint malformed_reference check (private.is_line(reference, 1, 100)),
  recorded_by   uuid,
  constraint notice_or_hand check (
    way = 'payfast' and notice_id is not null and pf_payment_id is not null and recorded_by is null
    or way <> 'payfast' and notice_id is null and pf_payment_id is null and recorded_by is not null)
);
alter table public.payments enable row level security;
alter table public.payments force row level security;

create index payments_by_order on public.payments (order_id);
create index payments_by_notice on public.payments (notice_id);

-- However many notices arrive at once, an order is paid once.
create unique index an_order_is_paid_once on public.payments (order_id) where outcome in ('paid', 'reinstated');

-- Payments and notices that need a person.
create table public.payment_issues (
  id        uuid primary key default gen_random_uuid(),
  kind      text not null,
  -- Null for issues of the reconciliation and of refunds.
  notice_id uuid references public.payment_notices on delete restrict,
  order_id  uuid,
  detail    jsonb not null default '{}',
  raised_at timestamptz not null default clock_timestamp(),
  reopening int not null default 0 constraint negative_reopening check (reopening >= 0),
  constraint kind_is_known check (kind in (
    'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out',
    'bad_signature', 'wrong_merchant', 'denied', 'unreadable', 'unconfirmed',
    'missed_notice', 'missing_money', 'history_differs', 'refund_failed', 'refund_unknown')),
  constraint a_notice_is_flagged_once unique (notice_id, kind, reopening)
);
alter table public.payment_issues enable row level security;
alter table public.payment_issues force row level security;

create index payment_issues_by_order on public.payment_issues (order_id);

-- The reconciliation raises a difference once, however often it finds it.
create unique index a_difference_is_flagged_once on public.payment_issues (kind, (detail ->> 'pf_payment_id'))
  where notice_id is null;
create index payment_issues_by_refund on public.payment_issues ((detail ->> 'refund_id')) where detail ? 'refund_id';

create table public.payment_issue_resolutions (
  issue_id    uuid primary key references public.payment_issues on delete restrict,
  -- Null when the shop resolved it, for example because PayFast answered after all.
  resolved_by uuid,
  note        text not null constraint note_says_something check (length(trim(note)) between 3 and 500),
  resolved_at timestamptz not null default now()
);
alter table public.payment_issue_resolutions enable row level security;
alter table public.payment_issue_resolutions force row level security;

-- A payment that did not pay its order when it arrived, and does since an admin accepted it or the difference was paid.
create table public.payment_acceptances (
  payment_id  uuid primary key references public.payments on delete restrict,
  order_id    uuid not null,
  accepted_by uuid not null,
  created_at  timestamptz not null default now(),
  shortfall   numeric(10,2) not null default 0 constraint negative_shortfall check (shortfall >= 0)
);
alter table public.payment_acceptances enable row level security;
alter table public.payment_acceptances force row level security;

create index payment_acceptances_by_order on public.payment_acceptances (order_id);

-- A refund as decided. Its steps are payment_refund_events.
create table public.payment_refunds (
  id          uuid primary key default gen_random_uuid(),
  payment_id  uuid not null references public.payments on delete restrict,
  order_id    uuid,
  amount      numeric(10,2) not null constraint refund_of_nothing check (amount > 0),
  reason      text not null constraint malformed_reason check (private.is_line(reason, 3, 255)),
  restocked   boolean not null,
  recorded_by uuid not null,
  created_at  timestamptz not null default now(),
  way         text not null default 'by_hand' constraint unknown_refund_way check (way in ('payfast', 'by_hand'))
);
alter table public.payment_refunds enable row level security;
alter table public.payment_refunds force row level security;

create index payment_refunds_by_payment on public.payment_refunds (payment_id);
create index payment_refunds_by_order on public.payment_refunds (order_id);

-- Items that a refund returned to stock. No foreign key to the order's line, which may be deleted with its order.
create table public.payment_refund_items (
  refund_id       uuid not null references public.payment_refunds on delete restrict,
  order_item_id   uuid not null,
  product_name    text not null,
  product_variant text,
  with_hooks      boolean,
  quantity        int not null constraint return_of_nothing check (quantity > 0),
  primary key (refund_id, order_item_id)
);
alter table public.payment_refund_items enable row level security;
alter table public.payment_refund_items force row level security;

create index payment_refund_items_by_line on public.payment_refund_items (order_item_id);

-- The newest event is the state of the refund.
create table public.payment_refund_events (
  id         bigint generated always as identity primary key,
  refund_id  uuid not null references public.payment_refunds on delete restrict,
  state      text not null,
  detail     jsonb not null default '{}',
  actor_id   uuid default auth.uid(),
  created_at timestamptz not null default clock_timestamp(),
  constraint state_is_known check (state in ('requested', 'sent', 'unknown', 'failed', 'done', 'withdrawn'))
);
alter table public.payment_refund_events enable row level security;
alter table public.payment_refund_events force row level security;

create index payment_refund_events_by_refund on public.payment_refund_events (refund_id, id desc);

-- Money of a cancelled order that has to go back (schema/payments/refund_tasks.sql). Not part of the ledger: triggers keep
-- `outstanding` equal to what the order holds.
create table public.refund_tasks (
  id            uuid primary key default gen_random_uuid(),
  order_id      uuid not null references public.orders on delete cascade,
  amount        numeric(10,2) not null constraint task_without_money check (amount > 0),
  outstanding   numeric(10,2) not null constraint negative_outstanding check (outstanding >= 0),
  opened_by     uuid default auth.uid(),
  opened_at     timestamptz not null default now(),
  ended_as      text constraint unknown_end check (ended_as in ('withdrawn', 'dismissed')),
  ended_by      uuid,
  ended_at      timestamptz,
  reason        text constraint malformed_reason check (private.is_line(reason, 3, 255)),
  is_open       boolean not null generated always as (ended_at is null and outstanding > 0) stored,
  paying_amount numeric(10,2) not null default 0 constraint negative_paying_amount check (paying_amount >= 0),
  constraint ended_as_something check ((ended_as is null) = (ended_at is null)),
  constraint dismissed_without_reason check (ended_as is distinct from 'dismissed' or reason is not null)
);
alter table public.refund_tasks enable row level security;
alter table public.refund_tasks force row level security;

create unique index one_refund_task_at_a_time on public.refund_tasks (order_id) where ended_at is null;
create index refund_tasks_by_order on public.refund_tasks (order_id, opened_at desc);
create index open_refund_tasks on public.refund_tasks (opened_at) where is_open;

-- A request to pay the difference of a short payment. Its state follows from the order and the payment, so the row never changes.
create table public.payment_top_ups (
  id           uuid primary key default gen_random_uuid(),
  payment_id   uuid not null references public.payments on delete restrict constraint topped_up_twice unique,
  order_id     uuid not null,
  amount       numeric(10,2) not null constraint top_up_of_nothing check (amount > 0),
  requested_by uuid not null,
  created_at   timestamptz not null default now()
);
alter table public.payment_top_ups enable row level security;
alter table public.payment_top_ups force row level security;

create index payment_top_ups_by_order on public.payment_top_ups (order_id);

alter table public.payment_attempts add foreign key (top_up_id) references public.payment_top_ups on delete restrict;

-- Each comparison with PayFast's transaction history.
create table public.payment_reconciliations (
  id           bigint generated always as identity primary key,
  from_day     date not null,
  to_day       date not null,
  transactions integer not null,
  differences  integer not null,
  created_at   timestamptz not null default clock_timestamp()
);
alter table public.payment_reconciliations enable row level security;
alter table public.payment_reconciliations force row level security;
