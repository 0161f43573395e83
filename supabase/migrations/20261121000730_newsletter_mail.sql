-- The newsletter's welcome. It is marketing: it needs consent (POPIA s69), and the ledger of consent gets its row in the same
-- transaction as the mail. An address is welcomed once for as long as the shop stands.
--
-- Who may ask: whoever has just put the address on the list (the popup and the footer do, moments before), or the signed-in
-- owner of the address, who is then put on the list. Answers welcomed, without_consent or unknown.
create function private.welcome_subscriber(email text, caller uuid, accepted_terms boolean, opted_in boolean) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    listed_email text := lower(btrim(welcome_subscriber.email));
    owner_id uuid := (select p.id from public.profiles p where p.id = caller and lower(p.email) = listed_email);
    listed public.newsletter_signups;
  begin
    if owner_id is not null and opted_in then
      insert into public.newsletter_signups (email, source, accepted_terms)
        values (listed_email, 'sign_up', welcome_subscriber.accepted_terms)
        on conflict on constraint email_already_signed_up do nothing;
    end if;
    select * into listed from public.newsletter_signups s
      where s.email = listed_email and s.unsubscribed_at is null and (owner_id is not null or s.created_at > now() - interval '1 hour');
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


-- The link in every marketing mail. Its id is known to the recipient only; going twice is going once.
create function private.unsubscribe(signup_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    leaving public.newsletter_signups;
  begin
    select * into leaving from public.newsletter_signups s where s.id = unsubscribe.signup_id for update;
    if leaving.id is null then
      return false;
    elsif leaving.unsubscribed_at is null then
      update public.newsletter_signups s set unsubscribed_at = now() where s.id = leaving.id;
      insert into public.marketing_consents (email, is_given, source, wording)
        values (leaving.email, false, 'unsubscribe link', 'Stop sending me news and offers.');
    end if;
    return true;
  end
  $$;
