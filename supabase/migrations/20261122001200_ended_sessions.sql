-- The services remember a verified token for a minute, so the token of a session that has just ended still reaches the database. Closing
-- an account, placing or cancelling an order, or exporting everything cannot be undone. The guard of all personal rows and functions
-- therefore looks for the session as well; it costs one index lookup in each statement.
create or replace function private.is_proven() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return private.has_shown_factors(auth.uid(), auth.jwt() ->> 'aal') and private.has_live_session(auth.jwt());
  end
  $$;
comment on function private.is_proven() is
  'Whether the caller''s session stands and has shown the second factor, where there is one: the guard of personal rows and functions.';

create or replace function private.refuse_unproven() returns void
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
comment on function private.refuse_unproven() is 'Raises what private.is_proven() found missing.';
