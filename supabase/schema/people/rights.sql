-- Rights: who the caller is, and what the session may do.
--
-- Policies and functions ask is_admin(), is_staff() (admin or packer) and has_aal2(). The answers come from the live session and
-- the roles table, not from the token: a token is valid for up to an hour after its session ended or its role was taken away.
-- aal2 means that the session has shown a second factor. An account with a verified factor must have shown it for everything
-- personal; staff must have one when requires_second_factor() says so.
--
-- The functions are PL/pgSQL, because PostgreSQL plans SQL functions anew for each call in a policy. They are security definer,
-- because callers may read neither sessions nor other accounts' roles; they answer only about the claims of the caller.

create or replace function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.has_role(auth.jwt(), '{admin}'); end $$;
comment on function private.is_admin is
  'Whether the caller is an admin now, in a live session that has shown the second factor where one is needed.';
grant execute on function private.is_admin to anon, authenticated, service_role;

create or replace function private.is_staff() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.has_role(auth.jwt(), '{admin,packer}'); end $$;
comment on function private.is_staff is
  'Whether the caller is an admin or a packer now, in a live session that has shown the second factor where one is needed.';
grant execute on function private.is_staff to anon, authenticated, service_role;

-- For the policy by which packers read the names of colleagues.
create or replace function private.is_staff_account(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return exists (select from public.user_roles r where r.user_id = account and r.role in ('admin', 'packer'));
  end
  $$;
comment on function private.is_staff_account is 'Whether this account has the role admin or packer.';
grant execute on function private.is_staff_account to anon, authenticated, service_role;

-- Every change asks for it. enable_seqscan: a connection keeps the plan that it made when the table had few rows. jit: old servers
-- compile what they read as a whole all the same.
create or replace function private.has_role(claims jsonb, wanted text[]) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  set enable_seqscan = off
  set jit = off
  as $$
  declare
    account uuid := claims ->> 'sub';
  begin
    -- Nearly every caller is a customer, for whom this index lookup is all it costs. With `r.role = any (wanted)`, the planner would
    -- expect a plan for the given roles to be cheaper and plan the lookup anew in every call.
    if not exists (select from public.user_roles r where r.user_id = account and array[r.role] <@ wanted) then
      return false;
    end if;
    return private.session_has_aal2(claims)
      and (not private.requires_second_factor() or private.session_level(claims) = 'aal2');
  end
  $$;
comment on function private.has_role is
  'Whether these claims have one of the roles, in a live session with the second factor that the shop requires.';

create or replace function private.has_live_session(claims jsonb) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.session_level(claims) is not null; end $$;
comment on function private.has_live_session is
  'Whether the session of these claims is live; true for claims without a session.';

-- The one place that reads the level of a session. Removing a factor ends or lowers its sessions at once; a thief with the removed phone
-- must not keep the rights that an earlier token claims.
create or replace function private.session_level(claims jsonb) returns text
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    session_id text := claims ->> 'session_id';
    claimed text := coalesce(claims ->> 'aal', 'aal1');
  begin
    -- Tokens signed with the shared secret name no session: there is nothing to end or lower.
    if session_id is null then
      return claimed;
    elsif session_id !~* '^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$' then
      return null;
    end if;
    -- The lower of both: a token stolen before the second factor was shown must not rise with its session.
    return (
      select least(claimed, coalesce(s.aal::text, 'aal1')) from auth.sessions s
      where s.id = session_id::uuid and s.user_id::text = claims ->> 'sub' and coalesce(s.not_after > now(), true));
  end
  $$;
comment on function private.session_level is
  'aal1 or aal2: the level of the live session, at most the claimed one. Null when the session has ended.';

create or replace function private.session_has_aal2(claims jsonb) returns boolean
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
comment on function private.session_has_aal2 is
  'Whether the session of these claims is live and has shown the second factor, if its account has one.';

-- The guard of all personal rows and functions. The services cache a verified token for a minute, so a token can reach the database
-- after its session ended; that is why the session itself is looked up (one index lookup for each statement).
create or replace function private.has_aal2() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.session_has_aal2(auth.jwt()); end $$;
comment on function private.has_aal2 is
  'Whether the caller''s session is live and has shown the second factor, if the account has one.';
grant execute on function private.has_aal2 to anon, authenticated, service_role;

-- Call it when has_aal2() is false: it raises the error for what is missing, 401 not_signed_in or 42501.
create or replace function private.require_aal2() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not private.has_live_session(auth.jwt()) then
      perform private.refuse(401, 'not_signed_in', 'Your session has ended. Please sign in again.');
    end if;
    raise exception 'the second factor has not been shown' using errcode = '42501';
  end
  $$;
comment on function private.require_aal2 is 'Raises the error for a failed has_aal2(): not_signed_in when the session has ended, otherwise insufficient_privilege.';

-- Raise insufficient_privilege (403) unless the caller is an admin, or staff.
create or replace function private.require_admin() returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      raise exception 'only an admin may do this' using errcode = 'insufficient_privilege';
    end if;
  end
  $$;

-- For what packers may do too.
create or replace function private.require_staff() returns void
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if not private.is_staff() then
      raise exception 'only staff may do this' using errcode = 'insufficient_privilege';
    end if;
  end
  $$;

-- For granting and revoking roles: the admin must have proved their identity within ten minutes, in case they left the screen unattended.
create or replace function private.require_recent_admin() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    -- The lock comes first: an admin whose role is revoked while waiting for it is refused.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    perform private.require_admin();
    if not private.proved_recently('10 minutes') then
      perform private.refuse(403, 'not_proven_recently', 'Please confirm once more that it is you.');
    end if;
  end
  $$;

-- The claim amr lists when the session showed a password, a link or a factor.
create or replace function private.proved_recently(within interval) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max((proof ->> 'timestamp')::bigint) > extract(epoch from now() - proved_recently.within), false)
    from jsonb_array_elements(case when jsonb_typeof(auth.jwt() -> 'amr') = 'array' then auth.jwt() -> 'amr' else '[]' end) as proof
  $$;
comment on function private.proved_recently is
  'Whether the caller showed a password, link or factor within this time, according to the token.';

-- The setting, or by default whether the shop has a public address.
create or replace function private.requires_second_factor() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (select coalesce(s.requires_second_factor, r.is_public_address) from public.shop_settings s cross join private.shop_rules r);
  end
  $$;
comment on function private.requires_second_factor is
  'Whether staff must show a second factor.';

-- The data service sets `request.network` in each transaction from the connection, IPv6 by its /64, so clients cannot choose it.
create or replace function private.caller_network() returns text
  language sql stable
  set search_path = ''
  as $$ select nullif(current_setting('request.network', true), '') $$;
comment on function private.caller_network is 'Network of the request; null for calls of the server itself.';

-- Written by the process at every start.
create or replace function private.set_public_address(is_public boolean) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update private.shop_rules r set is_public_address = set_public_address.is_public
    where r.is_public_address <> set_public_address.is_public;
  end
  $$;

create or replace function private.is_admin_account(account uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select exists (select from public.user_roles r where r.user_id = account and r.role = 'admin') $$;
comment on function private.is_admin_account is 'Whether this account has the role admin, whatever its session.';
