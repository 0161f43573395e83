-- Returns the planner's row estimate of a select, so that the statement that reads a page counts exactly only when that is
-- cheap. The select is planned with the caller's rights and row-level security and does not run.

-- No search path, so that types and operators resolve as in the caller's select. Volatile, because PostgreSQL allows EXPLAIN in
-- volatile functions only.
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
  'The planner''s row estimate of a select; the template contains %L for each value.';
