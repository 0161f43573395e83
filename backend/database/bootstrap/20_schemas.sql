-- Schemas, and the extensions in a schema of their own. A schema that exists belongs to whoever made it and is left
-- alone; the API roles may look into public (their rights there are granted table by table) and into the schemas
-- whose functions policies call.
do $$
declare
  name text;
begin
  foreach name in array array['extensions', 'auth', 'storage', 'realtime', 'graphql_public', 'vault', 'supabase_migrations'] loop
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

-- The application's role owns the database, hence public (its owner is pg_database_owner) and its default path.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    execute format('alter database %I owner to postgres', current_database());
    grant all on schema public, extensions, supabase_migrations to postgres;
  end if;

  if pg_has_role((select datdba from pg_database where datname = current_database()), 'usage') then
    execute format('alter database %I set search_path to "$user", public, extensions', current_database());
  end if;
end
$$;

-- NOTE: public is not for everybody to build in. Since PostgreSQL 15 that is the default; a database that was upgraded
-- from an older one may still carry the old grant.
do $$
begin
  if pg_has_role((select nspowner from pg_namespace where nspname = 'public'), 'usage') then
    revoke create on schema public from public;
  end if;
end
$$;

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

-- The history that `supabase db push` reads and writes too, so that both see the same migrations.
do $$
begin
  if pg_has_role((select nspowner from pg_namespace where nspname = 'supabase_migrations'), 'usage')
    or has_schema_privilege('supabase_migrations', 'create') then
    create table if not exists supabase_migrations.schema_migrations (
      version    text primary key,
      statements text[],
      name       text
    );
    grant all on supabase_migrations.schema_migrations to postgres;
  end if;
end
$$;
