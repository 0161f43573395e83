-- Rights on everything in schema auth, whichever file made it: RLS on, nothing for the API roles, everything for the
-- application's role (foreign keys and triggers on auth.users need it).
do $bootstrap$
declare
  relation regclass;
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;

  for relation in
    select oid::regclass from pg_class where relnamespace = 'auth'::regnamespace and relkind = 'r' and not relrowsecurity
  loop
    execute format('alter table %s enable row level security', relation);
  end loop;

  revoke all on all tables in schema auth from public, anon, authenticated, service_role;
  grant all on all tables in schema auth to postgres;
  grant all on all sequences in schema auth to postgres;
end
$bootstrap$;
