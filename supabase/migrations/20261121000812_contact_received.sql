-- Whoever writes to the shop is told that it has arrived: once a day for an address, and in the shop's words alone. What the form
-- holds is not repeated, because anybody may type anybody's address and a text for them into it.
create function private.mail_contact_received() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_mail(
      'contact-received:' || lower(new.email) || ':' || to_char(now() at time zone 'Africa/Johannesburg', 'YYYY-MM-DD'),
      'contact-received', lower(new.email), jsonb_build_object('receivedAt', now()));
    return null;
  end
  $$;
create trigger a_writer_is_answered after insert on public.contact_submissions
  for each row execute function private.mail_contact_received();
