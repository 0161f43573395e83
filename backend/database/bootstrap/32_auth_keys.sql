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

  -- In one statement, so that two requests at once cannot both take the last try: the second waits for the first one's row.
  create or replace function auth.count_try(bucket text, subject text, tries float8, period_seconds float8) returns boolean
    language plpgsql security definer
    set search_path = ''
    as $$
    begin
      insert into auth.rate_limits as l (bucket, subject, level) values (count_try.bucket, count_try.subject, 1)
      on conflict on constraint rate_limits_pkey do update set
        level = greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) + 1,
        updated_at = now()
      where greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) + 1 <= tries;
      return found;
    end
    $$;
  comment on function auth.count_try is 'Counts a try; false when there were too many.';

  create or replace function auth.require_try(bucket text, subject text, tries float8, period_seconds float8, refusal text)
    returns void
    language plpgsql security definer
    set search_path = ''
    as $$
    begin
      if not auth.count_try(bucket, subject, tries, period_seconds) then
        raise exception using errcode = 'PT429', message = refusal, detail = 'too_many_sent';
      end if;
    end
    $$;
  comment on function auth.require_try is 'The same, and with too many whatever follows in the same message is not done.';

  -- The process asks before it becomes the caller. NOTE: no caller may, or anybody could use up the tries of another.
  revoke all on function auth.count_try, auth.require_try from public;
  grant usage on schema auth to authenticator;
  grant execute on function auth.require_try to authenticator;
  grant execute on function auth.count_try, auth.require_try to postgres;
end
$bootstrap$;
