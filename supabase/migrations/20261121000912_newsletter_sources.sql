-- The list of subscribers says where an address came from: the popup asks for an address and nothing else, the footer for the
-- terms as well. The specified insert of {email} alone stays what it was, the popup's.
grant insert (source, accepted_terms) on public.newsletter_signups to anon, authenticated;
drop policy insert_from_popup on public.newsletter_signups;
create policy insert_from_page on public.newsletter_signups
  for insert to anon, authenticated
  with check (unsubscribed_at is null and (source = 'footer' or source = 'popup' and not accepted_terms));

-- As in 20261121000730, with one more who may ask: whoever claimed the discount some time ago and was never asked about news,
-- or did not want any then, and wants them now. Somebody who has answered before, and above all left, is not signed up again
-- by whoever types the address.
create or replace function private.welcome_subscriber(email text, caller uuid, accepted_terms boolean, opted_in boolean) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    listed_email text := lower(btrim(welcome_subscriber.email));
    owner_id uuid := (select p.id from public.profiles p where p.id = caller and lower(p.email) = listed_email);
    has_answered boolean := exists (select from public.marketing_consents c where c.email = listed_email);
    listed public.newsletter_signups;
  begin
    if owner_id is not null and opted_in then
      insert into public.newsletter_signups (email, source, accepted_terms)
        values (listed_email, 'sign_up', welcome_subscriber.accepted_terms)
        on conflict on constraint email_already_signed_up do nothing;
    end if;
    select * into listed from public.newsletter_signups s
      where s.email = listed_email and s.unsubscribed_at is null
        and (owner_id is not null or s.created_at > now() - interval '1 hour' or not has_answered);
    if listed.id is null then
      return case when owner_id is not null then 'without_consent' else 'unknown' end;
    elsif not opted_in then
      return 'without_consent';
    end if;

    if not exists (select from public.mails m where m.key = 'newsletter:' || listed_email) then
      insert into public.marketing_consents (email, customer_id, is_given, source, wording)
        values (listed_email, owner_id, true, listed.source, 'Yes, mail me news and offers. I can stop at any time.');
      perform private.queue_mail('newsletter:' || listed_email, 'newsletter-signup', listed_email, jsonb_build_object('signupId', listed.id));
      update public.mails m set signup_id = listed.id where m.key = 'newsletter:' || listed_email;
    end if;
    return 'welcomed';
  end
  $$;
