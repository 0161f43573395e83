-- Who is asking: policies read the caller from settings that live as long as the request's transaction. The claims
-- come as one JSON text (`request.jwt.claims`); the older one-setting-per-claim form still has precedence, as on the
-- hosted product. An unset setting reads as null or, once it was set in the session, as the empty string.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    raise notice 'Schema auth is kept by the server: its functions stay as they are.';
    return;
  end if;

  create or replace function auth.jwt() returns jsonb
    language sql stable
    as $$
      select coalesce(
        nullif(current_setting('request.jwt.claim', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')
      )::jsonb
    $$;
  comment on function auth.jwt() is 'All claims of the caller''s token; null outside a request.';

  create or replace function auth.uid() returns uuid
    language sql stable
    as $$
      select coalesce(
        nullif(current_setting('request.jwt.claim.sub', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
      )::uuid
    $$;
  comment on function auth.uid() is 'The signed-in user; null for a visitor.';

  create or replace function auth.role() returns text
    language sql stable
    as $$
      select coalesce(
        nullif(current_setting('request.jwt.claim.role', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
      )
    $$;
  comment on function auth.role() is 'The API role of the caller: anon, authenticated or service_role.';

  create or replace function auth.email() returns text
    language sql stable
    as $$
      select coalesce(
        nullif(current_setting('request.jwt.claim.email', true), ''),
        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
      )
    $$;
  comment on function auth.email() is 'The e-mail address in the caller''s token.';

  grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;
end
$bootstrap$;
