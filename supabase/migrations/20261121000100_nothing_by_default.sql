-- Nothing is reachable unless a line below says so. The hosted product may grant new tables, sequences and functions of
-- public to the API roles by default (a setting of each project); PostgreSQL itself lets everybody execute new functions.
-- Both defaults go first, so that the same migrations mean the same everywhere. From here on each table, sequence and
-- function has its own grants, next to it.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

-- What the shop needs and no API caller may name. The API does not serve this schema; the roles may look into it only
-- because policies and constraints call functions in it, and those are granted one by one.
create schema private;
comment on schema private is 'Rules of the shop that no API call reaches directly.';
grant usage on schema private to anon, authenticated, service_role;
