-- Rights on the tables of accounts, and what each table holds.
--
-- The application's role gets everything, because foreign keys and triggers on auth.users need it.
-- Not granted: anything to the API roles. Requests reach accounts through the auth service only.
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

comment on table auth.users is 'One row for each account.';
comment on table auth.identities is 'The ways an account can be signed in to (e-mail is one).';
comment on table auth.mfa_factors is 'Second factors: authenticator apps, phones, passkeys.';
comment on table auth.sessions is 'One row for each sign-in; its id is the session_id in the tokens.';
comment on table auth.refresh_tokens is 'Each token of a session with the one it replaced, so that a stolen one is noticed.';
comment on table auth.mfa_challenges is 'Questions asked of a factor; each is answered once, from the address it was asked from.';
comment on table auth.mfa_amr_claims is 'How a session was authenticated, for the amr claim.';
comment on table auth.one_time_tokens is 'What was mailed and not yet clicked.';
comment on table auth.flow_state is 'Sign-ins under way with a code challenge (PKCE).';
comment on table auth.audit_log_entries is 'What happened to accounts, for the operator.';
comment on table auth.signing_keys is 'ES256 keys for access tokens; the public halves are published as JWKS.';
comment on table auth.client_keys is 'The keys that clients name themselves with: one for browsers, one for servers.';
comment on table auth.rate_limits is 'How often an address or an account has tried something of late.';
comment on table auth.recovery_codes is 'Stand in for a second factor that is lost, each once. Hashes only.';
comment on table auth.totp_uses is 'The newest 30-second step whose code an authenticator app has been accepted with.';

comment on table auth.known_networks is
  'IPv4 addresses and IPv6 /64 prefixes from which an account has opened a session, for 180 days after the last one.';
comment on column auth.known_networks.factor_shown_at is
  'When a second factor was last shown from here: wrong codes from elsewhere cannot use up the tries of this network.';

comment on table auth.mailbox_proofs is 'When and how an account has shown that it reads the mail of an address.';
comment on column auth.mailbox_proofs.method is
  'The mail whose link or code was used; service and operator: vouched for by the secret key or the server; earlier: before this was recorded.';
comment on column auth.mailbox_proofs.replaced_sign_up is
  'The account was made over for the reader of the mailbox: what an unverified sign-up had set up before has ended.';

comment on table auth.contested_sign_ups is 'Unverified accounts whose address was signed up again with another password.';
comment on table auth.mailed_codes is 'The typed code of each mailed link, and the sign-in flow that the link belongs to.';
comment on column auth.mailed_codes.code_hash is 'HMAC of address and code; its key, the secret API key, is not in this table.';
comment on table auth.email_change_confirmations is 'Which of the two mailboxes have agreed to a pending change of address.';
