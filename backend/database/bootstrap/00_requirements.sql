-- What the rest of the bootstrap needs from the user it runs as, asked first, so that a server that cannot be
-- used says so in one sentence instead of failing somewhere in the middle.
--
-- Three kinds of user are served: the superuser of the embedded server, a superuser of somebody else's server, and
-- a plain owner (CREATEROLE and BYPASSRLS) of a managed one. On the hosted product everything exists already
-- and each of the following files finds nothing to do.
do $$
declare
  me pg_roles;
begin
  select * into me from pg_roles where rolname = current_user;
  if me.rolsuper then
    return;
  end if;

  if current_setting('server_version_num')::int < 150000 then
    raise exception 'The database server is PostgreSQL %: version 15 or newer is needed (17 is what is tested).',
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
