-- Merging two accounts of one person, in one transaction.
--
-- Orders, notes, consents, promo code uses and waiting stock alerts move to the account that is kept; blanks of its profile are filled in;
-- the other account ends with its sign-in and cart. The kept account must have a verified mailbox, because it receives another's orders.

-- The first reason why two accounts cannot be merged, or null.
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
      when private.normalise_email(kept.email) is distinct from private.normalise_email(merged.email)
        and (select count(u.last_sign_in_at) from auth.users u where u.id in (kept.id, merged.id)) = 2 then 'both_signed_in'
    end
  $$;

-- Merging changes no consent: if the moved rows would, a further row restores what held for the kept account. Returns the number of
-- rows moved.
create or replace function private.keep_consent(kept public.profiles, merged public.profiles) returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    before jsonb := private.consent_of(kept.id);
    moved int;
  begin
    update public.marketing_consents c set customer_id = kept.id where c.customer_id = merged.id;
    get diagnostics moved = row_count;
    if private.consent_of(kept.id) -> 'is_given' <> before -> 'is_given' then
      -- record_consent() would also change the list of subscribers, which is correct already.
      insert into public.marketing_consents (email, customer_id, is_given, source, wording)
      values (kept.email, kept.id, (before ->> 'is_given')::boolean, 'the shop, merging accounts',
        coalesce(before ->> 'wording', 'Nothing was agreed to with this account.'));
    end if;
    return moved;
  end
  $$;

-- Drafts of the merged account are deleted; everything else moves.
create or replace function private.move_client(kept public.profiles, merged public.profiles) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    orders int;
    notes int;
    consents int := private.keep_consent(kept, merged);
  begin
    delete from public.orders o where o.customer_id = merged.id and o.placed_at is null;
    update public.orders o set customer_id = kept.id where o.customer_id = merged.id;
    get diagnostics orders = row_count;
    update public.client_notes n set client_id = kept.id where n.client_id = merged.id;
    get diagnostics notes = row_count;
    -- The alerts of a verified mailbox end with its account (delete_stock_alerts).
    if private.has_verified_mailbox(merged.id) then
      update public.stock_alerts a set email = lower(kept.email)
      where a.email = lower(merged.email) and a.mailed_at is null and a.withdrawn_at is null and not exists (
        select from public.stock_alerts same where same.variant_id = a.variant_id and same.email = lower(kept.email)
          and same.mailed_at is null and same.withdrawn_at is null);
    end if;

    update public.profiles p set
      full_name = coalesce(nullif(p.full_name, ''), merged.full_name),
      phone = coalesce(nullif(p.phone, ''), merged.phone),
      address = coalesce(nullif(p.address, ''), merged.address),
      city = coalesce(nullif(p.city, ''), merged.city),
      state = coalesce(nullif(p.state, ''), merged.state),
      zip_code = coalesce(nullif(p.zip_code, ''), merged.zip_code)
    where p.id = kept.id;
    return jsonb_build_object('orders', orders, 'notes', notes, 'consents', consents);
  end
  $$;

-- Both customers are locked in the order of their ids, so that neither places an order meanwhile and two opposite merges cannot
-- deadlock. They are read again after the locks.
create or replace function public.merge_clients(kept_id uuid, merged_id uuid) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kept public.profiles := private.find_client(merge_clients.kept_id);
    merged public.profiles := private.find_client(merge_clients.merged_id);
    problem text;
    moved jsonb;
  begin
    perform private.lock_customer(least(kept.id, merged.id));
    perform private.lock_customer(greatest(kept.id, merged.id));
    kept := private.find_client(kept.id);
    merged := private.find_client(merged.id);

    problem := private.merge_problem(kept, merged);
    if problem = 'same_client' then
      perform private.refuse(409, 'same_client', 'This is the same account twice.');
    elsif problem = 'client_is_admin' then
      perform private.refuse(409, 'client_is_admin', 'This is an administrator''s account. Only its owner can close it.');
    elsif problem = 'mailbox_not_verified' then
      perform private.refuse(409, 'mailbox_not_verified',
        'The account to keep has not confirmed its e-mail address. Ask the client to reset their password once; that confirms it.');
    elsif problem = 'order_awaits_payment' then
      perform private.refuse(409, 'order_awaits_payment', 'The other account has an order that is waiting for payment.');
    elsif problem = 'both_signed_in' then
      perform private.refuse(409, 'both_signed_in',
        'Both accounts have been used to sign in, and two people may share a phone. Ask the client to close one of them.');
    end if;

    moved := private.move_client(kept, merged);
    insert into public.client_notes (client_id, body)
    values (kept.id, 'Merged with ' || coalesce(merged.email, 'an account without e-mail') || ', an account since '
      || to_char(merged.created_at at time zone 'Africa/Johannesburg', 'FMDD FMMonth YYYY') || '.');
    delete from auth.users u where u.id = merged.id;
    return moved;
  end
  $$;
comment on function public.merge_clients is
  'Merges the second account into the first, irreversibly. Returns {orders, notes, consents}. Admins only. Errors: client_not_found, same_client, client_is_admin, mailbox_not_verified, order_awaits_payment, both_signed_in.';
grant execute on function public.merge_clients to authenticated;
