-- A token says for up to an hour how far its session was authenticated when it was issued. Removing a factor takes the sessions that it
-- raised back to the password at once, so the rights of a call must come from the session, or a thief with the removed phone keeps the
-- orders, the profile and the admin panel until the token runs out. One function reads the level, and every question about rights asks it.
create function private.session_level(claims jsonb) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    session_id text := claims ->> 'session_id';
    claimed text := coalesce(claims ->> 'aal', 'aal1');
  begin
    -- A token that names no session (signed with the old shared secret) has none that could end or fall back.
    if session_id is null then
      return claimed;
    elsif session_id !~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' then
      return null;
    end if;
    -- The lower one: a token from before the step-up, which may have been stolen then, is not raised with its session.
    return (
      select least(claimed, coalesce(s.aal::text, 'aal1')) from auth.sessions s
      where s.id = session_id::uuid and s.user_id::text = claims ->> 'sub' and coalesce(s.not_after > now(), true));
  end
  $$;
comment on function private.session_level(jsonb) is
  'The assurance level of the session that these claims name, at most the one they claim; null when the session has ended.';

create or replace function private.has_live_session(claims jsonb) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.session_level(claims) is not null; end $$;

create function private.has_shown_factors(claims jsonb) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    level text := private.session_level(claims);
  begin
    if level is null then
      return false;
    end if;
    return level = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = (claims ->> 'sub')::uuid and f.status = 'verified');
  end
  $$;
comment on function private.has_shown_factors(jsonb) is
  'Whether the session that these claims name stands and has shown the second factor, where the account has one.';

create or replace function private.is_proven() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.has_shown_factors(auth.jwt()); end $$;

create or replace function private.holds_role(claims jsonb, wanted text[]) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    -- Nearly every caller is a customer: that costs one index lookup, and the rest is asked only of the others.
    if not exists (
      select from public.user_roles r where r.user_id = (claims ->> 'sub')::uuid and r.role = any (wanted)) then
      return false;
    end if;
    return private.has_shown_factors(claims)
      and (not private.requires_second_factor() or private.session_level(claims) = 'aal2');
  end
  $$;

create or replace function private.guard_second_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and private.session_level(auth.jwt()) is distinct from 'aal2' then
      perform private.refuse(409, 'no_second_factor', 'Add a second step to your own sign-in first, then ask it of everybody.');
    end if;
    return new;
  end
  $$;

-- It trusted the caller to pass a level, which came from the token.
drop function private.has_shown_factors(uuid, text);
