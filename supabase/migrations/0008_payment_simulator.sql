-- The payment simulator's own memory. It stands for PayFast's database: the shop's rules never read it, and with real
-- payments nothing writes it. Not granted: only the simulator uses it, as the owner.
create schema simulator;
comment on schema simulator is 'The payment simulator''s memory. Empty where real payments are taken.';

create table simulator.payments (
  id            uuid primary key default gen_random_uuid(),
  pf_payment_id bigint generated always as identity (start with 1000001),
  form          jsonb not null,
  status        text not null default 'open'
    constraint status_is_known check (status in ('open', 'paid', 'cancelled')),
  created_at    timestamptz not null default now()
);
alter table simulator.payments enable row level security;
alter table simulator.payments force row level security;

-- `known` is what the confirmation endpoint says about it; a forged notice is one it never sent.
create table simulator.notices (
  id           uuid primary key default gen_random_uuid(),
  payment_id   uuid not null references simulator.payments on delete cascade,
  body         text not null,
  parameters   text not null,
  known        boolean not null,
  silent_until timestamptz not null default now(),
  delivered_at timestamptz,
  created_at   timestamptz not null default now()
);
alter table simulator.notices enable row level security;
alter table simulator.notices force row level security;

create index notices_by_parameters on simulator.notices (md5(parameters));
create index notices_by_payment on simulator.notices (payment_id);
