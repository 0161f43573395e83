-- Schemas, extensions and the publication: what a database has before any table.
--
-- Each block asks first whether the object exists and whether the user may change it, because on a hosted server most of
-- it is there and belongs to other roles, and stays as it is.

-- The API roles may look into public (their rights there are granted table by table) and into the schemas whose functions
-- policies call.
do $$
declare
  name text;
begin
  foreach name in array array['extensions', 'auth', 'storage', 'realtime', 'graphql_public', 'vault'] loop
    if to_regnamespace(name) is null then
      execute format('create schema %I', name);
    end if;
  end loop;

  foreach name in array array['public', 'extensions', 'auth', 'storage', 'realtime', 'graphql_public'] loop
    if pg_has_role((select nspowner from pg_namespace where nspname = name), 'usage') then
      execute format('grant usage on schema %I to anon, authenticated, service_role, postgres', name);
    end if;
  end loop;
end
$$;

-- The rights of the application's role, and the search path that its statements expect.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    grant all on schema public, extensions, supabase_migrations to postgres;
  end if;

  if pg_has_role((select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('alter database %I set search_path to "$user", public, extensions', current_database());
  end if;
end
$$;

-- Only the owner creates objects in public. That is the default since PostgreSQL 15; a database that was upgraded from an
-- older version may still carry the old grant.
do $$
begin
  if pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage') then
    revoke create on schema public from public;
  end if;
end
$$;

-- Extensions that applications written for the hosted product expect, in a schema of their own.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['pgcrypto', 'uuid-ossp', 'pg_stat_statements'] loop
    continue when exists (select from pg_extension where extname = wanted)
      or not exists (select from pg_available_extensions where name = wanted);
    begin
      execute format('create extension if not exists %I with schema extensions', wanted);
    exception
      when insufficient_privilege then
        raise notice 'The extension % stays out: the database user may not create it.', wanted;
    end;
  end loop;
end
$$;

-- The publication names the tables whose changes are announced. An application adds its own, which only the owner of the
-- publication may do.
do $$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    if (select rolsuper from pg_roles where rolname = current_user) then
      alter publication supabase_realtime owner to postgres;
    end if;
  end if;
end
$$;
