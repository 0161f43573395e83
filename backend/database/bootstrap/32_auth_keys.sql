-- What the auth service must share between the processes that serve one database: keys, and how often somebody has
-- tried. Not on the hosted product, which keeps both outside the database.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    raise notice 'Schema auth is kept by the server: no keys are stored in it.';
    return;
  end if;

  -- Access tokens are signed with the one key that is not retired. A retired key stays as long as tokens signed with
  -- it may be in use; the row's end is the service's business.
  create table if not exists auth.signing_keys (
    kid         text primary key,
    private_jwk jsonb not null,
    created_at  timestamptz not null default now(),
    retired_at  timestamptz
  );
  comment on table auth.signing_keys is 'ES256 keys for access tokens; the public halves are published as JWKS.';
  create unique index if not exists signing_keys_one_active on auth.signing_keys ((true)) where retired_at is null;

  create table if not exists auth.client_keys (
    kind       text primary key check (kind in ('publishable', 'secret')),
    key        text not null,
    created_at timestamptz not null default now()
  );
  comment on table auth.client_keys is 'The keys that clients name themselves with: one for browsers, one for servers.';

  -- A leaky bucket for each subject: `level` drains with time and every try adds one. Losing the table in a crash would
  -- only forget tries, so it is spared the write-ahead log.
  create unlogged table if not exists auth.rate_limits (
    bucket     text not null,
    subject    text not null,
    level      double precision not null,
    updated_at timestamptz not null default now(),
    primary key (bucket, subject)
  );
  comment on table auth.rate_limits is 'How often an address or an account has tried something of late.';
  create index if not exists rate_limits_updated_at_idx on auth.rate_limits (updated_at);
end
$bootstrap$;
