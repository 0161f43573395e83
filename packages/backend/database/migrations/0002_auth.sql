-- Accounts, sessions, second factors, keys and rate limits.
--
-- Applications hang foreign keys and triggers on the tables of the hosted product, so those have its names and columns.
-- What this service knows beyond them is in tables of its own. Only the service, as the server's own role, reads and
-- writes here: row-level security is on and no API role has a grant, so a mistake in a policy elsewhere cannot expose a
-- password hash. Rights and comments are in schema/auth/.

-- The caller's claims. Policies, defaults and constraints of applications use these functions, so they are versioned.
-- The claims are settings that live as long as the request's transaction, as one JSON text (`request.jwt.claims`); the
-- older form with one setting per claim has precedence, as on the hosted product. A setting that was never set reads as
-- null, and as the empty string once it was set in the session.
create function auth.jwt() returns jsonb
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')
    )::jsonb
  $$;

create function auth.uid() returns uuid
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.sub', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub'
    )::uuid
  $$;

create function auth.role() returns text
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.role', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role'
    )
  $$;

create function auth.email() returns text
  language sql stable
  as $$
    select coalesce(
      nullif(current_setting('request.jwt.claim.email', true), ''),
      nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email'
    )
  $$;

-- The subject of every limit on mail to one recipient: victim+1@gmail.com and v.ictim@gmail.com reach the mailbox of
-- victim@gmail.com, so a limit by the typed address alone would not hold. For counting only: an account is identified by
-- its whole address. Indexes of applications use the function, so it is versioned.
create function auth.mailbox_of(address text) returns text
  language sql immutable parallel safe
  begin atomic
    select case
        when parts[2] in ('gmail.com', 'googlemail.com') then replace(parts[1], '.', '') || '@gmail.com'
        else coalesce(parts[1] || '@' || parts[2], lower(btrim(address)))
      end
    from regexp_match(lower(btrim(address)), '^(.[^+]*).*@([^@]*)$') as parts;
  end;

