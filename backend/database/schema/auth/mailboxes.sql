-- Mailboxes: which one an address reaches, and whether an account has proven to read its own.
--
-- `auth.mailbox_of` (its body is in migrations/0002_auth.sql) may be called by every role, because indexes use it and a
-- visitor's insert keeps them up to date. Whether a mailbox is proven only the application's role may ask.

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
  'The mailbox that an address reaches, for counting mails: without its +tag; without its dots at Gmail.';
comment on function auth.has_proven_mailbox(uuid) is
  'Whether the account has proven that it reads the mail of its present address.';
