-- What the shop's health checks count (server/health/). Only the process calls these functions, as the owner.

-- A job is late when it could have started ten minutes ago: the queue starts a job within a second. Failed jobs have used up
-- their attempts; they count for a day, because the queue keeps them.
create or replace function private.count_late_jobs(out waiting bigint, out failed bigint)
  language sql stable
  set search_path = ''
  as $$
    select
      count(*) filter (where j.attempts < j.max_attempts and j.locked_at is null and j.run_at < now() - interval '10 minutes'),
      count(*) filter (where j.attempts >= j.max_attempts and j.updated_at > now() - interval '1 day')
    from graphile_worker.jobs j
  $$;
comment on function private.count_late_jobs is 'Jobs that wait for more than ten minutes, and jobs that failed for good within a day.';

-- Mails with a secret do not count as given up: they went to a typed address, and admins cannot send them again.
-- A mail is not late because of the mail server if that has accepted a newer one: it refuses the recipient, for example.
create or replace function private.count_late_mails(out given_up bigint, out waiting bigint)
  language sql stable
  set search_path = ''
  as $$
    select
      count(*) filter (where m.status = 'failed' and not m.confidential and m.created_at > now() - interval '14 days'),
      count(*) filter (where m.status = 'queued' and m.created_at < now() - interval '1 hour'
        and not exists (select from public.mails s where s.status = 'sent' and s.created_at >= m.created_at))
    from public.mails m
    where m.status <> 'sent'
  $$;
comment on function private.count_late_mails is 'Mails that were given up within two weeks, and mails that wait for the mail server for more than an hour.';

-- Notices are decided after a month of asking; the shop may have been off meanwhile (postpone_notice).
create or replace function private.count_unconfirmed_notices() returns bigint
  language sql stable
  set search_path = ''
  as $$
    select count(*) from public.payment_notices n
    where n.received_at between now() - interval '1 year' and now() - interval '3 hours'
      and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)
  $$;
comment on function private.count_unconfirmed_notices is 'Payment notices without a decision for more than three hours.';

-- The newest release whose upgrade this database has seen is the one that runs.
create or replace function private.running_version(out version text, out server text)
  language sql stable
  set search_path = ''
  as $$
    select
      (select r.version from supabase_migrations.releases r order by string_to_array(r.version, '.')::int[] desc limit 1),
      split_part(current_setting('server_version'), ' ', 1)
  $$;
comment on function private.running_version is 'The versions of the shop and of PostgreSQL.';

-- The queue notes when it last queued a scheduled task.
create or replace function private.scheduled_task_runs()
  returns table (task text, ran_at timestamptz)
  language sql stable
  set search_path = ''
  as $$
    select c.identifier, c.last_execution from graphile_worker._private_known_crontabs c
    order by c.last_execution desc nulls last, c.identifier
  $$;
comment on function private.scheduled_task_runs is 'When each scheduled task was queued last, newest first.';

-- What /metrics counts, in one statement.
create or replace function private.count_for_metrics()
  returns table (metric text, label text, count bigint)
  language sql stable
  set search_path = ''
  as $$
    select 'orders', o.status, count(*) from public.orders o where o.placed_at is not null group by o.status
    union all
    select 'payments', p.outcome, count(*) from public.payments p group by p.outcome
    union all
    select 'mails', m.status, count(*) from public.mails m group by m.status
    union all
    select 'jobs', 'waiting', count(*) from graphile_worker.jobs j where j.attempts < j.max_attempts
    union all
    select 'jobs', state.label, state.count
    from private.count_late_jobs() l cross join lateral (values ('late', l.waiting), ('failed', l.failed)) as state (label, count)
  $$;
comment on function private.count_for_metrics is 'Orders by status, payments by outcome, mails by status, and jobs by state.';
