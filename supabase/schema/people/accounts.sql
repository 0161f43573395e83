-- Accounts: profile, verified mailbox.
--
-- auth.users belongs to the auth service; triggers on it keep profiles in step. A verified mailbox is a fact of its own, apart
-- from "may sign in": only an account that followed a mailed link, or typed a mailed code, of its present address has one
-- (decision 0024). A role, and data that belongs to an address, go to verified mailboxes only.

-- Customers read and change their own profile; admins all. Packers read the profiles of colleagues, for the names beside notes.
-- Not granted: insert and delete (the account decides), update of the e-mail address (the auth service changes it).
comment on table public.profiles is 'Name, phone and address of each account.';
comment on column public.profiles.email is 'Copy of the account''s address. Follows auth.users.';
comment on column public.profiles.address is
  'Delivery address that the checkout suggests, with city, state and zip_code.';
comment on column public.profiles.state is 'Province.';
grant select on public.profiles to authenticated, service_role;
grant update (full_name, phone, address, city, state, zip_code) on public.profiles to authenticated, service_role;

create policy select_own on public.profiles for select to authenticated
  using (id = (select auth.uid()));

create policy select_as_admin on public.profiles for select to authenticated
  using ((select true where private.is_admin()) is not null);

create policy update_own on public.profiles for update to authenticated
  using (id = (select auth.uid()))
  with check (id = (select auth.uid()));

create policy update_as_admin on public.profiles for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy all_with_aal2 on public.profiles as restrictive for all to authenticated
  using ((select true where private.has_aal2()) is not null);

create policy select_colleagues_as_staff on public.profiles for select to authenticated
  using ((select private.is_staff() and not private.is_admin()) and private.is_staff_account(id));

-- Creates profile and role in the transaction of the sign-up. The name comes from metadata that the client writes, so it is cut to
-- what the profile accepts instead of failing the sign-up.
create or replace function private.welcome_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.profiles (id, email, full_name)
    values (
      new.id,
      case when private.is_email(new.email) then new.email end,
      nullif(btrim(left(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]', ' ', 'g'), 100)), '')
    );
    insert into public.user_roles (user_id, role) values (new.id, 'customer');
    return null;
  end
  $$;

create trigger welcome_user after insert on auth.users
  for each row execute function private.welcome_user();

-- Keeps the copy of the address current.
create or replace function private.sync_profile_email() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.profiles set email = case when private.is_email(new.email) then new.email end where id = new.id;
    return null;
  end
  $$;

create trigger sync_profile_email after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.sync_profile_email();

-- Reads auth.mailbox_proofs. On a hosted backend that table does not exist; there every confirmed address was confirmed by mail.
create or replace function private.has_verified_mailbox(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if to_regprocedure('auth.has_proven_mailbox(uuid)') is null then
      return exists (select from auth.users u where u.id = account and u.email_confirmed_at is not null);
    end if;
    return auth.has_proven_mailbox(account);
  end
  $$;
comment on function private.has_verified_mailbox(uuid) is
  'Whether the account has verified the mailbox of its present address.';

-- For the account page, which offers to mail the link again. The account's metadata cannot answer this: customers may write it,
-- and it survives a change of the address.
create or replace function public.has_verified_mailbox() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    return private.has_verified_mailbox(auth.uid());
  end
  $$;
comment on function public.has_verified_mailbox() is
  'Whether the caller''s account has verified the mailbox of its present address.';
grant execute on function public.has_verified_mailbox() to authenticated, service_role;

-- The only lookup by which data of an address may reach an account.
create or replace function private.verified_account_of(email text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      select p.id from public.profiles p
      where lower(p.email) = lower(btrim(verified_account_of.email)) and private.has_verified_mailbox(p.id) limit 1);
  end
  $$;
comment on function private.verified_account_of is
  'The account with this address and a verified mailbox, or null.';

-- The owner of a mailbox took over an unverified sign-up with its address. What the stranger typed into the profile is cleared.
-- Orders with exactly this e-mail address stay, because their mails went to this mailbox anyway; other orders lose their
-- account. The cart stays: it names no person.
create or replace function private.clear_replaced_sign_up() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.orders o where o.customer_id = new.user_id and o.placed_at is null;
    update public.orders o set customer_id = null
    where o.customer_id = new.user_id and lower(o.customer_email) is distinct from new.email;
    update public.profiles p set phone = null, address = null, city = null, state = null, zip_code = null,
      full_name = (
        select nullif(btrim(left(regexp_replace(coalesce(u.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]', ' ', 'g'), 100)), '')
        from auth.users u where u.id = new.user_id)
    where p.id = new.user_id;
    return null;
  end
  $$;

create trigger clear_replaced_sign_up after insert on auth.mailbox_proofs
  for each row when (new.replaced_sign_up) execute function private.clear_replaced_sign_up();

-- Stores e-mail addresses in lower case, so that comparisons and unique constraints ignore case.
create or replace function private.lower_case_email() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.email := lower(btrim(new.email));
    return new;
  end
  $$;

create trigger lower_case_email before insert or update of email on public.newsletter_signups
  for each row execute function private.lower_case_email();
create trigger lower_case_email before insert on public.marketing_consents
  for each row execute function private.lower_case_email();
