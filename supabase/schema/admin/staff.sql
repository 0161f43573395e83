-- Staff: roles and the second factor.
--
-- Every account has the role customer; admin or packer comes with another row, never both. Roles are granted to verified mailboxes
-- only, by an admin who has just proved their identity, or by `npm run admin` on the machine. One admin always remains.

-- Users read their own roles. Not granted to users: any write. grant_role() and revoke_role() check the caller.
comment on table public.user_roles is 'Roles of accounts: customer, packer or admin.';
comment on column public.user_roles.role is 'customer, packer or admin.';
grant select on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;

create policy select_own on public.user_roles for select to authenticated
  using (user_id = (select auth.uid()));

create policy all_with_aal2 on public.user_roles as restrictive for all to authenticated
  using ((select private.has_aal2()));

-- The last admin cannot be removed by any caller: an admin, the secret key, a command on the machine, or the deletion of the
-- account. Softly deleted accounts keep their row and do not count as admins.
create or replace function private.keep_last_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'UPDATE' and new.role = 'admin' and new.user_id = old.user_id then
      return new;
    end if;
    -- Without the lock, two admins could remove each other at once. close_account() takes the same lock.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    if not exists (
      select from public.user_roles r join auth.users u on u.id = r.user_id
      where r.role = 'admin' and r.user_id <> old.user_id and u.deleted_at is null
    ) then
      perform private.refuse(409, 'last_admin', 'This is the only administrator. Make another account an administrator first.');
    end if;
    return case when tg_op = 'DELETE' then old else new end;
  end
  $$;
comment on function private.keep_last_admin is 'Trigger: refuses the removal of the last admin.';

create trigger keep_last_admin before update or delete on public.user_roles
  for each row when (old.role = 'admin')
  execute function private.keep_last_admin();

-- An unverified account could belong to anyone who typed a colleague's address. The two errors differ, because the settings page
-- mails a link in the second case.
create or replace function public.grant_role(email text, role text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    person uuid;
  begin
    perform private.require_recent_admin();
    if grant_role.role is null or grant_role.role not in ('admin', 'packer') then
      raise exception 'unknown role, expected admin or packer' using errcode = 'invalid_parameter_value';
    end if;
    select u.id into person from auth.users u
    where lower(u.email) = lower(btrim(grant_role.email)) and u.deleted_at is null;
    if not found then
      perform private.refuse(404, 'account_not_found', 'There is no account with this e-mail address. Its owner must sign up in the shop first.');
    elsif not private.has_verified_mailbox(person) then
      perform private.refuse(409, 'mailbox_not_verified',
        'This account has not confirmed its e-mail address yet. Its owner must open the link in a confirmation e-mail first.');
    end if;
    insert into public.user_roles (user_id, role) values (person, grant_role.role)
    on conflict on constraint same_role_twice do nothing;
    delete from public.user_roles r where r.user_id = person and r.role in ('admin', 'packer') and r.role <> grant_role.role;
  end
  $$;
comment on function public.grant_role is
  'Grants the role admin or packer to the account with this address and ends the other one. Idempotent. Errors: not_proven_recently, account_not_found, mailbox_not_verified, last_admin.';
grant execute on function public.grant_role to authenticated;

create or replace function public.revoke_role(account uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_recent_admin();
    delete from public.user_roles r where r.user_id = revoke_role.account and r.role in ('admin', 'packer');
  end
  $$;
comment on function public.revoke_role is 'Revokes admin and packer of an account, effective with its next request. Idempotent. Errors: not_proven_recently, last_admin.';
grant execute on function public.revoke_role to authenticated;

create or replace function public.list_staff()
  returns table (id uuid, name text, email text, role text, since timestamptz, has_second_factor boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select p.id, coalesce(nullif(p.full_name, ''), p.email), p.email, r.role, r.created_at,
        exists (select from auth.mfa_factors f where f.user_id = p.id and f.status = 'verified')
      from public.user_roles r join public.profiles p on p.id = r.user_id
      where r.role in ('admin', 'packer') order by r.role, 2;
  end
  $$;
comment on function public.list_staff is 'Admins and packers with role, since when, and whether they have a second factor. Admins only.';
grant execute on function public.list_staff to authenticated;

-- Staff are not clients, so lists and figures of clients leave them out. Users may read only their own roles, hence a function; the
-- planner calls it once for a statement.
create or replace function private.staff_ids() returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      return '{}';
    end if;
    return array(select distinct r.user_id from public.user_roles r where r.role in ('admin', 'packer'));
  end
  $$;
comment on function private.staff_ids is 'Accounts of admins and packers, for admins; empty for every other caller.';
grant execute on function private.staff_ids to authenticated;

-- The admin area leads such a person to enrolment instead of showing empty lists.
create or replace function public.must_add_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.user_roles r where r.user_id = auth.uid() and r.role in ('admin', 'packer'))
      and private.has_live_session(auth.jwt()) and not private.is_staff()
  $$;
comment on function public.must_add_second_factor is 'Whether the caller has a staff role and lacks only the second factor.';
grant execute on function public.must_add_second_factor to authenticated;

-- For the settings page.
create or replace function public.second_factor_rule() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (select jsonb_build_object('is_required', private.requires_second_factor(), 'is_public_address', r.is_public_address)
      from private.shop_rules r);
  end
  $$;
comment on function public.second_factor_rule is '{is_required, is_public_address}. Admins only.';
grant execute on function public.second_factor_rule to authenticated;

-- An admin without a second factor who requires one of all staff would lock themselves out first.
create or replace function private.guard_second_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and private.session_level(auth.jwt()) is distinct from 'aal2' then
      perform private.refuse(409, 'no_second_factor', 'Add a second step to your own sign-in first. Then you can require it of all staff.');
    end if;
    return new;
  end
  $$;
comment on function private.guard_second_factor is
  'Trigger: refuses to require a second factor without having shown one.';

-- Also fires when the setting leaves its default (null) for true.
create trigger guard_second_factor before update on public.shop_settings
  for each row when (new.requires_second_factor and old.requires_second_factor is distinct from true)
  execute function private.guard_second_factor();

-- The name of an account as the caller may read it. A function, because under row level security a comparison with a cast cannot
-- use an index: the failure of a cast could reveal hidden rows.
create or replace function private.display_name(person uuid) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return (select coalesce(p.full_name, p.email) from public.profiles p where p.id = person);
  end
  $$;
comment on function private.display_name is 'Name or address of an account, as far as the caller may read it.';
grant execute on function private.display_name to authenticated, service_role;
