-- The secret that addresses of private files are signed with, shared by all processes. It is kept beside the other keys
-- and apart from them: whoever can sign such an address can sign nothing else with it.
do $bootstrap$
begin
  if to_regclass('auth.client_keys') is null
    or not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;
  alter table auth.client_keys drop constraint if exists client_keys_kind_check;
  alter table auth.client_keys add constraint client_keys_kind_check
    check (kind in ('publishable', 'secret', 'file_addresses'));
end
$bootstrap$;