-- Accounts. Applications hang foreign keys and triggers on this table, hence the hosted product's columns, of which some
-- stay empty here.
create table auth.users (
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
-- One account for each address, in whatever case it is written; single sign-on may bring the same address again.
create unique index users_email_partial_key on auth.users (lower(email)) where is_sso_user = false;
create index users_created_at_idx on auth.users (created_at desc);

-- The ways in which an account can sign in.
create table auth.identities (
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
create index identities_user_id_idx on auth.identities (user_id);

-- Second factors. A name may be used once per account, so that people can tell their factors apart.
create table auth.mfa_factors (
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
create unique index mfa_factors_user_friendly_name_unique
  on auth.mfa_factors (friendly_name, user_id) where trim(friendly_name) <> '';
create index mfa_factors_user_id_idx on auth.mfa_factors (user_id);

-- Sign-ins. Deleting a row ends the session: its refresh tokens go with it.
create table auth.sessions (
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
create index sessions_user_id_created_at_idx on auth.sessions (user_id, created_at);

-- Refresh tokens form a chain within a session: `parent` is the token that was replaced. A second use of a replaced token
-- means that it was stolen, and ends the session.
create table auth.refresh_tokens (
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
create index refresh_tokens_session_id_revoked_idx on auth.refresh_tokens (session_id, revoked);
create index refresh_tokens_parent_idx on auth.refresh_tokens (parent);

-- Challenges of second factors. `ip_address` binds the answer to the address that asked.
create table auth.mfa_challenges (
  id                     uuid primary key,
  factor_id              uuid not null references auth.mfa_factors on delete cascade,
  created_at             timestamptz not null default now(),
  verified_at            timestamptz,
  ip_address             inet not null,
  otp_code               text,
  web_authn_session_data jsonb
);
create index mfa_challenges_created_at_idx on auth.mfa_challenges (created_at desc);

-- The authentication methods of a session, from which its tokens' `amr` claim is made.
create table auth.mfa_amr_claims (
  session_id            uuid not null references auth.sessions on delete cascade,
  created_at            timestamptz not null,
  updated_at            timestamptz not null,
  authentication_method text not null,
  id                    uuid primary key,
  unique (session_id, authentication_method)
);

-- Secrets that were mailed and have not been used, one of each type for an account: a second mail replaces the first.
-- `token_hash` is the SHA-256 of the link's secret.
create table auth.one_time_tokens (
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
create index one_time_tokens_token_hash_idx on auth.one_time_tokens (token_hash);
-- A typed code is looked up by the address that it was sent to.
create index one_time_tokens_relates_to_idx on auth.one_time_tokens (relates_to);

-- Sign-ins with PKCE: the code verifier must match the challenge that the sign-in began with.
create table auth.flow_state (
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
create index flow_state_auth_code_idx on auth.flow_state (auth_code);
-- A password change ends the flows of its account.
create index flow_state_user_id_idx on auth.flow_state (user_id);

-- Part of the hosted product's schema; the service writes nothing here.
create table auth.audit_log_entries (
  instance_id uuid,
  id          uuid primary key,
  payload     jsonb,
  created_at  timestamptz default now(),
  ip_address  varchar(64) not null default ''
);

-- Access tokens are signed with the one key that is not retired. The service deletes a retired key when the last token that
-- it signed has expired.
create table auth.signing_keys (
  kid         text primary key,
  private_jwk jsonb not null,
  created_at  timestamptz not null default now(),
  retired_at  timestamptz
);
create unique index signing_keys_one_active on auth.signing_keys ((true)) where retired_at is null;

-- Secrets that all processes share. `file_addresses` signs the addresses of private files and is apart from the others, so
-- that a leak of one key does not compromise the rest.
create table auth.client_keys (
  kind       text primary key,
  key        text not null,
  created_at timestamptz not null default now(),
  constraint client_keys_kind_check check (kind in ('publishable', 'secret', 'file_addresses'))
);

-- Leaky buckets: `level` drains with time and each attempt adds to it. Unlogged, because a crash that empties the table
-- only forgets attempts.
create unlogged table auth.rate_limits (
  bucket     text not null,
  subject    text not null,
  level      double precision not null,
  updated_at timestamptz not null default now(),
  primary key (bucket, subject)
);
create index rate_limits_updated_at_idx on auth.rate_limits (updated_at);

-- Recovery codes. A used code stays, so that the service can tell how many of the set are left and when it was made; a new
-- set replaces all.
create table auth.recovery_codes (
  user_id    uuid not null references auth.users on delete cascade,
  code_hash  text not null,
  created_at timestamptz not null default now(),
  used_at    timestamptz,
  primary key (user_id, code_hash)
);

-- RFC 6238, section 5.2: a code that was accepted is not accepted again, nor is an older one.
create table auth.totp_uses (
  factor_id uuid primary key references auth.mfa_factors on delete cascade,
  last_step bigint not null
);

-- Networks from which an account has signed in. Failed passwords from other networks slow down sign-in for the account as
-- a whole; the owner's own networks are exempt, or an attacker could lock the owner out.
create table auth.known_networks (
  user_id         uuid not null references auth.users on delete cascade,
  network         text not null,
  seen_at         timestamptz not null default now(),
  factor_shown_at timestamptz,
  primary key (user_id, network)
);
create index known_networks_seen_at_idx on auth.known_networks (seen_at);

-- Which mailboxes an account has proven to read. `auth.users.email_confirmed_at` says only that the account may sign in: with
-- automatic confirmation every sign-up has it at once. The key holds the address too, because an account that changes its
-- address has proven nothing about the new one.
create table auth.mailbox_proofs (
  user_id          uuid not null references auth.users on delete cascade,
  email            text not null,
  method           text not null check (method in (
    'confirmation', 'recovery', 'magic_link', 'invite', 'email_change', 'service', 'operator', 'earlier')),
  replaced_sign_up boolean not null default false,
  proven_at        timestamptz not null default now(),
  primary key (user_id, email)
);

-- A second sign-up with another password for an address whose account is unverified. Neither password can be trusted then:
-- both people can have mails sent to the mailbox, and its reader cannot tell their links apart.
create table auth.contested_sign_ups (
  user_id    uuid primary key references auth.users on delete cascade,
  created_at timestamptz not null default now()
);

-- The typed code of a mailed link. It has six digits only, so a few wrong guesses end it, while the link, which cannot be
-- guessed, stays valid. With PKCE the link belongs to one flow, and no other flow of the account can be finished with it.
-- A one-time token without a row here stems from another version of the service and is never redeemed.
create table auth.mailed_codes (
  token_id      uuid primary key references auth.one_time_tokens on delete cascade,
  code_hash     text not null,
  wrong_guesses smallint not null default 0,
  flow_id       uuid
);

-- A change of address needs both mailboxes. One column for each, so that two links to one mailbox never count for both. A
-- row counts only while the account still asks for the same new address.
create table auth.email_change_confirmations (
  user_id              uuid primary key references auth.users on delete cascade,
  new_email            text not null,
  current_confirmed_at timestamptz,
  new_confirmed_at     timestamptz
);

-- Row-level security without a policy: a role other than the owner sees no row, whatever it is granted.
alter table auth.users enable row level security;
alter table auth.identities enable row level security;
alter table auth.mfa_factors enable row level security;
alter table auth.sessions enable row level security;
alter table auth.refresh_tokens enable row level security;
alter table auth.mfa_challenges enable row level security;
alter table auth.mfa_amr_claims enable row level security;
alter table auth.one_time_tokens enable row level security;
alter table auth.flow_state enable row level security;
alter table auth.audit_log_entries enable row level security;
alter table auth.signing_keys enable row level security;
alter table auth.client_keys enable row level security;
alter table auth.rate_limits enable row level security;
alter table auth.recovery_codes enable row level security;
alter table auth.totp_uses enable row level security;
alter table auth.known_networks enable row level security;
alter table auth.mailbox_proofs enable row level security;
alter table auth.contested_sign_ups enable row level security;
alter table auth.mailed_codes enable row level security;
alter table auth.email_change_confirmations enable row level security;
