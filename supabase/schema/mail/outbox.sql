-- The mail outbox: a mail is a row and a job, written in the transaction that causes it.
--
-- The key names the occasion, so queueing the same mail twice sends it once. The job send_mail renders the template with the
-- stored props, sends it, and records the result. Refused mails are retried with growing delays for three days; then they are
-- `failed` and wait for a person. Confidential mails (links that sign in) are never shown in the admin area.

-- Admins read all mails that are not confidential. Not granted: insert, update. Functions write, as the owner.
comment on table public.mails is 'Every mail of the shop: queued, sent (with the text as sent) or failed (with the mail server''s answer).';
comment on column public.mails.key is 'The occasion. A second mail with the same key is not written.';
comment on column public.mails.recipient is 'Null for mails to the shop itself.';
comment on column public.mails.props is 'What the template is rendered with.';
comment on column public.mails.confidential is 'Contains a secret, so staff may not read it.';
comment on column public.mails.template is 'Name of the template in emails/.';
comment on column public.mails.signup_id is 'The newsletter signup of a marketing mail.';
comment on column public.mails.is_marketing is 'Marketing is sent once and only to subscribers. Queued by queue_marketing_mail() only.';
comment on column public.mails.sent_to is 'The address it was sent to. The recipient of mails to the shop is a setting.';
comment on column public.mails.subject is 'As sent, like html and text. Null until then.';
comment on column public.mails.status is 'queued, sent or failed.';
comment on column public.mails.attempts is 'Attempts so far. Delays grow with them.';
comment on column public.mails.last_error is 'The mail server''s latest answer.';
comment on column public.mails.html is 'The HTML part as sent.';
comment on column public.mails.text is 'The plain text part as sent.';
comment on column public.mails.sent_at is 'When the mail server accepted it.';
grant select on public.mails to authenticated;

-- Not granted: the process writes and shows it, as the owner.
comment on table private.texts is 'Codes sent to phones, shown on the mailbox page of a shop without a public address.';
comment on column private.texts.code is 'The one-time code of the message.';
comment on column private.texts.sent_to is 'The phone number.';
comment on column private.texts.channel is 'sms or whatsapp.';

create policy select_as_admin on public.mails for select to authenticated
  using (not confidential and (select private.is_admin()));

-- Packers see the mails of orders, because these are part of the timeline. All other mails are for admins.
create policy select_of_orders_as_staff on public.mails for select to authenticated
  using (not confidential and props ? 'orderId' and (select private.is_staff()));

create or replace function private.queue_mail(key text, template text, recipient text, props jsonb, confidential boolean default false) returns uuid
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
comment on function private.queue_mail is 'Writes a mail and its job, once for each key. Returns the id of the mail with this key. A null recipient is the shop.';

-- One job for each mail: scheduling it again moves the time. Its priority is behind that of all other jobs: a mail server that does
-- not answer keeps each mail for half a minute, and payments would wait for hundreds of them.
create or replace function private.send_mail_at(mail_id uuid, run_at timestamptz) returns void
  language sql security definer
  set search_path = ''
  as $$
    select graphile_worker.add_job(
      'send_mail', json_build_object('mailId', mail_id, 'requestId', nullif(current_setting('request.id', true), '')),
      run_at => send_mail_at.run_at, job_key => 'send_mail:' || mail_id, priority => 1)
  $$;
comment on function private.send_mail_at is 'Schedules the job that sends a mail.';

-- Growing delays between attempts. Together the 44 attempts of mail_was_refused() take three days.
create or replace function private.mail_retry_delay(attempts integer) returns interval
  language sql immutable
  set search_path = ''
  as $$
    select (array[
      '10 seconds', '30 seconds', '2 minutes', '5 minutes', '15 minutes', '30 minutes', '1 hour', '2 hours'
    ]::interval[])[least(greatest(attempts, 1), 8)]
  $$;
comment on function private.mail_retry_delay is 'Delay after the given number of attempts.';

-- Keeps the mail as it was sent, and writes it to the timeline of its order.
create or replace function private.mail_was_sent(mail_id uuid, sent_to text, subject text, html text, text text) returns void
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
comment on function private.mail_was_sent is 'Records a sent mail as it was sent.';

-- A mail may wait for days, and what it says may no longer be true. Asked right before a mail is sent: the job deletes a mail that
-- must not be sent, because `failed` mails wait for a person.
create or replace function private.reason_not_to_send(mail public.mails) returns text
  language sql stable security definer
  set search_path = ''
  as $$
    select case
      when mail.is_marketing and not private.accepts_marketing(mail.signup_id) then
        'The recipient is not subscribed.'
      when mail.template in ('payment-reminder', 'payment-top-up') and not exists (
        select from public.orders o where o.id = (mail.props ->> 'orderId')::uuid and o.status = 'pending_payment'
          -- The reminder says that the shop has no payment, the top-up which difference is missing.
          and case mail.template when 'payment-reminder' then not private.has_money_waiting(o.id)
            else (private.open_top_up(o.id)).amount = (mail.props ->> 'amountDue')::numeric end) then
        'The order no longer awaits this payment.'
      when mail.template in ('order-confirmation', 'order-notification') and exists (
        select from public.orders o where o.id = (mail.props ->> 'orderId')::uuid and o.paid_at is null) then
        'The payment of the order was withdrawn.'
      when mail.template = 'back-in-stock' and not exists (
        select from public.stock_alerts a where a.id = (mail.props ->> 'alertId')::uuid and a.withdrawn_at is null) then
        'The stock alert was cancelled or deleted.'
    end
  $$;
