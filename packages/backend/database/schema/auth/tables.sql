-- Grants on the tables of accounts, and their comments.
--
-- The application's role gets all rights, because foreign keys and triggers on auth.users need them.
-- Not granted to the API roles: anything. Requests reach accounts through the auth service only.
grant usage on schema auth to authenticator;
grant all on
  auth.users,
  auth.identities,
  auth.mfa_factors,
  auth.sessions,
  auth.refresh_tokens,
  auth.mfa_challenges,
  auth.mfa_amr_claims,
  auth.one_time_tokens,
  auth.flow_state,
  auth.audit_log_entries,
  auth.signing_keys,
  auth.client_keys,
  auth.rate_limits,
  auth.recovery_codes,
  auth.totp_uses,
  auth.known_networks,
  auth.mailbox_proofs,
  auth.contested_sign_ups,
  auth.mailed_codes,
  auth.email_change_confirmations
  to postgres;
grant all on sequence auth.refresh_tokens_id_seq to postgres;

comment on table auth.users is 'One row per account.';
comment on table auth.identities is 'The ways an account can be signed in to (e-mail is one).';
comment on table auth.mfa_factors is 'Second factors: authenticator apps, phones, passkeys.';
comment on table auth.sessions is 'One row per sign-in; its id is the session_id in the tokens.';
comment on table auth.refresh_tokens is 'Each token of a session with the one it replaced, so that reuse of a stolen token is detected.';
comment on table auth.mfa_challenges is 'Challenges of a second factor; each can be answered once, from the network that requested it.';
comment on table auth.mfa_amr_claims is 'How a session was authenticated, for the amr claim.';
comment on table auth.one_time_tokens is 'Tokens of mailed links that have not been used.';
comment on table auth.flow_state is 'Pending sign-ins with a code challenge (PKCE).';
comment on table auth.audit_log_entries is 'Audit log of accounts for the operator.';
comment on table auth.signing_keys is 'ES256 keys for access tokens; the public halves are published as JWKS.';
comment on table auth.client_keys is 'API keys of clients: one for browsers, one for servers.';
comment on table auth.rate_limits is 'Leaky buckets: recent attempts by network, mailbox or account.';
comment on table auth.recovery_codes is 'Hashes of single-use codes that replace a lost second factor.';
comment on table auth.totp_uses is 'The latest 30-second time step whose code was accepted, so that a code cannot be replayed.';

comment on table auth.known_networks is
  'IPv4 addresses and IPv6 /64 prefixes from which an account has opened a session, for 180 days after the last one.';
comment on column auth.known_networks.factor_shown_at is
  'When a second factor was last verified from this network: wrong codes from other networks do not count against its limit.';

comment on table auth.mailbox_proofs is 'When and how an account has proven that it receives mail at an address.';
comment on column auth.mailbox_proofs.method is
  'The type of mail whose link or code was used; service and operator: confirmed with the secret key or on the server; earlier: before proofs were recorded.';
comment on column auth.mailbox_proofs.replaced_sign_up is
  'The owner of the mailbox took over an unverified sign-up: its password, factors and sessions were removed.';

comment on table auth.contested_sign_ups is 'Unverified accounts whose address signed up again with another password.';
comment on table auth.mailed_codes is 'The code that can be typed instead of each mailed link, and the sign-in flow of the link.';
comment on column auth.mailed_codes.code_hash is 'HMAC of address and code; its key is the secret API key.';
comment on table auth.email_change_confirmations is 'Which of the two mailboxes have confirmed a pending change of address.';
