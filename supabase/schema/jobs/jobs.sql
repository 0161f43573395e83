-- Jobs of the queue (graphile-worker). Rows state what is unfinished; a job only states when to work on it.
--
-- A job can be lost: when a worker's connection breaks, another takes the job over, and the queue deletes it when the first of
-- the two ends. The row would wait for ever, so this runs every ten minutes and queues a job for each unfinished row without one.
create or replace function private.restart_lost_jobs() returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    restarted integer;
  begin
    with forgotten as (
      select n.id from public.payment_notices n
      -- Notices are decided after a month of asking; the shop may have been off meanwhile (postpone_notice).
      where n.received_at > now() - interval '1 year'
        and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)
        and not private.has_job('check_notice:' || n.id)
    ),
    notices as (select private.schedule_notice_check(f.id, now()) from forgotten f),
    mails as (
      select private.send_mail_at(m.id, now()) from public.mails m
      where m.status = 'queued' and not private.has_job('send_mail:' || m.id)
    ),
    refunds as (
      select private.send_refund_at(r.id, now()) from public.refunds r
      -- After a month a refund waits for a person (postpone_refund).
      where r.created_at > now() - interval '30 days'
        and r.way = 'payfast' and r.state in ('requested', 'sent', 'unknown')
        and not private.has_job('send_refund:' || r.id)
    )
    select (select count(*) from notices) + (select count(*) from mails) + (select count(*) from refunds) into restarted;
    return restarted;
  end
  $$;
comment on function private.restart_lost_jobs is
  'Queues jobs for unfinished notices, mails and refunds that have none. Returns their number.';

-- A job that has used up its attempts does not count: it will not run again.
create or replace function private.has_job(job_key text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (select from graphile_worker.jobs j where j.key = has_job.job_key and j.attempts < j.max_attempts)
  $$;
