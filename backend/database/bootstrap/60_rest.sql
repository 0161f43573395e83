-- What the data service asks of its own: how many rows PostgreSQL's planner expects of a select. As a function, so that
-- the statement that reads a page can ask it first and then count only what is worth counting. It plans as the caller,
-- under the caller's row-level security, and runs nothing; no schema that is served holds it.
do $bootstrap$
begin
  if to_regnamespace('rest') is null then
    create schema rest;
  end if;
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'rest'), 'usage') then
    raise notice 'Schema rest is kept by the server: its function stays as it is.';
    return;
  end if;

  -- NOTE: no search path of its own: types and operators are the caller's, as they are when the select is run. Volatile,
  -- because PostgreSQL explains nothing from inside of any other function.
  create or replace function rest.expected_rows(template text, given text[]) returns bigint
    language plpgsql volatile
    as $$
    declare
      explained json;
    begin
      execute 'explain (format json) ' || pg_catalog.format(template, variadic given) into explained;
      return explained -> 0 -> 'Plan' ->> 'Plan Rows';
    end
    $$;
  comment on function rest.expected_rows(text, text[]) is
    'Rows that the planner expects of a select; its values stand as %L in the template.';

  grant usage on schema rest to anon, authenticated, service_role;
  grant execute on function rest.expected_rows(text, text[]) to anon, authenticated, service_role;
end
$bootstrap$;
