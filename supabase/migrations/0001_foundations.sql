-- Nothing is reachable unless a grant says so. A hosted project may grant new tables, sequences and functions of
-- `public` to the API roles by default, and PostgreSQL itself lets every role execute new functions. Both defaults are
-- removed first, so that the same files mean the same on every server.
alter default privileges in schema public revoke all on tables from anon, authenticated, service_role;
alter default privileges in schema public revoke all on sequences from anon, authenticated, service_role;
alter default privileges in schema public revoke all on functions from anon, authenticated, service_role;
alter default privileges revoke execute on functions from public;

-- The shop's rules live in a schema that the API does not serve. The API roles may use it only because policies and
-- constraints call functions in it; each of these functions is granted by itself.
create schema private;
comment on schema private is 'Rules of the shop that no API call reaches directly.';
grant usage on schema private to anon, authenticated, service_role;

-- Search by similar spelling: trigrams and edit distance.
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

-- The functions of this file are versioned, because constraints and indexes of later files use them, or because data changes may.

-- An expected error has the HTTP status in its SQLSTATE (PT409 → 409), a sentence for people in the message, a reason for programs
-- in the detail (docs/error-codes.md) and optional facts as JSON in the hint: which line is sold out, what the total is now.
create function private.refuse(http_status int, reason text, message text, facts jsonb default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if facts is null then
      raise exception using errcode = 'PT' || http_status, message = message, detail = reason;
    end if;
    raise exception using errcode = 'PT' || http_status, message = message, detail = reason, hint = facts::text;
  end
  $$;
comment on function private.refuse is
  'Raises an expected error: HTTP status, reason, message for people, and optional facts.';

-- A pasted line break or a run of spaces becomes one space; an empty line becomes null.
create function private.normalise_line(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$ begin return nullif(btrim(regexp_replace(value, '[[:space:][:cntrl:]]+', ' ', 'g')), ''); end $$;

-- Checks that run for each row are PL/pgSQL. PostgreSQL plans an SQL function anew for each call unless it can inline it, which a
-- fixed search_path prevents; planning took two thirds of the time of an order.
create function private.is_line(value text, at_least int, at_most int) returns boolean
  language plpgsql immutable
  set search_path = ''
  as $$ begin return value !~ '[[:cntrl:]]' and length(btrim(value)) >= at_least and length(value) <= at_most; end $$;
comment on function private.is_line is 'Whether a text is one line within the two lengths. Null for null, which passes a constraint.';
grant execute on function private.is_line to anon, authenticated, service_role;

create function private.is_email(value text) returns boolean
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return length(value) <= 255
      and value ~ '^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;.\\[\]]{2,}$'
      and value !~ '[[:cntrl:]]';
  end
  $$;
comment on function private.is_email is
  'Whether a text has the form of one e-mail address. Only a mail can prove more.';
grant execute on function private.is_email to anon, authenticated, service_role;

create function private.is_link(value text) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select value = '' or (length(value) <= 2048 and value ~ '^(https?://|/)[^\s"<>\\]*$') $$;
comment on function private.is_link is 'Whether a text is a web address or a path of this server; javascript: and data: are not.';
grant execute on function private.is_link to anon, authenticated, service_role;

-- Limits for each customer compare mailboxes: victim+1@example.com is victim@example.com.
create function private.normalise_email(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$ begin return case when value like '%@%' then auth.mailbox_of(value) end; end $$;
grant execute on function private.normalise_email to anon, authenticated, service_role;

-- South African numbers in one form: 082 123 4567, 0027 82… and +27 82… become +2782….
create function private.normalise_phone(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    digits text := regexp_replace(value, '\D', '', 'g');
  begin
    return case
      when digits = '' then null
      when digits ~ '^(00)?270?[1-9]\d{8}$' then '+27' || right(digits, 9)
      when digits ~ '^0[1-9]\d{8}$' then '+27' || right(digits, 9)
      else '+' || regexp_replace(digits, '^00', '')
    end;
  end
  $$;
grant execute on function private.normalise_phone to anon, authenticated, service_role;

create function private.are_links(urls text[]) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select coalesce(bool_and(url <> '' and private.is_link(url)), true) from unnest(urls) as url $$;
grant execute on function private.are_links to anon, authenticated, service_role;

-- The pictures of a product: [{"url", "alt"}].
create function private.are_pictures(pictures jsonb) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_typeof(pictures) = 'array' and not exists (
      select from jsonb_array_elements(case jsonb_typeof(pictures) when 'array' then pictures else '[]' end) as picture
      where jsonb_typeof(picture) <> 'object'
        or coalesce(picture ->> 'url', '') = '' or not private.is_link(picture ->> 'url')
        or not coalesce(private.is_line(picture ->> 'alt', 0, 300), true))
  $$;
grant execute on function private.are_pictures to anon, authenticated, service_role;

create function private.is_tracking_url(value text) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select value is null
      or length(value) <= 2048 and value ~ '^https://[A-Za-z0-9.-]+(:\d+)?[/?][^\s"<>\\]*$' and value like '%{number}%'
  $$;
comment on function private.is_tracking_url is
  'Whether a text is an https address with {number} in its path or query. True for null.';
grant execute on function private.is_tracking_url to authenticated, service_role;

-- O and 0 look alike in many typefaces, so both find the code. The unique index refuses two codes that differ only in that.
create function private.promo_code_key(code text) returns text
  language sql immutable
  set search_path = ''
  as $$ select translate(upper(btrim(code)), '0', 'O') $$;
comment on function private.promo_code_key is 'The form in which promo codes are compared: upper case, with O for 0.';
grant execute on function private.promo_code_key to authenticated, service_role;

-- Normalising a term of a megabyte would occupy a connection for seconds, so every search reads only its beginning.
create function private.search_term(term text) returns text
  language sql immutable
  set search_path = ''
  as $$ select left(term, 200) $$;
comment on function private.search_term is 'The first 200 characters of a search term.';

-- Words in lower case without accents and plural s. Equal to domain/search.ts; domain/search.database.test.ts compares both.
create function private.split_words(searched text) returns text[]
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(array_agg(case when length(word) > 3 and word like '%s' then left(word, -1) else word end order by n), '{}')
    from regexp_split_to_table(
      lower(regexp_replace(normalize(searched, nfd), '[\u0300-\u036f]', '', 'g')), '[^a-z0-9]+') with ordinality as w (word, n)
    where word <> ''
  $$;
