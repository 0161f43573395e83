-- Who works in the shop is decided on the settings page: an admin gives an account a role, changes it, or takes it. The command on the
-- server (`npm run admin`) goes on doing the same, for the day on which no admin can come in (decision 0021).

-- The shop is never without somebody who may run it. This is asked of everybody: of admins, of the secret key, of the command on the
-- server, and of an account that is deleted. Accounts that were ended softly keep their row and count for nothing.
create function private.keep_an_admin() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op = 'UPDATE' and new.role = 'admin' and new.user_id = old.user_id then
      return new;
    end if;
    -- Two admins who dismiss each other at once may not both go; close_account() waits here as well.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    if not exists (
      select from public.user_roles r join auth.users u on u.id = r.user_id
      where r.role = 'admin' and r.user_id <> old.user_id and u.deleted_at is null
    ) then
      perform private.refuse(409, 'last_admin', 'This is the only administrator. Make somebody else one first.');
    end if;
    return case when tg_op = 'DELETE' then old else new end;
  end
  $$;
create trigger keep_an_admin before update or delete on public.user_roles
  for each row when (old.role = 'admin')
  execute function private.keep_an_admin();

-- A role opens the shop to somebody, so an open screen is not enough: it takes a proof from the last minutes, as closing an account does.
create function private.require_admin_at_the_keys() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    -- First the lock: whoever is dismissed while waiting for it dismisses nobody any more.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    perform private.require_admin();
    if not private.proved_recently('10 minutes') then
      perform private.refuse(403, 'not_proven_recently', 'Please prove once more that it is you.');
    end if;
  end
  $$;

-- An address that nobody has confirmed may be anybody's: whoever signed up with it first would come in under a colleague's name.
create function public.give_role(email text, role text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    person uuid;
  begin
    perform private.require_admin_at_the_keys();
    if give_role.role is null or give_role.role not in ('admin', 'helper') then
      raise exception 'the roles that can be given are admin and helper' using errcode = 'invalid_parameter_value';
    end if;
    select u.id into person from auth.users u
    where lower(u.email) = lower(btrim(give_role.email)) and u.email_confirmed_at is not null and u.deleted_at is null;
    if not found then
      perform private.refuse(404, 'account_not_found', 'Nobody has signed up with this e-mail address. They do that first, in the shop.');
    end if;
    insert into public.user_roles (user_id, role) values (person, give_role.role)
    on conflict on constraint same_role_twice do nothing;
    delete from public.user_roles r where r.user_id = person and r.role in ('admin', 'helper') and r.role <> give_role.role;
  end
  $$;
comment on function public.give_role(text, text) is
  'Makes whoever signed up with this address an admin or a helper; the other role, if they had it, ends.';
grant execute on function public.give_role(text, text) to authenticated;

create function public.take_role(account uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin_at_the_keys();
    delete from public.user_roles r where r.user_id = take_role.account and r.role in ('admin', 'helper');
  end
  $$;
comment on function public.take_role(uuid) is 'Whoever it is works here no more, from their next request on. Twice is once.';
grant execute on function public.take_role(uuid) to authenticated;

create function public.list_staff() returns table (id uuid, name text, email text, role text, since timestamptz, has_second_factor boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select p.id, coalesce(nullif(p.full_name, ''), p.email), p.email, r.role, r.created_at,
        exists (select from auth.mfa_factors f where f.user_id = p.id and f.status = 'verified')
      from public.user_roles r join public.profiles p on p.id = r.user_id
      where r.role in ('admin', 'helper') order by r.role, 2;
  end
  $$;
comment on function public.list_staff() is 'Who works here, as what and since when, and whether each has a second factor.';
grant execute on function public.list_staff() to authenticated;
