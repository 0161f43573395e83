-- Accounts, sessions and second factors, with the hosted product's names and columns, because applications hang
-- foreign keys and triggers on them. Only the auth service (as the server's own role) reads or writes here: RLS is on and
-- no API role has any grant, so a mistake in a policy elsewhere cannot expose a password hash.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    raise notice 'Schema auth is kept by the server: its tables stay as they are.';
    return;
  end if;

  create table if not exists auth.users (
    instance_id                 uuid,
    id                          uuid primary key,
    aud                         varchar(255),
    role                        varchar(255),
    email                       varchar(255),
    encrypted_password          varchar(255),
    email_confirmed_at          timestamptz,
    invited_at                  timestamptz,
    confirmation_token          varchar(255),
    confirmation_sent_at        timestamptz,
    recovery_token              varchar(255),
    recovery_sent_at            timestamptz,
    email_change_token_new      varchar(255),
    email_change                varchar(255),
    email_change_sent_at        timestamptz,
    last_sign_in_at             timestamptz,
    raw_app_meta_data           jsonb,
    raw_user_meta_data          jsonb,
    is_super_admin              boolean,
    created_at                  timestamptz default now(),
    updated_at                  timestamptz default now(),
    phone                       text unique,
    phone_confirmed_at          timestamptz,
    phone_change                text default '',
    phone_change_token          varchar(255) default '',
    phone_change_sent_at        timestamptz,
    confirmed_at                timestamptz generated always as (least(email_confirmed_at, phone_confirmed_at)) stored,
    email_change_token_current  varchar(255) default '',
    email_change_confirm_status smallint default 0 check (email_change_confirm_status between 0 and 2),
    banned_until                timestamptz,
    reauthentication_token      varchar(255) default '',
    reauthentication_sent_at    timestamptz,
    is_sso_user                 boolean not null default false,
    deleted_at                  timestamptz,
    is_anonymous                boolean not null default false
  );
  comment on table auth.users is 'One row for each account.';
  -- One account for an address, however it is spelled; single sign-on may bring the same address again.
  create unique index if not exists users_email_partial_key on auth.users (lower(email)) where is_sso_user = false;
  create index if not exists users_created_at_idx on auth.users (created_at desc);

  create table if not exists auth.identities (
    provider_id     text not null,
    user_id         uuid not null references auth.users on delete cascade,
    identity_data   jsonb not null,
    provider        text not null,
    last_sign_in_at timestamptz,
    created_at      timestamptz default now(),
    updated_at      timestamptz default now(),
    email           text generated always as (lower(identity_data ->> 'email')) stored,
    id              uuid primary key default gen_random_uuid(),
    unique (provider_id, provider)
  );
  comment on table auth.identities is 'The ways an account can be signed in to (e-mail is one).';
  create index if not exists identities_user_id_idx on auth.identities (user_id);

  create table if not exists auth.mfa_factors (
    id                       uuid primary key,
    user_id                  uuid not null references auth.users on delete cascade,
    friendly_name            text,
    factor_type              text not null check (factor_type in ('totp', 'phone', 'webauthn')),
    status                   text not null check (status in ('unverified', 'verified')),
    created_at               timestamptz not null default now(),
    updated_at               timestamptz not null default now(),
    secret                   text,
    phone                    text,
    last_challenged_at       timestamptz unique,
    web_authn_credential     jsonb,
    web_authn_aaguid         uuid,
    last_webauthn_challenge_data jsonb
  );
  comment on table auth.mfa_factors is 'Second factors: authenticator apps, phones, passkeys.';
  create unique index if not exists mfa_factors_user_friendly_name_unique
    on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
  create index if not exists mfa_factors_user_id_idx on auth.mfa_factors (user_id);

  create table if not exists auth.sessions (
    id           uuid primary key,
    user_id      uuid not null references auth.users on delete cascade,
    created_at   timestamptz default now(),
    updated_at   timestamptz default now(),
    factor_id    uuid,
    aal          text check (aal in ('aal1', 'aal2', 'aal3')),
    not_after    timestamptz,
    refreshed_at timestamp,
    user_agent   text,
    ip           inet,
    tag          text
  );
  comment on table auth.sessions is 'One row for each sign-in; its id is the session_id in the tokens.';
  create index if not exists sessions_user_id_created_at_idx on auth.sessions (user_id, created_at);

  create table if not exists auth.refresh_tokens (
    instance_id uuid,
    id          bigint generated by default as identity primary key,
    token       varchar(255) unique,
    user_id     varchar(255),
    revoked     boolean,
    created_at  timestamptz default now(),
    updated_at  timestamptz default now(),
    parent      varchar(255),
    session_id  uuid references auth.sessions on delete cascade
  );
  comment on table auth.refresh_tokens is 'Each token of a session with the one it replaced, so that a stolen one is noticed.';
  create index if not exists refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
  create index if not exists refresh_tokens_parent_idx on auth.refresh_tokens (parent);

  create table if not exists auth.mfa_challenges (
    id                     uuid primary key,
    factor_id              uuid not null references auth.mfa_factors on delete cascade,
    created_at             timestamptz not null default now(),
    verified_at            timestamptz,
    ip_address             inet not null,
    otp_code               text,
    web_authn_session_data jsonb
  );
  comment on table auth.mfa_challenges is 'Questions asked of a factor; each is answered once, from the address it was asked from.';
  create index if not exists mfa_challenges_created_at_idx on auth.mfa_challenges (created_at desc);

  create table if not exists auth.mfa_amr_claims (
    session_id            uuid not null references auth.sessions on delete cascade,
    created_at            timestamptz not null,
    updated_at            timestamptz not null,
    authentication_method text not null,
    id                    uuid primary key,
    unique (session_id, authentication_method)
  );
  comment on table auth.mfa_amr_claims is 'How a session was authenticated, for the amr claim.';

  create table if not exists auth.one_time_tokens (
    id         uuid primary key,
    user_id    uuid not null references auth.users on delete cascade,
    token_type text not null check (token_type in (
      'confirmation_token', 'reauthentication_token', 'recovery_token',
      'email_change_token_new', 'email_change_token_current', 'phone_change_token')),
    token_hash text not null check (token_hash <> ''),
    relates_to text not null,
    created_at timestamp not null default now(),
    updated_at timestamp not null default now(),
    unique (user_id, token_type)
  );
  comment on table auth.one_time_tokens is 'What was mailed and not yet clicked.';
  create index if not exists one_time_tokens_token_hash_idx on auth.one_time_tokens (token_hash);

  create table if not exists auth.flow_state (
    id                     uuid primary key,
    user_id                uuid,
    auth_code              text,
    code_challenge_method  text,
    code_challenge         text,
    provider_type          text not null,
    provider_access_token  text,
    provider_refresh_token text,
    created_at             timestamptz default now(),
    updated_at             timestamptz default now(),
    authentication_method  text not null,
    auth_code_issued_at    timestamptz
  );
  comment on table auth.flow_state is 'Sign-ins under way with a code challenge (PKCE).';
  create index if not exists flow_state_auth_code_idx on auth.flow_state (auth_code);

  create table if not exists auth.audit_log_entries (
    instance_id uuid,
    id          uuid primary key,
    payload     jsonb,
    created_at  timestamptz default now(),
    ip_address  varchar(64) not null default ''
  );
  comment on table auth.audit_log_entries is 'What happened to accounts, for the operator.';
end
$bootstrap$;
