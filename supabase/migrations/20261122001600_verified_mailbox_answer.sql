-- A customer may sign in and order before they follow a mailed link. The account's page shows whether the address is verified and offers
-- to mail the link. The metadata of the account cannot tell: customers may write it, and it stays when the address changes.
create function public.has_verified_mailbox() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.is_proven() then
      perform private.refuse_unproven();
    end if;
    return private.has_verified_mailbox(auth.uid());
  end
  $$;
comment on function public.has_verified_mailbox() is 'Whether the caller''s account has proven that it reads the mail of its present address.';
revoke all on function public.has_verified_mailbox() from public, anon;
grant execute on function public.has_verified_mailbox() to authenticated, service_role;
