-- Rate limits: leaky buckets in auth.rate_limits, shared by all processes of one database.
--
-- A bucket of `tries` attempts drains within `period_seconds`. A subject is an account, a mailbox or a network as returned by
-- networkOf(). Providers assign a site up to an IPv6 /48, which contains 65 536 /64 networks: an attempt of a /64 therefore
-- also counts for its /48, with 16 times the limit. That is enough for a company and too few to profit from changing networks.
-- Where 16 times the limit would be too much, callers pass siteOf() as the subject.
--
-- The process counts before it switches to the caller's role.
-- Not granted to the API roles: the functions that count, because a caller could exhaust the limits of another.

create function auth.site_of(subject text) returns text
  language sql immutable
  set search_path = ''
  as $$ select substring(subject from '^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::/64$') || ':/48' $$;

create function auth.tries_of_site(tries float8) returns float8
  language sql immutable
  set search_path = ''
  as $$ select tries * 16 $$;

-- A single statement prevents a race: two concurrent requests cannot both take the last attempt, because the second waits for
-- the row lock of the first. Security definer, like the functions below, because no caller has rights on the table.
create function auth.count_level(
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
    -- An attempt that the bucket of the /64 refuses must not count for the /48.
    if filled is not null and subject like '%::/64' and auth.site_of(subject) is not null
        and auth.count_level(bucket, auth.site_of(subject), auth.tries_of_site(tries), period_seconds, cost) is null then
      return null;
    end if;
    return filled;
  end
  $$;

-- For checks that count only failures. An empty bucket is not locked, so that successful callers do not wait for each other.
create function auth.has_try(bucket text, subject text, tries float8, period_seconds float8) returns boolean
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

create function auth.give_back_try(bucket text, subject text, cost float8 default 1) returns void
  language sql security definer
  set search_path = ''
  as $$
    update auth.rate_limits l set level = greatest(0, l.level - cost)
    where l.bucket = give_back_try.bucket and l.subject in (give_back_try.subject, auth.site_of(give_back_try.subject))
  $$;

create function auth.count_try(
  bucket text, subject text, tries float8, period_seconds float8, cost float8 default 1
) returns boolean
  language sql security definer
  set search_path = ''
  begin atomic select auth.count_level(bucket, subject, tries, period_seconds, cost) is not null; end;

create function auth.require_try(
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

-- Pure functions; every role may call them.
grant execute on function auth.site_of(text), auth.tries_of_site(float8) to public;

revoke execute on function
  auth.count_level(text, text, float8, float8, float8),
  auth.has_try(text, text, float8, float8),
  auth.give_back_try(text, text, float8),
  auth.count_try(text, text, float8, float8, float8),
  auth.require_try(text, text, float8, float8, text, float8)
  from public;
grant execute on function
  auth.count_level(text, text, float8, float8, float8),
  auth.has_try(text, text, float8, float8),
  auth.give_back_try(text, text, float8),
  auth.count_try(text, text, float8, float8, float8),
  auth.require_try(text, text, float8, float8, text, float8)
  to postgres;
grant execute on function auth.require_try(text, text, float8, float8, text, float8) to authenticator;

comment on function auth.site_of(text) is 'The /48 of an IPv6 /64; null for any other subject.';
comment on function auth.tries_of_site(float8) is 'The limit of a /48, given the limit of a /64.';
comment on function auth.count_level(text, text, float8, float8, float8) is
  'Adds the cost to a leaky bucket and returns its new level, or null when the bucket would overflow.';
comment on function auth.has_try(text, text, float8, float8) is
  'Whether the limit allows another attempt; locks the bucket until the transaction ends and does not count.';
comment on function auth.give_back_try(text, text, float8) is
  'Returns the cost of one attempt only, so that a correct guess between wrong ones does not reset the count.';
comment on function auth.count_try(text, text, float8, float8, float8) is
  'Counts an attempt; returns false when the limit is exceeded.';
comment on function auth.require_try(text, text, float8, float8, text, float8) is
  'Like count_try, but raises PT429 instead of returning false, so that the remaining statements of the pipeline do not run.';
