-- Consent to marketing counts only once it is confirmed from the mailbox itself (double opt-in, decision 0025): an address that is
-- typed into a form may be a stranger's. Asking is a transactional mail with a link; until the link is used the subscriber is pending
-- and gets no news. A signed-in customer whose mailbox is verified has proven it already and is asked nothing more.

-- Secrets of the links, apart from the table that admins read. A confirmation is kept as a hash, because a leaked copy of the database
-- must consent to nothing; the unsubscribe secret stands in every marketing mail and can only end something.
create table private.newsletter_links (
  signup_id         uuid primary key references public.newsletter_signups on delete cascade on update cascade,
  unsubscribe       text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- Mails of before carry the id of the signup as their link; these must go on working.
  honours_id        boolean not null default false,
  confirmation_hash bytea,
  mails_sent        int not null default 0,
  asked_at          timestamptz,
  wording           text,
  customer_id       uuid references public.profiles on delete set null,
  confirmed_at      timestamptz
);
comment on table private.newsletter_links is 'The links of a newsletter signup: to end it, and to confirm its consent. No caller reads it.';
alter table private.newsletter_links enable row level security;
alter table private.newsletter_links force row level security;
create index newsletter_links_confirmation_idx on private.newsletter_links (confirmation_hash) where confirmation_hash is not null;
create index newsletter_links_customer_idx on private.newsletter_links (customer_id) where customer_id is not null;
insert into private.newsletter_links (signup_id, honours_id) select s.id, true from public.newsletter_signups s;

alter table public.newsletter_signups add column confirmation_sent_at timestamptz;
comment on column public.newsletter_signups.confirmation_sent_at is 'When the address was last asked to confirm that it wants news.';

create function private.make_newsletter_links() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into private.newsletter_links (signup_id) values (new.id);
    return null;
  end
  $$;
create trigger make_newsletter_links after insert on public.newsletter_signups
  for each row execute function private.make_newsletter_links();

