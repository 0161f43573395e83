-- Grants on the functions that read the caller's claims. Every role may call them, because a policy runs as the role that it
-- restricts. Their bodies are in migrations/0002_auth.sql.
grant execute on function auth.jwt(), auth.uid(), auth.role(), auth.email() to public;

comment on function auth.jwt() is 'All claims of the caller''s token; null outside a request.';
comment on function auth.uid() is 'The signed-in user; null for a visitor.';
comment on function auth.role() is 'The API role of the caller: anon, authenticated or service_role.';
comment on function auth.email() is 'The e-mail address in the caller''s token.';
