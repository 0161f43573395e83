-- The application's role owns the database, and thereby public, whose owner is pg_database_owner. It needs that before any
-- migration: the job queue creates its schema as this role. Only a superuser gives a database away; on a managed server it
-- belongs to the user that runs this.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user)
    and (select datdba from pg_database where datname = current_database()) <> 'postgres'::regrole then
    execute format('alter database %I owner to postgres', current_database());
  end if;
end
$$;
