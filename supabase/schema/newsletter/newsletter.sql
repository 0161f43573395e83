-- Newsletter signups with double opt-in.
--
-- A signup only lists an address. News may be sent once its mailbox has confirmed (consent.sql has the ledger). Confirmation
-- links are stored as hashes, work for 30 days and are mailed at most three times. Every marketing mail carries an unsubscribe
-- link with a secret of its own. An address that left stays on the list, so that a later form cannot sign it up silently.

-- Visitors insert from the footer or the popup and learn nothing: the popup's question "is this address new?" is answered by the
-- unique constraint (23505). Admins read. Not granted: update and delete for API roles but the service role.
comment on table public.newsletter_signups is 'Addresses that asked for the newsletter, once each, in lower case.';
comment on column public.newsletter_signups.source is 'popup, footer, sign_up, or shop (the account page).';
comment on column public.newsletter_signups.confirmation_sent_at is
  'When the address was last asked to confirm that it wants news.';
comment on column public.newsletter_signups.claimed_at is
  'When the popup showed the welcome code to this address; null if it never did.';
comment on column public.newsletter_signups.accepted_terms is
  'Whether the box for news was ticked in the form. Not a consent: the mailbox confirms that.';
comment on column public.newsletter_signups.unsubscribed_at is 'Null while subscribed.';
grant select on public.newsletter_signups to authenticated;
grant select, insert, update, delete on public.newsletter_signups to service_role;
grant insert (email, source, accepted_terms) on public.newsletter_signups to anon, authenticated;
grant select (email) on public.newsletter_signups to anon;

create policy select_as_admin on public.newsletter_signups for select to authenticated
  using ((select true where private.is_admin()) is not null);

create policy insert_from_page on public.newsletter_signups for insert to anon, authenticated
  with check (unsubscribed_at is null and (source = 'footer' or source = 'popup' and not accepted_terms));

-- The newest consent of an address decides; a confirmation mailed after it makes the address pending again.
create or replace view public.subscribers with (security_invoker = true) as
  select s.id, s.email, s.source, s.accepted_terms, s.created_at, s.unsubscribed_at,
    case
      when s.unsubscribed_at is not null then 'unsubscribed'
      when said.is_given then 'agreed'
      when s.confirmation_sent_at > coalesce(said.created_at, '-infinity') then 'pending'
      when said.is_given is null then 'not_asked'
      else 'withdrew'
    end as consent,
    said.wording, said.created_at as said_at, s.confirmation_sent_at
  from public.newsletter_signups s
  left join lateral (
    select c.is_given, c.wording, c.created_at from public.marketing_consents c where c.email = s.email order by c.id desc limit 1
  ) as said on true;

comment on view public.subscribers is
  'Signups with their consent: agreed (news may be sent), pending, not_asked, withdrew or unsubscribed.';
comment on column public.subscribers.consent is 'agreed, pending, not_asked, withdrew or unsubscribed.';
comment on column public.subscribers.wording is 'The sentence of the newest consent or withdrawal.';
comment on column public.subscribers.said_at is 'When it was given or withdrawn.';
grant select on public.subscribers to authenticated, service_role;
comment on table private.newsletter_links is
  'Secrets of a signup''s links: unsubscribing, and confirming consent. Not granted to any API role.';
comment on column private.newsletter_links.unsubscribe is 'Secret of the unsubscribe link in every marketing mail.';
comment on column private.newsletter_links.honours_id is
  'Whether the id of the signup works as an unsubscribe link too, as early mails use it.';
comment on column private.newsletter_links.confirmation_hash is
  'SHA-256 of the newest confirmation secret; null when no link is valid.';
comment on column private.newsletter_links.mails_sent is 'Confirmation mails so far. The limit is three.';
comment on column private.newsletter_links.asked_at is
  'When the newest confirmation was mailed. Its link is valid for 30 days.';
comment on column private.newsletter_links.wording is 'The sentence that the link will consent to.';
comment on column private.newsletter_links.customer_id is 'The account that asked, if any.';
comment on column private.newsletter_links.confirmed_at is 'When the link was used; null while pending.';

