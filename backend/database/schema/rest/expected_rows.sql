-- How many rows PostgreSQL's planner expects of a select.
--
-- A function, so that the statement that reads a page can ask first and then count only when counting is cheap. It plans as
-- the caller, under the caller's row-level security, and runs nothing.

-- No search path of its own: types and operators are the caller's, as when the select itself runs. Volatile, because
-- PostgreSQL explains nothing from inside any other function.
create function rest.expected_rows(template text, given text[]) returns bigint
  language plpgsql volatile
  as $$
  declare
    explained json;
  begin
    execute 'explain (format json) ' || pg_catalog.format(template, variadic given) into explained;
    return explained -> 0 -> 'Plan' ->> 'Plan Rows';
  end
  $$;

grant usage on schema rest to anon, authenticated, service_role;
grant execute on function rest.expected_rows(text, text[]) to public, anon, authenticated, service_role;

comment on function rest.expected_rows(text, text[]) is
  'Rows that the planner expects of a select; its values stand as %L in the template.';
