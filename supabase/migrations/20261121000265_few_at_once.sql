-- What visitors send starts mails and waits for a person, and the process counts calls, not rows: so a call carries a
-- few rows at most. The process itself, which has no API role, may write as many as it likes.
create function private.refuse_many() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if current_setting('role') in ('anon', 'authenticated') and (select count(*) from inserted) > 5 then
      perform private.refuse(429, 'too_many_at_once', 'Please send these one at a time.');
    end if;
    return null;
  end
  $$;
create trigger refuse_many after insert on public.contact_submissions
  referencing new table as inserted
  for each statement execute function private.refuse_many();
create trigger refuse_many after insert on public.gallery_submissions
  referencing new table as inserted
  for each statement execute function private.refuse_many();
create trigger refuse_many after insert on public.newsletter_signups
  referencing new table as inserted
  for each statement execute function private.refuse_many();
