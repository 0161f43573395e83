-- Makes the application's role the owner of the database and thereby of public, whose owner is pg_database_owner. This must
-- precede all migrations, because the job queue creates its schema as this role. Only a superuser can transfer a database; on a
-- managed server, it belongs to the user that runs this file.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user)
    and (select datdba from pg_database where datname = current_database()) <> 'postgres'::regrole then
    execute format('alter database %I owner to postgres', current_database());
  end if;
end
$$;
