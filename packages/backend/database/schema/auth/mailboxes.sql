-- Mailboxes: the mailbox that an address reaches, and whether an account has verified its own.
--
-- Every role may call `auth.mailbox_of` (its body is in migrations/0002_auth.sql), because a visitor's insert updates indexes
-- that use it. Only the application's role may call `auth.has_proven_mailbox`.

create function auth.has_proven_mailbox(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return exists (
      select from auth.users u join auth.mailbox_proofs p on p.user_id = u.id and p.email = lower(u.email)
      where u.id = account);
  end
  $$;

grant execute on function auth.mailbox_of(text) to public;
revoke execute on function auth.has_proven_mailbox(uuid) from public;
grant execute on function auth.has_proven_mailbox(uuid) to postgres;

comment on function auth.mailbox_of(text) is
  'The mailbox that an address reaches, for rate limits: without +tag; at Gmail also without dots.';
comment on function auth.has_proven_mailbox(uuid) is
  'Whether the account has proven that it receives mail at its current address.';
