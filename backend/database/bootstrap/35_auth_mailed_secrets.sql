-- What our mailed links, typed codes and changes of address know beyond GoTrue's. Tables of their own, so that GoTrue's
-- keep its columns. `auth.one_time_tokens.token_hash` is the SHA-256 of the link's secret; a row without its companion here
-- stems from another version of the service and is never redeemed.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;

  -- The typed code is a secret apart from the link's: it has six digits only, so a few wrong guesses end it while the
  -- link, which cannot be guessed, stays good. With PKCE the link belongs to one flow, and no other flow of the account
  -- can be finished with it.
  create table if not exists auth.mailed_codes (
    token_id      uuid primary key references auth.one_time_tokens on delete cascade,
    code_hash     text not null,
    wrong_guesses smallint not null default 0,
    flow_id       uuid
  );
  comment on table auth.mailed_codes is 'The typed code of each mailed link, and the sign-in flow that the link belongs to.';
  comment on column auth.mailed_codes.code_hash is 'HMAC of address and code; its key, the secret API key, is not in this table.';
  -- A typed code is looked up by the address it was sent to.
  create index if not exists one_time_tokens_relates_to_idx on auth.one_time_tokens (relates_to);

  -- One confirmation for each mailbox, so that two links to one mailbox never count for both. A row counts only while
  -- the account still asks for the same new address.
  create table if not exists auth.email_change_confirmations (
    user_id              uuid primary key references auth.users on delete cascade,
    new_email            text not null,
    current_confirmed_at timestamptz,
    new_confirmed_at     timestamptz
  );
  comment on table auth.email_change_confirmations is 'Which of the two mailboxes have agreed to a pending change of address.';

  -- A password change forgets the flows of its account.
  create index if not exists flow_state_user_id_idx on auth.flow_state (user_id);
end
$bootstrap$;
