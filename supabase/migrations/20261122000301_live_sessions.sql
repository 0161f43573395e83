-- A token outlives its session by up to an hour. What an admin or a packer may do must end with the sign-out, so the question of who
-- works here looks for the session itself. A token that names no session (signed with the old shared secret) has none to end.
create function private.has_live_session(claims jsonb) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    session_id text := claims ->> 'session_id';
  begin
    if session_id is null then
      return true;
    elsif session_id !~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' then
      return false;
    end if;
    return exists (
      select from auth.sessions s
      where s.id = session_id::uuid and s.user_id::text = claims ->> 'sub' and coalesce(s.not_after > now(), true));
  end
  $$;
comment on function private.has_live_session(jsonb) is 'Whether the session that these claims name still stands; true for claims that name none.';

create function private.holds_role(claims jsonb, wanted text[]) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    person uuid := claims ->> 'sub';
    aal text := coalesce(claims ->> 'aal', 'aal1');
  begin
    -- Nearly every caller is a customer: that costs one index lookup, and the rest is asked only of the others.
    if not exists (select from public.user_roles r where r.user_id = person and r.role = any (wanted)) then
      return false;
    end if;
    return private.has_live_session(claims)
      and private.has_shown_factors(person, aal)
      and (aal = 'aal2' or not (select s.requires_second_factor from public.shop_settings s));
  end
  $$;
comment on function private.holds_role(jsonb, text[]) is
  'Whether the bearer of these claims has one of the roles, in a session that stands and has shown what the shop asks for.';

create or replace function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.holds_role(auth.jwt(), '{admin}'); end $$;
comment on function private.is_admin() is
  'Whether the caller is an admin, as of this statement, in a session that stands and has shown the second factor if there is one.';

create or replace function private.is_staff() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.holds_role(auth.jwt(), '{admin,helper}'); end $$;

create or replace function private.acting_as() returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return case
      when auth.uid() is not null and private.holds_role(auth.jwt(), '{admin,helper}') then
        case when private.is_admin() then 'admin' else 'helper' end
      when auth.role() = 'service_role' then 'secret key'
    end;
  end
  $$;

drop function private.holds_role(uuid, text, text[]);
