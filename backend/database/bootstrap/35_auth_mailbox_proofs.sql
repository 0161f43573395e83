-- Which mailboxes an account has proven to read. `auth.users.email_confirmed_at` only says that the account may sign in: with
-- automatic confirmation every sign-up has it at once. Tables of their own, so that GoTrue's keep its columns.
do $bootstrap$
declare
  is_upgrade boolean := to_regclass('auth.mailbox_proofs') is null;
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;

  -- By account and address: an account that moves to another address has proven nothing about the new one.
  create table if not exists auth.mailbox_proofs (
    user_id          uuid not null references auth.users on delete cascade,
    email            text not null,
    method           text not null check (method in (
      'confirmation', 'recovery', 'magic_link', 'invite', 'email_change', 'service', 'operator', 'earlier')),
    replaced_sign_up boolean not null default false,
    proven_at        timestamptz not null default now(),
    primary key (user_id, email)
  );
  comment on table auth.mailbox_proofs is 'When and how an account has shown that it reads the mail of an address.';
  comment on column auth.mailbox_proofs.method is
    'The mail whose link or code was used; service and operator: vouched for by the secret key or the server; earlier: before this was recorded.';
  comment on column auth.mailbox_proofs.replaced_sign_up is
    'The account was made over for the reader of the mailbox: what an unverified sign-up had set up before has ended.';

  -- A second sign-up with another password for an address whose account is unverified. Neither password can be trusted
  -- then: both people can have mails sent to the mailbox, and its reader cannot tell their links apart.
  create table if not exists auth.contested_sign_ups (
    user_id    uuid primary key references auth.users on delete cascade,
    created_at timestamptz not null default now()
  );
  comment on table auth.contested_sign_ups is 'Unverified accounts whose address was signed up again with another password.';

  -- What can be known about accounts that are older than this table: a session that a link opened, or an address that was
  -- confirmed after the account was made. All others count as unverified.
  if is_upgrade then
    insert into auth.mailbox_proofs (user_id, email, method)
    select u.id, lower(u.email), 'earlier' from auth.users u
    where u.email is not null and u.deleted_at is null
      and (u.email_confirmed_at > u.created_at
        or exists (
          select from auth.mfa_amr_claims a join auth.sessions s on s.id = a.session_id
          where s.user_id = u.id and a.authentication_method in (
            'otp', 'email/signup', 'magiclink', 'recovery', 'invite', 'email_change')))
    on conflict do nothing;
  end if;

  create or replace function auth.has_proven_mailbox(account uuid) returns boolean
    language plpgsql stable security definer
    set search_path = ''
    as $$
    begin
      return exists (
        select from auth.users u join auth.mailbox_proofs p on p.user_id = u.id and p.email = lower(u.email)
        where u.id = account);
    end
    $$;
  comment on function auth.has_proven_mailbox is 'Whether the account has proven that it reads the mail of its present address.';
  revoke all on function auth.has_proven_mailbox from public;
  grant execute on function auth.has_proven_mailbox to postgres;
end
$bootstrap$;
