-- The buttons beside a mail. One that waits or has failed is tried now; one that was sent goes out once more, as a mail of its own
-- with the words it had. Pressing twice within a minute sends once.

create or replace function public.retry_mail(mail_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      raise exception 'only an admin sends a mail again' using errcode = 'insufficient_privilege';
    end if;
    update public.mails m set status = 'queued', attempts = case m.status when 'failed' then 0 else m.attempts end
      where m.id = retry_mail.mail_id and m.status in ('failed', 'queued') and not m.confidential;
    if not found then
      perform private.refuse(409, 'mail_not_failed', 'This mail has not failed.');
    end if;
    perform private.send_mail_at(retry_mail.mail_id, now());
  end
  $$;

create function public.resend_mail(mail_id uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    sent public.mails;
  begin
    perform private.require_admin();
    select * into sent from public.mails m where m.id = resend_mail.mail_id and not m.confidential;
    if not found then
      perform private.refuse(404, 'mail_not_found', 'There is no such mail.');
    elsif sent.status <> 'sent' then
      perform private.refuse(409, 'mail_not_sent', 'This mail has not been sent yet.');
    elsif sent.is_marketing then
      perform private.refuse(409, 'mail_is_marketing', 'Marketing mail goes out once.');
    end if;
    return private.queue_mail(
      'again:' || to_char(now() at time zone 'utc', 'YYYYMMDDHH24MI') || ':' || sent.id,
      sent.template, sent.recipient, sent.props);
  end
  $$;
grant execute on function public.resend_mail(uuid) to authenticated;