comment on function private.reason_not_to_send is 'Why this mail can no longer be sent, or null.';

-- The mail server refused the mail or was away. Returns `queued` with another attempt scheduled, or `failed` after the last one.
create or replace function private.mail_was_refused(mail_id uuid, reason text) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    tried integer;
    -- The delays of mail_retry_delay() add up to 72 hours.
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
    perform private.send_mail_at(mail_was_refused.mail_id, now() + private.mail_retry_delay(tried));
    return 'queued';
  end
  $$;
comment on function private.mail_was_refused is 'Records a failed attempt. Returns queued or failed.';

create or replace function private.refuse_obsolete_mail(mail public.mails) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    reason text := private.reason_not_to_send(mail);
  begin
    if reason is not null then
      perform private.refuse(409, 'mail_is_obsolete', 'This e-mail can no longer be sent. ' || reason);
    end if;
  end
  $$;

-- Sends a queued or failed mail now instead of at its next attempt.
create or replace function public.retry_mail(mail_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    unsent public.mails;
  begin
    if not private.is_admin() then
      raise exception 'only an admin may resend a mail' using errcode = 'insufficient_privilege';
    end if;
    update public.mails m set status = 'queued', attempts = case m.status when 'failed' then 0 else m.attempts end
      where m.id = retry_mail.mail_id and m.status in ('failed', 'queued') and not m.confidential
      returning * into unsent;
    if not found then
      perform private.refuse(409, 'mail_not_failed', 'This e-mail has not failed.');
    end if;
    perform private.refuse_obsolete_mail(unsent);
    perform private.send_mail_at(retry_mail.mail_id, now());
  end
  $$;
comment on function public.retry_mail is 'Tries a queued or failed mail now. Admins only. Errors: mail_not_failed, mail_is_obsolete.';
grant execute on function public.retry_mail to authenticated;

-- A failed mail waits for a person, who deletes it when it can never arrive: its address is mistyped, for example.
create or replace function public.delete_failed_mail(mail_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    delete from public.mails m
      where m.id = delete_failed_mail.mail_id and m.status = 'failed' and not m.confidential;
    if not found then
      perform private.refuse(409, 'mail_not_failed', 'This e-mail has not failed.');
    end if;
  end
  $$;
comment on function public.delete_failed_mail is 'Deletes a failed mail. Admins only. Error: mail_not_failed.';
grant execute on function public.delete_failed_mail to authenticated;

-- Sends a mail once more, as a new mail with the same props. The address of its order may have been corrected since. The minute is part of the key, so a double click sends one mail, and
-- a second press within the minute is told that it sends nothing.
create or replace function public.resend_mail(mail_id uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    sent public.mails;
    corrected_email text;
    key_of_copy text := 'again:' || to_char(now() at time zone 'utc', 'YYYYMMDDHH24MI') || ':' || mail_id;
  begin
    perform private.require_admin();
    select * into sent from public.mails m where m.id = resend_mail.mail_id and not m.confidential;
    if not found then
      perform private.refuse(404, 'mail_not_found', 'There is no such e-mail.');
    elsif sent.status <> 'sent' then
      perform private.refuse(409, 'mail_not_sent', 'This e-mail has not been sent yet.');
    elsif sent.is_marketing then
      perform private.refuse(409, 'mail_is_marketing', 'Marketing e-mails are sent only once.');
    end if;
    perform private.refuse_obsolete_mail(sent);
    if exists (select from public.mails m where m.key = key_of_copy) then
      perform private.refuse(409, 'mail_just_resent',
        'This e-mail was sent again less than a minute ago. To send it once more, wait a minute.');
    end if;
    select o.customer_email into corrected_email from public.orders o
      where o.id = (sent.props ->> 'orderId')::uuid and sent.recipient = sent.props ->> 'customerEmail';
    return private.queue_mail(key_of_copy, sent.template, coalesce(corrected_email, sent.recipient),
      sent.props || case when corrected_email is null then '{}' else jsonb_build_object('customerEmail', corrected_email) end);
  end
  $$;
comment on function public.resend_mail is
  'Sends a sent mail again and returns the id of the new one. Errors: mail_not_found, mail_not_sent, mail_is_marketing, mail_is_obsolete, mail_just_resent.';
grant execute on function public.resend_mail to authenticated;