-- Records the confirmed consent, which ends an earlier unsubscription, and mails the welcome, once for each address.
create or replace function private.confirm_consent(listed public.newsletter_signups, customer uuid, wording text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.marketing_consents (email, customer_id, is_given, source, wording)
    values (listed.email, customer, true, listed.source, confirm_consent.wording);
    update public.newsletter_signups s set unsubscribed_at = null where s.id = listed.id;
    update private.newsletter_links l set confirmed_at = now() where l.signup_id = listed.id;
    perform private.queue_marketing_mail('newsletter:' || listed.email, 'newsletter-signup', listed);
  end
  $$;

-- Each signup has its secrets from the start, so every mail to it can carry an unsubscribe link.
create or replace function private.create_newsletter_links() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into private.newsletter_links (signup_id) values (new.id);
    return null;
  end
  $$;

create trigger create_newsletter_links after insert on public.newsletter_signups
  for each row execute function private.create_newsletter_links();

-- The secret of the unsubscribe link in marketing mails.
create or replace function private.unsubscribe_secret(signup_id uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$ select l.unsubscribe from private.newsletter_links l where l.signup_id = unsubscribe_secret.signup_id $$;

create or replace function private.has_valid_confirmation(link private.newsletter_links) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select link.confirmation_hash is not null and link.asked_at > now() - interval '30 days'
      and not exists (
        select from public.newsletter_signups s where s.id = link.signup_id and s.unsubscribed_at >= link.asked_at)
  $$;
comment on function private.has_valid_confirmation is
  'Whether the newest confirmation link still works: for 30 days, unless the address has unsubscribed since.';

-- Idempotent. A link that no longer works is unknown.
create or replace function private.confirm_subscription(secret text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    link private.newsletter_links;
    listed public.newsletter_signups;
  begin
    select * into link from private.newsletter_links l
    where l.confirmation_hash = sha256(convert_to(confirm_subscription.secret, 'UTF8')) and private.has_valid_confirmation(l) for update;
    select * into listed from public.newsletter_signups s where s.id = link.signup_id;
    if listed.id is null then
      return false;
    elsif link.confirmed_at is null then
      perform private.confirm_consent(listed, link.customer_id, link.wording);
    end if;
    return true;
  end
  $$;
comment on function private.confirm_subscription is 'Confirms the consent that a mailed link asks for. Returns false for an unknown link.';

-- Early mails carry the id of the signup instead of a secret; only those signups accept it (honours_id).
create or replace function private.unsubscribe_by_link(link text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    return coalesce((
      select private.unsubscribe(l.signup_id) from private.newsletter_links l
      where l.unsubscribe = link or (l.honours_id and l.signup_id::text = link)), false);
  end
  $$;
comment on function private.unsubscribe_by_link is 'Unsubscribes by the link of a mail. Returns false for an unknown link.';

-- Consent by mail is always to this sentence, and never to the caller's own words: an account can be registered with any address, and
-- the shop would mail them there.
create or replace function private.marketing_wording() returns text
  language sql immutable
  return 'Yes, e-mail me news and offers. I can unsubscribe at any time.';
comment on function private.marketing_wording is 'The sentence beside the boxes for news, and in the mail that asks to confirm.';

-- A mailbox gets at most three mails that ask to confirm, ten minutes apart.
-- Other spellings of the address count while they are unconfirmed; a confirmed one shows that the owner wants mails.
-- Security definer: reads newsletter links, which are private.
create or replace function private.is_mail_limited(listed public.newsletter_signups) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(sum(l.mails_sent), 0) >= 3 or coalesce(max(l.asked_at) > now() - interval '10 minutes', false)
    from public.newsletter_signups s
    join private.newsletter_links l on l.signup_id = s.id
    where auth.mailbox_of(s.email) = auth.mailbox_of(listed.email) and (s.id = listed.id or l.confirmed_at is null)
  $$;
comment on function private.is_mail_limited is
  'Whether a mailbox has been sent three requests to confirm, or one in the last ten minutes.';

-- At most three mails to an address, ten minutes apart, so that the form cannot flood a stranger's mailbox. Each mail has its own
-- secret; the newest one is valid.
create or replace function private.request_newsletter_confirmation(listed public.newsletter_signups, customer uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
    times int;
  begin
    -- Without the lock, two spellings of one mailbox signing up at once would both pass the limit.
    perform pg_advisory_xact_lock(hashtextextended('confirmations to ' || auth.mailbox_of(listed.email), 0));
    if private.is_mail_limited(listed) then
      return;
    end if;
    update private.newsletter_links l set
      confirmation_hash = sha256(convert_to(secret, 'UTF8')), mails_sent = l.mails_sent + 1, asked_at = now(),
      wording = private.marketing_wording(), customer_id = request_newsletter_confirmation.customer, confirmed_at = null
    where l.signup_id = listed.id
    returning l.mails_sent into times;
    if not found then
      return;
    end if;
    update public.newsletter_signups s set confirmation_sent_at = now() where s.id = listed.id;
    perform private.queue_mail('newsletter-confirmation:' || listed.id || ':' || times, 'newsletter-confirmation', listed.email,
      jsonb_build_object('secret', secret, 'wording', private.marketing_wording()), true);
  end
  $$;
comment on function private.request_newsletter_confirmation is
  'Mails the link that confirms consent. Does nothing when the limit of mails is reached.';

-- Ends a signup and records the withdrawal. Idempotent. Returns false for an unknown signup.
create or replace function private.unsubscribe(
  signup_id uuid, customer uuid default null, source text default 'unsubscribe link', wording text default 'Stop sending me news and offers.')
  returns boolean
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
      insert into public.marketing_consents (email, customer_id, is_given, source, wording)
        values (leaving.email, unsubscribe.customer, false, unsubscribe.source, unsubscribe.wording);
    end if;
    return true;
  end
  $$;

-- Called by the function send-newsletter-signup after a form was sent. Only a signup of the last hour, or one that has not agreed, can
-- be asked this way, so that a stranger cannot trigger mails to subscribers. Returns one of:
--   confirmed
--   pending: a link was mailed
--   mail_limited: no link was mailed
--   without_consent
--   unknown
create or replace function private.welcome_subscriber(email text, caller uuid, accepted_terms boolean, opted_in boolean) returns text
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
      where s.email = listed_email
        and (owner_id is not null or s.created_at > now() - interval '1 hour' or not private.accepts_marketing(s.id));
    if listed.id is null then
      return case when owner_id is not null then 'without_consent' else 'unknown' end;
    elsif not opted_in then
      return 'without_consent';
    end if;

    if private.accepts_marketing(listed.id) then
      return 'confirmed';
    elsif owner_id is not null and private.has_verified_mailbox(owner_id) then
      perform private.confirm_consent(listed, owner_id, private.marketing_wording());
      return 'confirmed';
    elsif private.is_mail_limited(listed) then
      return 'mail_limited';
    end if;
    perform private.request_newsletter_confirmation(listed, owner_id);
    return 'pending';
  end
  $$;

-- Triggers fire in the order of their names: lower_case_email runs first.
create or replace function private.record_welcome_claim() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.source <> 'popup' then
      return new;
    end if;
    update public.newsletter_signups s set claimed_at = now() where s.email = new.email and s.claimed_at is null;
    if found then
      -- The address is on the list already, so there is nothing to insert; the claim itself has succeeded.
      return null;
    end if;
    new.claimed_at := now();
    return new;
  end
  $$;
comment on function private.record_welcome_claim is 'Turns the popup''s insert for a listed address into its first claim of the welcome code.';

create trigger record_welcome_claim before insert on public.newsletter_signups
  for each row execute function private.record_welcome_claim();

-- An owner asked by phone or mail to be unsubscribed. The ledger records that the shop did it.
create or replace function public.unsubscribe_on_request(signup_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    customer uuid := (
      select p.id from public.newsletter_signups s join public.profiles p on lower(p.email) = s.email
      where s.id = unsubscribe_on_request.signup_id limit 1);
  begin
    perform private.require_admin();
    if not private.unsubscribe(signup_id, customer, 'the shop, on request', 'Unsubscribed on request.') then
      perform private.refuse(404, 'subscriber_not_found', 'There is no such subscriber.');
    end if;
  end
  $$;
comment on function public.unsubscribe_on_request is
  'Unsubscribes an address at its owner''s request. Idempotent. Admins only. Error: subscriber_not_found.';
grant execute on function public.unsubscribe_on_request to authenticated;

-- Rate limits count calls, and each row here causes mails and work, so a call of an API role may insert at most five rows. The
-- process itself has no API role and is not limited.
create or replace function private.refuse_many() returns trigger
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
