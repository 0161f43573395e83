-- What the payment simulator remembers, so that it survives a restart and may run in several processes. It stands for
-- PayFast's own database: the shop's rules never read it, and in live mode nothing writes it.
create schema simulator;
comment on schema simulator is 'The payment simulator''s memory. Empty where real payments are taken.';

create table simulator.payments (
  id             uuid primary key default gen_random_uuid(),
  pf_payment_id  bigint generated always as identity (start with 1000001),
  form           jsonb not null,
  status         text not null default 'open'
    constraint status_is_known check (status in ('open', 'paid', 'cancelled')),
  created_at     timestamptz not null default now()
);
comment on table simulator.payments is 'Payment pages that were opened.';

-- `known` is what the confirmation endpoint says about it; a forged notice is one it never sent.
create table simulator.notices (
  id             uuid primary key default gen_random_uuid(),
  payment_id     uuid not null references simulator.payments on delete cascade,
  body           text not null,
  parameters     text not null,
  known          boolean not null,
  silent_until   timestamptz not null default now(),
  delivered_at   timestamptz,
  created_at     timestamptz not null default now()
);
comment on column simulator.notices.silent_until is 'Until then the confirmation endpoint plays its outage for this notice.';
create index notices_by_parameters on simulator.notices (md5(parameters));
create index notices_by_payment on simulator.notices (payment_id);

alter table simulator.payments enable row level security;
alter table simulator.payments force row level security;
alter table simulator.notices enable row level security;
alter table simulator.notices force row level security;
-- NOTE: no grants and no policies: only the simulator reaches it, as the owner.
