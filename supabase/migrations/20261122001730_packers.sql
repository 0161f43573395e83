-- One name for the second role: packer. "Helper" says nothing of the work, and code calls other things helpers. A packer makes, packs
-- and ships orders, answers messages and looks through photos (decision 0021).
--
-- Roles and entries of the log take the new name with the constraints that list it. User triggers are off meanwhile: a renaming is no
-- grant and no revocation, and the log refuses every other update.
alter table public.user_roles drop constraint unknown_role;
alter table public.user_roles disable trigger user;
update public.user_roles set role = 'packer' where role = 'helper';
alter table public.user_roles enable trigger user;
alter table public.user_roles add constraint unknown_role check (role in ('admin', 'packer', 'customer'));
comment on table public.user_roles is 'What a user may be: customer, packer, admin.';

alter table public.changes drop constraint unknown_actor;
alter table public.changes disable trigger user;
update public.changes set actor = 'packer' where actor = 'helper';
-- The undo of a grant writes what stood there before, so the rows that an entry holds are renamed too.
update public.changes set before = before || '{"role": "packer"}' where table_name = 'user_roles' and before ->> 'role' = 'helper';
update public.changes set after = after || '{"role": "packer"}' where table_name = 'user_roles' and after ->> 'role' = 'helper';
alter table public.changes enable trigger user;
alter table public.changes add constraint unknown_actor check (actor in ('admin', 'packer', 'account', 'secret key', 'server'));
comment on column public.changes.actor is 'An admin, a packer, another account, a caller with the secret key, or a command on the server.';

drop trigger record_grant on public.user_roles;
create trigger record_grant after insert or update on public.user_roles
  for each row when (new.role in ('admin', 'packer'))
  execute function private.record_change();
drop trigger record_revocation on public.user_roles;
create trigger record_revocation after delete on public.user_roles
  for each row when (old.role in ('admin', 'packer'))
  execute function private.record_change();

-- The functions that ask for the role by name. Nothing but the name changes in them.
create or replace function private.is_staff() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.holds_role(auth.jwt(), '{admin,packer}'); end $$;
comment on function private.is_staff() is 'Whether the caller is an admin or a packer, as of this statement, and has shown the second factor if there is one.';

create or replace function private.acting_as() returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return case
      when auth.uid() is not null and private.holds_role(auth.jwt(), '{admin,packer}') then
        case when private.is_admin() then 'admin' else 'packer' end
      when auth.role() = 'service_role' then 'secret key'
    end;
  end
  $$;

create or replace function private.works_here(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return exists (select from public.user_roles r where r.user_id = account and r.role in ('admin', 'packer'));
  end
  $$;
comment on function private.works_here(uuid) is 'Whether this account is an admin''s or a packer''s.';

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
comment on function private.staff_ids() is 'The accounts of admins and packers, for an admin; empty for every other caller.';

create or replace function public.must_add_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.user_roles r where r.user_id = auth.uid() and r.role in ('admin', 'packer'))
      and private.has_live_session(auth.jwt()) and not private.is_staff()
  $$;

create or replace function public.give_role(email text, role text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    person uuid;
  begin
    perform private.require_admin_at_the_keys();
    if give_role.role is null or give_role.role not in ('admin', 'packer') then
      raise exception 'the roles that can be given are admin and packer' using errcode = 'invalid_parameter_value';
    end if;
    select u.id into person from auth.users u
    where lower(u.email) = lower(btrim(give_role.email)) and u.deleted_at is null;
    if not found then
      perform private.refuse(404, 'account_not_found', 'Nobody has signed up with this e-mail address. They do that first, in the shop.');
    elsif not private.has_verified_mailbox(person) then
      perform private.refuse(409, 'mailbox_not_verified',
        'This account has not confirmed its e-mail address yet. Give the role once the link in a mail to it has been opened.');
    end if;
    insert into public.user_roles (user_id, role) values (person, give_role.role)
    on conflict on constraint same_role_twice do nothing;
    delete from public.user_roles r where r.user_id = person and r.role in ('admin', 'packer') and r.role <> give_role.role;
  end
  $$;
comment on function public.give_role(text, text) is
  'Makes the account with this address an admin or a packer; the other role, if it had it, ends.';

create or replace function public.take_role(account uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin_at_the_keys();
    delete from public.user_roles r where r.user_id = take_role.account and r.role in ('admin', 'packer');
  end
  $$;

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
