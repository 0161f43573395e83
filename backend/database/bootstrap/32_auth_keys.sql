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

  -- Counting takes a cost, because one call may write several rows. The functions without one are dropped: a default would make
  -- calls of both ambiguous.
  drop function if exists auth.count_try(text, text, float8, float8);
  drop function if exists auth.require_try(text, text, float8, float8, text);

  -- Providers give a site up to an IPv6 /48, which is 65 536 networks of a /64. A try of a /64 therefore also counts for its /48, which
  -- has room for 16 times as many: enough for a company, too few to gain by changing networks. This file is the one place that knows;
  -- callers pass the /64 as networkOf() writes it.
  create or replace function auth.site_of(subject text) returns text
    language sql immutable
    set search_path = ''
    as $$ select substring(subject from '^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::/64$') || ':/48' $$;
  comment on function auth.site_of is 'The /48 of an IPv6 /64; null for any other subject.';

  create or replace function auth.tries_of_site(tries float8) returns float8
    language sql immutable
    set search_path = ''
    as $$ select tries * 16 $$;
  comment on function auth.tries_of_site is 'The room of a /48, for the tries that a /64 has.';

  -- In one statement, so that two requests at once cannot both take the last try: the second waits for the first one's row.
  create or replace function auth.count_level(
    bucket text, subject text, tries float8, period_seconds float8, cost float8 default 1
  ) returns float8
    language plpgsql security definer
    set search_path = ''
    as $$
    declare
      filled float8;
    begin
      if cost > tries then
        return null;
      end if;
      insert into auth.rate_limits as l (bucket, subject, level) values (count_level.bucket, count_level.subject, cost)
      on conflict on constraint rate_limits_pkey do update set
        level = greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) + cost,
        updated_at = now()
      where greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) + cost <= tries
      returning l.level into filled;
      -- What the first bucket refuses may not fill the second.
      if filled is not null and subject like '%::/64' and auth.site_of(subject) is not null
          and auth.count_level(bucket, auth.site_of(subject), auth.tries_of_site(tries), period_seconds, cost) is null then
        return null;
      end if;
      return filled;
    end
    $$;
  comment on function auth.count_level is
    'Adds the cost to a leaky bucket and returns its new level, or null when the bucket would overflow.';

  -- For a question that costs a try only if its answer is no. A bucket that has never been filled is not locked, so that people who
  -- ask rightly do not wait for each other.
  create or replace function auth.has_try(bucket text, subject text, tries float8, period_seconds float8) returns boolean
    language plpgsql security definer
    set search_path = ''
    as $$
    declare
      filled float8;
    begin
      select greatest(0, l.level - extract(epoch from now() - l.updated_at) * tries / period_seconds) into filled
        from auth.rate_limits l where l.bucket = has_try.bucket and l.subject = has_try.subject and l.level > 0 for update;
      if filled > tries - 1 then
        return false;
      end if;
      return auth.site_of(subject) is null
        or auth.has_try(bucket, auth.site_of(subject), auth.tries_of_site(tries), period_seconds);
    end
    $$;
  comment on function auth.has_try is 'Whether a try would be counted; locks the bucket until the transaction ends, and counts nothing.';

  create or replace function auth.give_back_try(bucket text, subject text, cost float8 default 1) returns void
    language sql security definer
    set search_path = ''
    as $$
      update auth.rate_limits l set level = greatest(0, l.level - cost)
      where l.bucket = give_back_try.bucket and l.subject in (give_back_try.subject, auth.site_of(give_back_try.subject))
    $$;
  comment on function auth.give_back_try is 'Takes the cost of one try back, and not all: a right guess between wrong ones does not reset the count.';

  create or replace function auth.count_try(
    bucket text, subject text, tries float8, period_seconds float8, cost float8 default 1
  ) returns boolean
    language sql security definer
    set search_path = ''
    begin atomic select auth.count_level(bucket, subject, tries, period_seconds, cost) is not null; end;
  comment on function auth.count_try is 'Counts a try; false when there were too many.';

  create or replace function auth.require_try(
    bucket text, subject text, tries float8, period_seconds float8, refusal text, cost float8 default 1
  ) returns void
    language plpgsql security definer
    set search_path = ''
    as $$
    begin
      if not auth.count_try(bucket, subject, tries, period_seconds, cost) then
        raise exception using errcode = 'PT429', message = refusal, detail = 'too_many_sent';
      end if;
    end
    $$;
  comment on function auth.require_try is 'Like count_try; raises PT429 instead of returning false, so that the rest of the message is not run.';

  -- The subject of every limit on mail to one recipient: victim+1@gmail.com and v.ictim@gmail.com reach the mailbox of victim@gmail.com,
  -- so a limit by the typed address alone would not hold. For counting only: an account is known by its whole address. Everybody may
  -- call it, because indexes use it and a visitor's insert keeps them up to date.
  create or replace function auth.mailbox_of(address text) returns text
    language sql immutable parallel safe
    begin atomic
      select case
          when parts[2] in ('gmail.com', 'googlemail.com') then replace(parts[1], '.', '') || '@gmail.com'
          else coalesce(parts[1] || '@' || parts[2], lower(btrim(address)))
        end
      from regexp_match(lower(btrim(address)), '^(.[^+]*).*@([^@]*)$') as parts;
    end;
  comment on function auth.mailbox_of is
    'The mailbox that an address reaches, for counting mails: without its +tag; without its dots at Gmail.';
  grant execute on function auth.mailbox_of to public;

  -- The process asks before it becomes the caller. NOTE: no caller may, or anybody could use up the tries of another.
  revoke all on function auth.count_level, auth.count_try, auth.require_try, auth.has_try, auth.give_back_try from public;
  grant usage on schema auth to authenticator;
  grant execute on function auth.require_try to authenticator;
  grant execute on function auth.count_level, auth.count_try, auth.require_try, auth.has_try, auth.give_back_try to postgres;
end
$bootstrap$;
