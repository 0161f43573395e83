-- The popup gives the welcome code once to each address; the footer puts an address on the list and shows no code. The list has
-- one row for each address, so it notes separately whether the address has claimed the code: a footer subscriber who asks
-- the popup gets it, and the second claim is refused as before (23505).
alter table public.newsletter_signups add column claimed_at timestamptz;
comment on column public.newsletter_signups.claimed_at is 'When the popup showed the welcome code to this address; null if it never did.';
update public.newsletter_signups set claimed_at = created_at where source = 'popup';

-- Runs after lower_case_email: triggers fire in the order of their names.
create function private.note_claim() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if new.source <> 'popup' then
      return new;
    end if;
    update public.newsletter_signups s set claimed_at = now() where s.email = new.email and s.claimed_at is null;
    if found then
      -- The address is on the list already, so there is nothing to insert; the claim itself has succeeded.
      return null;
    end if;
    new.claimed_at := now();
    return new;
  end
  $$;
comment on function private.note_claim() is 'Turns the popup''s insert for an address that is on the list into its first claim.';
create trigger note_claim before insert on public.newsletter_signups
  for each row execute function private.note_claim();
