-- Consent to marketing mail, as the law requires it to be kept.
--
-- Append only: each consent and withdrawal is a row with the wording shown, the place and the time. The newest row of an address
-- holds. Consent counts only for a verified mailbox: by a link in a mail, or by an account whose mailbox is verified.

-- Customers read their own rows, admins all. Not granted: insert. Rows come from record_consent() and the newsletter's links.
comment on table public.marketing_consents is 'Consents to marketing mail and their withdrawals. Append only.';
comment on column public.marketing_consents.is_given is 'True for consent, false for its withdrawal.';
comment on column public.marketing_consents.wording is 'The sentence shown beside the box or switch.';
comment on column public.marketing_consents.email is 'In lower case.';
comment on column public.marketing_consents.customer_id is
  'The account that spoke for the address; null for a signup without an account.';
comment on column public.marketing_consents.source is
  'Where it was given or withdrawn: a form, the account page, a link, or the shop on request.';
grant select on public.marketing_consents to authenticated, service_role;

create policy select_own on public.marketing_consents for select to authenticated
  using (customer_id = (select auth.uid()));

create policy select_as_admin on public.marketing_consents for select to authenticated
  using ((select private.is_admin()));

create policy all_with_aal2 on public.marketing_consents as restrictive for all to authenticated
  using ((select private.has_aal2()));

create or replace function public.set_marketing_consent(is_given boolean, wording text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    customer public.profiles;
  begin
    select * into customer from public.profiles p where p.id = (select auth.uid()) and p.email is not null and private.has_aal2();
    if not found then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    end if;
    perform private.record_consent(customer, set_marketing_consent.is_given, set_marketing_consent.wording);
    return public.marketing_consent();
  end
  $$;
comment on function public.set_marketing_consent is
  'Gives or withdraws the caller''s consent, with the wording shown. Returns marketing_consent(). Error: not_signed_in.';
grant execute on function public.set_marketing_consent to authenticated;

-- Security definer, because the links of the newsletter are private. It answers only about the caller.
create or replace function public.marketing_consent() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select private.consent_of(case when private.has_aal2() then auth.uid() end)
      || jsonb_build_object('is_pending', exists (
        select from private.newsletter_links l
        where l.customer_id = (select auth.uid()) and private.has_valid_confirmation(l) and l.confirmed_at is null and private.has_aal2()))
  $$;
comment on function public.marketing_consent is
  'The caller''s consent: {is_given, wording, changed_at, is_pending}; is_pending while a valid confirmation link is unused.';
grant execute on function public.marketing_consent to authenticated;

create or replace function private.consent_of(customer uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(
      (select jsonb_build_object(
          -- An unsubscribe link ends consent by setting unsubscribed_at.
          'is_given', c.is_given and not exists (
            select from public.newsletter_signups s where s.email = c.email and s.unsubscribed_at > c.created_at),
          'wording', c.wording, 'changed_at', c.created_at)
        from public.marketing_consents c
        where c.customer_id = consent_of.customer order by c.id desc limit 1),
      jsonb_build_object('is_given', false, 'wording', null, 'changed_at', null))
  $$;
comment on function private.consent_of is
  'The consent given with this account: {is_given, wording, changed_at}. Consents of the same address without the account are left out, because an address proves nothing.';

create or replace function private.agreed_consents(customer uuid) returns setof public.marketing_consents
  language sql stable
  set search_path = ''
  as $$
    select c.* from public.marketing_consents c
    where c.customer_id = agreed_consents.customer and c.is_given
      and not exists (select from public.marketing_consents later where later.email = c.email and later.id > c.id)
  $$;
comment on function private.agreed_consents is
  'Consents given with this account and not followed by another entry for their address. The address may be a former one, or that of a '
  'merged account.';

-- The switch of the account page. With an unverified mailbox, switching on mails a confirmation link first, and switching off
-- withdraws only consents of this account: an account must not speak for an address it may not own.
create or replace function private.record_consent(customer public.profiles, is_given boolean, wording text, source text default 'account page')
  returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    is_verified boolean := private.has_verified_mailbox(customer.id);
    listed public.newsletter_signups;
  begin
    if record_consent.is_given then
      insert into public.newsletter_signups (email, source, accepted_terms) values (customer.email, 'shop', true)
      on conflict on constraint email_already_signed_up do update
        set unsubscribed_at = case when is_verified then null else newsletter_signups.unsubscribed_at end
      returning * into listed;
      if is_verified then
        insert into public.marketing_consents (email, customer_id, is_given, source, wording)
        values (customer.email, customer.id, true, record_consent.source, record_consent.wording);
        update private.newsletter_links l set confirmed_at = now() where l.signup_id = listed.id;
      else
        perform private.request_newsletter_confirmation(listed, customer.id);
      end if;
      return;
    end if;

    update private.newsletter_links l set confirmation_hash = null where l.customer_id = customer.id and l.confirmed_at is null;
    with withdrawn as (
      insert into public.marketing_consents (email, customer_id, is_given, source, wording)
      select ended.email, customer.id, false, record_consent.source, record_consent.wording
      from (
        select c.email from private.agreed_consents(customer.id) c
        union select lower(customer.email) where is_verified) as ended
      returning email)
    update public.newsletter_signups s set unsubscribed_at = coalesce(s.unsubscribed_at, now())
    from withdrawn w where s.email = w.email;
  end
  $$;

-- Another person may read the former mailbox from now on, so it gets no more news. The consent applies to the new address, unless
-- that address has left the newsletter.
create or replace function private.move_consent() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    former public.subscribers;
  begin
    update private.newsletter_links l set confirmation_hash = null where l.customer_id = new.id and l.confirmed_at is null;
    select s.* into former from private.agreed_consents(new.id) c join public.subscribers s on s.email = c.email
    where c.email = lower(old.email) and s.consent = 'agreed';
    if not found then
      return null;
    end if;
    perform private.unsubscribe(former.id, new.id, 'change of e-mail address', 'My e-mail address has changed.');
    if new.email is not null and not exists (
      select from public.newsletter_signups s where s.email = lower(new.email) and s.unsubscribed_at is not null) then
      perform private.record_consent(new, true, former.wording, 'change of e-mail address');
    end if;
    return null;
  end
  $$;

create trigger move_consent after update of email on public.profiles
  for each row when (lower(old.email) is distinct from lower(new.email)) execute function private.move_consent();

-- Marketing is sent to signups that the view `subscribers` calls agreed, which is the only rule. Checked when a mail is queued, and
-- again when it is sent.
create or replace function private.accepts_marketing(signup_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.subscribers s where s.id = accepts_marketing.signup_id and s.consent = 'agreed')
  $$;
comment on function private.accepts_marketing is 'Whether marketing may be sent to this signup now.';

-- The only way to queue marketing. Templates get the signup's id and the secret of its unsubscribe link as props.
create or replace function private.queue_marketing_mail(key text, template text, listed public.newsletter_signups, props jsonb default '{}')
  returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    mail_id uuid;
  begin
    if not private.accepts_marketing(listed.id) then
      return null;
    end if;
    mail_id := private.queue_mail(key, template, listed.email,
      props || jsonb_build_object('signupId', listed.id, 'unsubscribeSecret', private.unsubscribe_secret(listed.id)));
    update public.mails m set signup_id = listed.id where m.id = mail_id and m.signup_id is null;
    return mail_id;
  end
  $$;
comment on function private.queue_marketing_mail is
  'Queues a marketing mail, once for each key, and returns its id; null for a signup that does not accept marketing.';
