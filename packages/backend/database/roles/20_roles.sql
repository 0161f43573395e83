-- Roles. Requests connect as `authenticator`, which may switch to one of the three API roles within a transaction. `postgres`
-- owns the application's schema and is deliberately not a superuser, as on the hosted product: a statement that needs a
-- superuser must fail in development, not first in production.
--
-- All databases of a server share its roles, and several may be prepared concurrently. The lock lets the processes of one database
-- take turns; the handler is for a role that a process of another one has just created, and `changeRoles` repeats these files when
-- both changed the same role. Every start runs them, because a database may have been restored on a server without the roles.
--
-- On a server that other applications share, the user that runs this file owns the schema instead of `postgres`, which is then
-- only a name for grants.
do $$
declare
  is_superuser boolean := (select rolsuper from pg_roles where rolname = current_user);
  wanted record;
begin
  perform pg_advisory_xact_lock(hashtext('roles'));

  for wanted in
    select * from (values
      ('anon', 'nologin noinherit'),
      ('authenticated', 'nologin noinherit'),
      ('service_role', 'nologin noinherit bypassrls'),
      ('authenticator', 'login noinherit'),
      ('postgres', case when is_superuser then 'login createrole createdb bypassrls' else 'nologin' end),
      ('supabase_admin', 'nologin noinherit'),
      ('supabase_auth_admin', 'nologin noinherit'),
      ('supabase_storage_admin', 'nologin noinherit'),
      ('supabase_realtime_admin', 'nologin noinherit'),
      ('dashboard_user', 'nologin')
    ) as roles (name, attributes)
  loop
    if not exists (select from pg_roles where rolname = wanted.name) then
      begin
        execute format('create role %I %s', wanted.name, wanted.attributes);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'The role "%" is missing and "%" may not create it: ask the server''s administrator for "create role % %".',
            wanted.name, current_user, quote_ident(wanted.name), wanted.attributes;
      end;
    end if;
  end loop;
end
$$;

-- Live updates use logical replication; only a superuser may grant the attribute.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user)
    and not (select rolreplication from pg_roles where rolname = 'postgres') then
    alter role postgres replication;
  end if;
end
$$;

-- Memberships. Only missing ones are granted: a managed server refuses to repeat grants of its administrator. In PostgreSQL 16
-- and newer, the creator of a role is a member without the right to switch to it, so the check uses `set`.
do $$
declare
  become text := case when current_setting('server_version_num')::int >= 160000 then 'set' else 'member' end;
  membership record;
begin
  perform pg_advisory_xact_lock(hashtext('roles'));

  for membership in
    select granted, member
    from unnest(array['anon', 'authenticated', 'service_role']) as granted,
      unnest(array['authenticator', 'postgres', current_user::text]) as member
    union
    select 'authenticator', unnest(array['postgres', current_user::text])
  loop
    continue when membership.granted = membership.member or pg_has_role(membership.member, membership.granted, become);
    begin
      execute format('grant %I to %I', membership.granted, membership.member);
    exception
      when insufficient_privilege then
        raise exception 'The database user "%" may not let "%" become "%": ask the server''s administrator for "grant % to %".',
          current_user, membership.member, membership.granted, quote_ident(membership.granted), quote_ident(membership.member);
    end;
  end loop;
end
$$;

-- Timeouts of the API roles, so that one slow query cannot occupy the server. The values are those of the hosted product.
do $$
begin
  perform pg_advisory_xact_lock(hashtext('roles'));

  if not exists (
    select from pg_db_role_setting s join pg_roles r on r.oid = s.setrole
    where r.rolname = 'anon' and s.setconfig::text like '%statement_timeout%'
  ) then
    alter role anon set statement_timeout = '3s';
    alter role authenticated set statement_timeout = '8s';
    alter role authenticator set statement_timeout = '8s';
    alter role authenticator set lock_timeout = '8s';
  end if;
exception
  when insufficient_privilege then
    raise notice 'The statement timeouts of anon and authenticated were not changed: the database user lacks the right.';
end
$$;
