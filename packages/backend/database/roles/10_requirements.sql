-- Checks the rights of the database user before anything changes, so that an unsuitable server fails with one sentence instead
-- of an error half-way.
--
-- Three kinds of users work: the superuser of the embedded server, a superuser of another server, and a plain owner
-- (CREATEROLE and BYPASSRLS) of a managed server. On the hosted product, the roles and schemas exist already.
do $$
declare
  me pg_roles;
begin
  select * into me from pg_roles where rolname = current_user;
  if me.rolsuper then
    return;
  end if;

  if current_setting('server_version_num')::int < 150000 then
    raise exception 'The database server is PostgreSQL %: version 15 or newer is required (tested with 17).',
      current_setting('server_version');
  end if;

  if not me.rolbypassrls then
    raise exception 'The database user "%" must have BYPASSRLS: ask the server''s administrator for "alter role % bypassrls".',
      current_user, quote_ident(current_user);
  end if;

  if not me.rolcreaterole
    and (select count(*) from pg_roles where rolname in ('anon', 'authenticated', 'service_role', 'authenticator')) < 4 then
    raise exception 'The roles anon, authenticated, service_role and authenticator are missing and the database user "%" may not create them: ask the server''s administrator for "alter role % createrole".',
      current_user, quote_ident(current_user);
  end if;

  if not has_database_privilege(current_database(), 'create') then
    raise exception 'The database user "%" may not create schemas in "%": ask for "grant create on database % to %".',
      current_user, current_database(), quote_ident(current_database()), quote_ident(current_user);
  end if;
end
$$;
