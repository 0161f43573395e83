-- Alerts to the owner, and the request that caused a mail or a notice.

-- One row from the moment a component stops working until it has worked again for a while (schema/admin/alerts.sql).
create table private.alerts (
  id         bigint generated always as identity primary key,
  component  text not null,
  -- The worst state that the owner was told about.
  state      text not null constraint state_is_known check (state in ('warning', 'failed')),
  message    text not null,
  action     text,
  raised_at  timestamptz not null default now(),
  ok_since   timestamptz,
  cleared_at timestamptz
);
alter table private.alerts enable row level security;
alter table private.alerts force row level security;

create unique index one_open_alert on private.alerts (component) where cleared_at is null;
create index alerts_newest_first on private.alerts (raised_at desc);

-- The default reads the setting that the services write at the start of a request's transaction. Rows that a job writes have none.
alter table public.mails add column request_id text;
alter table public.mails alter column request_id set default nullif(current_setting('request.id', true), '');
alter table public.payment_notices add column request_id text;
alter table public.payment_notices alter column request_id set default nullif(current_setting('request.id', true), '');
