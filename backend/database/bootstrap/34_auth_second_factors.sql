-- What our second factors know beyond GoTrue's: codes for somebody whose phone is gone, and which code of an
-- authenticator app was the last. Tables of their own, so that GoTrue's keep its columns.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;

  -- A used code stays, so that its set can tell how many are left and when it was made; a new set replaces all.
  create table if not exists auth.recovery_codes (
    user_id    uuid not null references auth.users on delete cascade,
    code_hash  text not null,
    created_at timestamptz not null default now(),
    used_at    timestamptz,
    primary key (user_id, code_hash)
  );
  comment on table auth.recovery_codes is 'Stand in for a second factor that is lost, each once. Hashes only.';

  -- RFC 6238, section 5.2: a code that was accepted is not accepted again, nor is an older one.
  create table if not exists auth.totp_uses (
    factor_id uuid primary key references auth.mfa_factors on delete cascade,
    last_step bigint not null
  );
  comment on table auth.totp_uses is 'The newest 30-second step whose code an authenticator app has been accepted with.';
end
$bootstrap$;
