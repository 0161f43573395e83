-- A verified mailbox is a fact of its own, apart from "may sign in": an account has followed a mailed link or typed a mailed code of
-- its present address (auth.mailbox_proofs, decision 0024). Everything that ties a role or a stranger's data to an address asks for it.
create function private.has_verified_mailbox(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if to_regprocedure('auth.has_proven_mailbox(uuid)') is null then
      -- The accounts are kept by another server, which confirms every address by mail.
      return exists (select from auth.users u where u.id = account and u.email_confirmed_at is not null);
    end if;
    return auth.has_proven_mailbox(account);
  end
  $$;
comment on function private.has_verified_mailbox(uuid) is 'Whether the account has proven that it reads the mail of its present address.';

create function private.verified_account_of(email text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      select p.id from public.profiles p
      where lower(p.email) = lower(btrim(verified_account_of.email)) and private.has_verified_mailbox(p.id) limit 1);
  end
  $$;
comment on function private.verified_account_of(text) is
  'The account that has proven to be this mailbox''s; null for none and for one that is unverified. The only lookup by which data of an address may reach an account.';

-- Admins and helpers of before keep their role: an admin or the server has vouched for them.
do $$
begin
  if to_regclass('auth.mailbox_proofs') is not null then
    insert into auth.mailbox_proofs (user_id, email, method)
    select u.id, lower(u.email), 'operator' from auth.users u
    where u.email is not null
      and exists (select from public.user_roles r where r.user_id = u.id and r.role in ('admin', 'helper'))
    on conflict do nothing;
  end if;
end
$$;

-- An unverified account gets no role: the first person to type an address would come in under a colleague's name. The refusal tells
-- the two cases apart, because the settings page then mails a link, which a colleague needs.
create or replace function public.give_role(email text, role text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    person uuid;
  begin
    perform private.require_admin_at_the_keys();
    if give_role.role is null or give_role.role not in ('admin', 'helper') then
      raise exception 'the roles that can be given are admin and helper' using errcode = 'invalid_parameter_value';
    end if;
    select u.id into person from auth.users u
    where lower(u.email) = lower(btrim(give_role.email)) and u.deleted_at is null;
    if not found then
      perform private.refuse(404, 'account_not_found', 'Nobody has signed up with this e-mail address. They do that first, in the shop.');
    elsif not private.has_verified_mailbox(person) then
      perform private.refuse(409, 'mailbox_not_verified',
        'This account has not confirmed its e-mail address yet. Give the role once the link in a mail to it has been opened.');
    end if;
    insert into public.user_roles (user_id, role) values (person, give_role.role)
    on conflict on constraint same_role_twice do nothing;
    delete from public.user_roles r where r.user_id = person and r.role in ('admin', 'helper') and r.role <> give_role.role;
  end
  $$;

-- An order entered by staff reaches the account of its e-mail address only when that mailbox is verified.
do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.place_order_by_hand(uuid,jsonb)'::regprocedure);
  before text := $sql$
        select p.id from public.profiles p
        where lower(p.email) = placed.customer_email and (wanted ->> 'paid_by' is not null or placed.paid_at is not null) limit 1))$sql$;
  after text := $sql$
        select private.verified_account_of(placed.customer_email)
        where wanted ->> 'paid_by' is not null or placed.paid_at is not null))$sql$;
begin
  if position(before in definition) = 0 then
    raise exception 'place_order_by_hand() looks an account up in another way';
  end if;
  execute replace(definition, before, after);
end
$$;

-- Merging hands orders and notes of one account to the other, which must have proven its mailbox.
create or replace function private.merge_problem(kept public.profiles, merged public.profiles) returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when kept.id = merged.id then 'same_client'
      when private.is_admin_account(merged.id) then 'client_is_admin'
      when exists (select from public.orders o
        where o.customer_id = merged.id and o.placed_at is not null and o.status = 'pending_payment') then 'order_awaits_payment'
      when not private.has_verified_mailbox(kept.id) then 'mailbox_not_verified'
      when private.normal_email(kept.email) is distinct from private.normal_email(merged.email)
        and (select count(u.last_sign_in_at) from auth.users u where u.id in (kept.id, merged.id)) = 2 then 'both_signed_in'
    end
  $$;

do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.merge_clients(uuid,uuid)'::regprocedure);
  before text := $sql$    elsif problem = 'order_awaits_payment' then$sql$;
  after text := $sql$    elsif problem = 'mailbox_not_verified' then
      perform private.refuse(409, 'mailbox_not_verified',
        'The account that would be kept has not confirmed its e-mail address. Ask the client to reset the password once: that confirms it.');
    elsif problem = 'order_awaits_payment' then$sql$;
begin
  if position(before in definition) = 0 then
    raise exception 'merge_clients() knows no order_awaits_payment';
  end if;
  execute replace(definition, before, after);
end
$$;

-- Closing an account ends the stock alerts of its address only when the address was its own. The proof goes with the account, so it is
-- read before the deletion.
create or replace function private.forget_stock_alerts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.has_verified_mailbox(old.id) then
      delete from public.stock_alerts a where a.email = lower(old.email);
    end if;
    return old;
  end
  $$;
drop trigger forget_stock_alerts on public.profiles;
-- On the account, because a cascade reaches the profile only after the account has gone.
create trigger forget_stock_alerts before delete on auth.users
  for each row execute function private.forget_stock_alerts();

-- An account that was made over for the reader of its mailbox starts afresh: what an unverified sign-up had typed is not shown to the
-- owner of the address. Orders that were confirmed to this very address stay, since their mails have told that mailbox everything; the
-- others stay with the shop as orders without an account. The cart names lures and no person: it stays.
create function private.clear_replaced_sign_up() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.orders o where o.customer_id = new.user_id and o.placed_at is null;
    update public.orders o set customer_id = null
    where o.customer_id = new.user_id and lower(o.customer_email) is distinct from new.email;
    update public.profiles p set phone = null, address = null, city = null, state = null, zip_code = null,
      full_name = (
        select nullif(btrim(left(regexp_replace(coalesce(u.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]', ' ', 'g'), 100)), '')
        from auth.users u where u.id = new.user_id)
    where p.id = new.user_id;
    return null;
  end
  $$;
do $$
begin
  if to_regclass('auth.mailbox_proofs') is not null then
    create trigger clear_replaced_sign_up after insert on auth.mailbox_proofs
      for each row when (new.replaced_sign_up)
      execute function private.clear_replaced_sign_up();
  end if;
end
$$;
