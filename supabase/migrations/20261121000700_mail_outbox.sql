-- The outbox. A mail is a row written in the transaction of its cause, and a job sends it; with the mail
-- server down the row waits. `key` names the occasion, so that an occasion cannot send two mails.
create table public.mails (
  id            uuid primary key default gen_random_uuid(),
  key           text not null constraint key_is_unique unique,
  template      text not null,
  -- Null: the shop itself, whose address is a setting of the process.
  recipient     text constraint recipient_is_one_line check (private.is_line(recipient, 3, 320)),
  -- What the template needs, as it was when the cause happened.
  props         jsonb not null,
  -- A sign-in link is for its recipient only; admins do not read it.
  confidential  boolean not null default false,
  -- Marketing is sent only while this subscription stands, and carries its unsubscribe link.
  signup_id     uuid references public.newsletter_signups on delete set null,
  is_marketing  boolean not null generated always as (template in ('newsletter-signup')) stored,
  -- As sent.
  sent_to       text,
  subject       text,
  html          text,
  text          text,
  status        text not null default 'queued'
    constraint status_is_known check (status in ('queued', 'sent', 'failed')),
  attempts      integer not null default 0,
  last_error    text,
  created_at    timestamptz not null default now(),
  sent_at       timestamptz,
  constraint sent_has_a_time check ((status = 'sent') = (sent_at is not null))
);
comment on table public.mails is 'Every mail of the shop: waiting, sent (kept as sent) or failed with the mail server''s words.';
create index mails_newest_first on public.mails (created_at desc);
create index mails_by_signup on public.mails (signup_id) where signup_id is not null;
create index mails_by_order on public.mails ((props ->> 'orderId')) where props ? 'orderId';

alter table public.mails enable row level security;
alter table public.mails force row level security;
create policy select_as_admin on public.mails
  for select to authenticated
  using (not confidential and (select private.is_admin()));
grant select on public.mails to authenticated;
-- NOTE: nobody writes: rows come from private.queue_mail, changes from the job that sends.


-- Puts a mail into the outbox with its job; a second one with the same key is the first one.
create function private.queue_mail(key text, template text, recipient text, props jsonb, confidential boolean default false) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    mail_id uuid;
  begin
    insert into public.mails (key, template, recipient, props, confidential)
      values (queue_mail.key, queue_mail.template, queue_mail.recipient, queue_mail.props, queue_mail.confidential)
      on conflict on constraint key_is_unique do nothing
      returning id into mail_id;
    if mail_id is not null then
      perform private.send_mail_at(mail_id, now());
      return mail_id;
    end if;
    return (select m.id from public.mails m where m.key = queue_mail.key);
  end
  $$;
comment on function private.queue_mail is 'Writes a mail to the outbox, once for each key. A null recipient is the shop.';

create function private.send_mail_at(mail_id uuid, run_at timestamptz) returns void
  language sql security definer
  set search_path = ''
  as $$
    select graphile_worker.add_job(
      'send_mail', json_build_object('mailId', mail_id),
      run_at => send_mail_at.run_at, job_key => 'send_mail:' || mail_id)
  $$;


-- What the sending job writes. Pauses grow from seconds to hours; after three days of trying the mail is
-- failed, with the mail server's last words, and waits for a person.
create function private.mail_pause(attempts integer) returns interval
  language sql immutable
  set search_path = ''
  as $$
    select (array[
      '10 seconds', '30 seconds', '2 minutes', '5 minutes', '15 minutes', '30 minutes', '1 hour', '2 hours'
    ]::interval[])[least(greatest(attempts, 1), 8)]
  $$;

create function private.mail_was_sent(mail_id uuid, sent_to text, subject text, html text, text text) returns void
  language sql security definer
  set search_path = ''
  as $$
    with sent as (
      update public.mails m
      set status = 'sent', sent_at = clock_timestamp(), attempts = m.attempts + 1, last_error = null,
          sent_to = mail_was_sent.sent_to, subject = mail_was_sent.subject,
          html = mail_was_sent.html, text = mail_was_sent.text
      where m.id = mail_was_sent.mail_id
      returning m.id, m.template, m.sent_to, (m.props ->> 'orderId')::uuid as order_id
    )
    insert into public.order_events (order_id, kind, detail)
    select o.id, 'mail_sent', jsonb_build_object('mail_id', s.id, 'template', s.template, 'to', s.sent_to)
    from sent s join public.orders o on o.id = s.order_id
    -- An order that is being deleted has no timeline left to write to.
    for key share of o
  $$;

create function private.mail_was_dropped(mail_id uuid, reason text) returns void
  language sql security definer
  set search_path = ''
  as $$
    update public.mails m set status = 'failed', last_error = mail_was_dropped.reason where m.id = mail_was_dropped.mail_id
  $$;

create function private.mail_was_refused(mail_id uuid, reason text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    tried integer;
    -- The pauses above add up to 72 hours.
    last_attempt constant integer := 44;
  begin
    update public.mails m
      set attempts = m.attempts + 1, last_error = mail_was_refused.reason,
          status = case when m.attempts + 1 >= last_attempt then 'failed' else 'queued' end
      where m.id = mail_was_refused.mail_id
      returning attempts into tried;
    if tried >= last_attempt then
      return 'failed';
    end if;
    perform private.send_mail_at(mail_was_refused.mail_id, now() + private.mail_pause(tried));
    return 'queued';
  end
  $$;


-- The button beside a failed mail.
create function public.retry_mail(mail_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      raise exception 'only an admin sends a mail again' using errcode = 'insufficient_privilege';
    end if;
    update public.mails m set status = 'queued', attempts = 0
      where m.id = retry_mail.mail_id and m.status = 'failed' and not m.confidential;
    if not found then
      perform private.refuse(409, 'mail_not_failed', 'This mail has not failed.');
    end if;
    perform private.send_mail_at(retry_mail.mail_id, now());
  end
  $$;
grant execute on function public.retry_mail(uuid) to authenticated;