create function private.unsubscribe_secret(signup_id uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$ select l.unsubscribe from private.newsletter_links l where l.signup_id = unsubscribe_secret.signup_id $$;

-- Consent that is confirmed: the ledger gets its row, and the welcome goes out once for as long as the shop stands.
create function private.confirm_consent(listed public.newsletter_signups, customer uuid, wording text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.marketing_consents (email, customer_id, is_given, source, wording)
    values (listed.email, customer, true, listed.source, confirm_consent.wording);
    update private.newsletter_links l set confirmed_at = now() where l.signup_id = listed.id;
    if not exists (select from public.mails m where m.key = 'newsletter:' || listed.email) then
      perform private.queue_mail('newsletter:' || listed.email, 'newsletter-signup', listed.email,
        jsonb_build_object('signupId', listed.id, 'unsubscribeSecret', private.unsubscribe_secret(listed.id)));
      update public.mails m set signup_id = listed.id where m.key = 'newsletter:' || listed.email;
    end if;
  end
  $$;

-- Asks the mailbox: at most three mails for an address, ten minutes apart, so that a form cannot be used to pester a stranger. Each mail
-- has a secret of its own, and the newest one counts.
create function private.ask_to_confirm(listed public.newsletter_signups, customer uuid, wording text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
    times int;
  begin
    update private.newsletter_links l set
      confirmation_hash = sha256(convert_to(secret, 'UTF8')), mails_sent = l.mails_sent + 1, asked_at = now(),
      wording = ask_to_confirm.wording, customer_id = ask_to_confirm.customer, confirmed_at = null
    where l.signup_id = listed.id and l.mails_sent < 3 and (l.asked_at is null or l.asked_at < now() - interval '10 minutes')
    returning l.mails_sent into times;
    if not found then
      return;
    end if;
    update public.newsletter_signups s set confirmation_sent_at = now() where s.id = listed.id;
    perform private.queue_mail('newsletter-confirmation:' || listed.id || ':' || times, 'newsletter-confirmation', listed.email,
      jsonb_build_object('secret', secret, 'wording', ask_to_confirm.wording), true);
  end
  $$;
comment on function private.ask_to_confirm is 'Mails the link that confirms consent to marketing; does nothing once it was mailed often enough.';

-- The link of that mail. Using it twice is using it once; a month later, or after the address has left the list, it is unknown.
create function private.confirm_newsletter(secret text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    link private.newsletter_links;
    listed public.newsletter_signups;
  begin
    select * into link from private.newsletter_links l
    where l.confirmation_hash = sha256(convert_to(confirm_newsletter.secret, 'UTF8')) and l.asked_at > now() - interval '30 days' for update;
    select * into listed from public.newsletter_signups s where s.id = link.signup_id and s.unsubscribed_at is null;
    if listed.id is null then
      return false;
    elsif link.confirmed_at is null then
      perform private.confirm_consent(listed, link.customer_id, link.wording);
    end if;
    return true;
  end
  $$;
comment on function private.confirm_newsletter(text) is 'Gives the consent that was asked for; false when the link is not known.';

-- As in 20261121000912, with the mailbox asked first. Answers confirmed, pending, without_consent or unknown; the server function says
-- the same for all but the last.
create or replace function private.welcome_subscriber(email text, caller uuid, accepted_terms boolean, opted_in boolean) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    words constant text := 'Yes, mail me news and offers. I can stop at any time.';
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

    if (select c.is_given from public.marketing_consents c where c.email = listed_email order by c.id desc limit 1) then
      return 'confirmed';
    elsif owner_id is not null and private.has_verified_mailbox(owner_id) then
      perform private.confirm_consent(listed, owner_id, words);
      return 'confirmed';
    end if;
    perform private.ask_to_confirm(listed, owner_id, words);
    return 'pending';
  end
  $$;

-- The link that ends it, by its secret; by the signup's id only where a mail of before carries that.
create function private.unsubscribe_by_link(link text) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    return coalesce((
      select private.unsubscribe(l.signup_id) from private.newsletter_links l
      where l.unsubscribe = link or (l.honours_id and l.signup_id::text = link)), false);
  end
  $$;
comment on function private.unsubscribe_by_link(text) is 'False when the link is not known.';

-- The switch of the account page. An account whose mailbox is unverified consents to nothing in the name of an address and withdraws
-- only what it has said itself.
create or replace function private.write_consent(customer public.profiles, is_given boolean, wording text, source text default 'account page')
  returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_verified boolean := private.has_verified_mailbox(customer.id);
    listed public.newsletter_signups;
  begin
    if write_consent.is_given then
      insert into public.newsletter_signups (email, source, accepted_terms) values (customer.email, 'shop', true)
      on conflict on constraint email_already_signed_up do update
        set unsubscribed_at = case when is_verified then null else newsletter_signups.unsubscribed_at end
      returning * into listed;
      if is_verified then
        insert into public.marketing_consents (email, customer_id, is_given, source, wording)
        values (customer.email, customer.id, true, write_consent.source, write_consent.wording);
        update private.newsletter_links l set confirmed_at = now() where l.signup_id = listed.id;
      elsif listed.unsubscribed_at is null then
        perform private.ask_to_confirm(listed, customer.id, write_consent.wording);
      end if;
      return;
    end if;

    update private.newsletter_links l set confirmation_hash = null where l.customer_id = customer.id and l.confirmed_at is null;
    if not is_verified and not exists (select from public.marketing_consents c where c.customer_id = customer.id and c.is_given) then
      return;
    end if;
    insert into public.marketing_consents (email, customer_id, is_given, source, wording)
    values (customer.email, customer.id, false, write_consent.source, write_consent.wording);
    update public.newsletter_signups s set unsubscribed_at = coalesce(s.unsubscribed_at, now()) where s.email = lower(customer.email);
  end
  $$;

create or replace function public.marketing_consent() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(
      (select jsonb_build_object(
          -- The link in a mail ends it too, and says so on the list.
          'is_given', c.is_given and not exists (
            select from public.newsletter_signups s where s.email = c.email and s.unsubscribed_at > c.created_at),
          'wording', c.wording, 'changed_at', c.created_at)
        from public.marketing_consents c
        where c.customer_id = (select auth.uid()) and private.is_proven() order by c.id desc limit 1),
      jsonb_build_object('is_given', false, 'wording', null, 'changed_at', null))
      || jsonb_build_object('is_pending', exists (
        select from private.newsletter_links l
        where l.customer_id = (select auth.uid()) and l.confirmation_hash is not null and l.confirmed_at is null and private.is_proven()))
  $$;
comment on function public.marketing_consent() is
  'What the caller has agreed to, in which words and when, and whether the link that confirms it is still to be used.';

-- The list says who still has to confirm.
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
comment on view public.subscribers is 'Who asked for mail, and whether news may be sent: agreed, pending, not_asked, withdrew, unsubscribed.';
