-- Rows say what is still to be done, jobs only when. A job can be lost: a worker whose connection broke for a moment goes on
-- with a job that another has taken over meanwhile, and the queue drops it with the first that ends. Its row would then wait
-- for ever; so what is unfinished and has no job that will run gets a new one.
create function private.restart_forgotten_work() returns integer
  language plpgsql
  set search_path = ''
  as $$
  declare
    restarted integer;
  begin
    with forgotten as (
      select n.id from public.payment_notices n
      -- Questions about a notice end after a month, with a decision.
      where n.received_at > now() - interval '40 days'
        and not exists (select from public.payment_notice_outcomes o where o.notice_id = n.id)
        and not private.has_job('check_notice:' || n.id)
    ),
    notices as (select private.check_notice_at(f.id, now()) from forgotten f),
    mails as (
      select private.send_mail_at(m.id, now()) from public.mails m
      where m.status = 'queued' and not private.has_job('send_mail:' || m.id)
    ),
    refunds as (
      select private.send_refund_at(r.id, now()) from public.refunds r
      -- After a month of asking a refund waits for a person.
      where r.created_at > now() - interval '30 days'
        and r.way = 'payfast' and r.state in ('requested', 'sent', 'unknown')
        and not private.has_job('send_refund:' || r.id)
    )
    select (select count(*) from notices) + (select count(*) from mails) + (select count(*) from refunds) into restarted;
    return restarted;
  end
  $$;
comment on function private.restart_forgotten_work() is
  'Gives notices, mails and refunds that wait without a job a new one; returns how many.';

create function private.has_job(job_key text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (select from graphile_worker.jobs j where j.key = has_job.job_key and j.attempts < j.max_attempts)
  $$;
