-- Clients: accounts without a staff role, as admins see them. find_client() is the gate of all functions here.

-- Not granted: update, delete. Notes stay as written.
comment on table public.client_notes is 'Internal notes of admins about a client.';
comment on column public.client_notes.author_id is 'No foreign key: the note outlives its author''s account.';
comment on column public.client_notes.body is 'Plain text of 1 to 2000 characters.';
comment on column public.client_notes.client_id is 'The client. The note is deleted with the account.';
grant select on public.client_notes to authenticated;
grant insert (client_id, body) on public.client_notes to authenticated;

create policy select_as_admin on public.client_notes for select to authenticated
  using ((select private.is_admin()));

create policy insert_as_admin on public.client_notes for insert to authenticated
  with check ((select private.is_admin()));

-- Runs with the caller's rights. staff_ids() and is_admin() are in subqueries, so that they run once for a statement.
create or replace view public.clients with (security_invoker = true) as
  select p.* from public.profiles p
  where p.id <> all ((select private.staff_ids())::uuid[]) and (select private.is_admin());
comment on view public.clients is 'Profiles of all accounts without a staff role. Empty for callers who are not admins.';
grant select on public.clients to authenticated;

create or replace function private.find_client(client_id uuid) returns public.profiles
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    client public.profiles;
  begin
    perform private.require_admin();
    select * into client from public.profiles p where p.id = find_client.client_id;
    if not found then
      perform private.refuse(404, 'client_not_found', 'There is no such client.');
    end if;
    return client;
  end
  $$;
comment on function private.find_client is 'Returns the client. Errors: insufficient_privilege unless the caller is an admin, client_not_found.';

-- Spend counts as the dashboard counts revenue: paid orders that are not cancelled, net of refunds.
create or replace function public.get_client(client_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(get_client.client_id);
  begin
    return (
      select to_jsonb(client) || jsonb_build_object(
        'is_admin', private.is_admin_account(client.id),
        'last_sign_in_at', (select u.last_sign_in_at from auth.users u where u.id = client.id),
        'orders', count(*),
        'paid_orders', count(*) filter (where is_earned),
        'spend', coalesce(sum(o.total_amount - refunded) filter (where is_earned), 0),
        'refunded', coalesce(sum(refunded) filter (where is_earned), 0),
        'last_order_at', max(o.created_at),
        'consent', private.consent_of(client.id),
        'duplicates', private.duplicate_clients(client))
      from public.orders o, lateral (
        select o.paid_at is not null and o.status <> 'cancelled' as is_earned,
          (select coalesce(sum(c.amount), 0) from private.counted_refunds c where c.order_id = o.id) as refunded) as earned
      where o.customer_id = client.id and o.placed_at is not null);
  end
  $$;
comment on function public.get_client is 'A client with orders, spend and refunds in rand, consent and possible duplicates. Admins only. Error: client_not_found.';
grant execute on function public.get_client to authenticated;

-- At most ten, found by the indexes on the normalised address and phone.
create or replace function private.duplicate_clients(client public.profiles) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_agg(jsonb_build_object('id', p.id, 'full_name', p.full_name, 'email', p.email, 'phone', p.phone,
        'created_at', p.created_at, 'problem', private.merge_problem(client, p),
        'orders', (select count(*) from public.orders o where o.customer_id = p.id and o.placed_at is not null))
      order by p.created_at), '[]')
    from (
      select * from public.profiles p
      where p.id <> client.id
        and (private.normalise_email(p.email) = private.normalise_email(client.email)
          or private.normalise_phone(p.phone) = private.normalise_phone(client.phone))
      order by p.created_at limit 10
    ) as p
  $$;
comment on function private.duplicate_clients is
  'Accounts with the same mailbox or phone, each with the reason why it cannot be merged, if any.';

-- For clients who ask the shop instead of closing the account themselves. Admin accounts are refused.
create or replace function public.erase_client(client_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(erase_client.client_id);
  begin
    perform private.lock_customer(client.id);
    perform from public.profiles p where p.id = client.id for update;
    if private.is_admin_account(client.id) then
      perform private.refuse(409, 'client_is_admin', 'This is an administrator''s account. Only its owner can close it.');
    end if;
    perform private.end_account(client, 'Erased on request.', 'the shop, on request');
  end
  $$;
comment on function public.erase_client is 'Ends a client''s account at their request, as close_account() does. Admins only. Errors: client_not_found, client_is_admin.';
grant execute on function public.erase_client to authenticated;

create or replace function public.export_client(client_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(export_client.client_id);
  begin
    return private.personal_data(client.id);
  end
  $$;
comment on function public.export_client is 'The data export of a client, as export_my_data() returns it. Admins only. Error: client_not_found.';
grant execute on function public.export_client to authenticated;

-- Searches as the owner after checking the caller once: under row level security no index could serve. A whole e-mail address or
-- phone number is looked up in its index; everything else uses trigrams.
create or replace function public.search_clients(term text, at_most int default 1000) returns setof public.profiles
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted text := lower(btrim(term));
    digits text := regexp_replace(wanted, '\D', '', 'g');
    typed_phone text := case when length(digits) >= 9 then private.normalise_phone(wanted) end;
    typed_email text := case when private.is_email(wanted) then private.normalise_email(wanted) end;
    staff uuid[] := private.staff_ids();
  begin
    perform private.require_admin();
    if typed_email is not null then
      return query select * from public.profiles p
        where private.normalise_email(p.email) = typed_email and p.id <> all (staff) order by p.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    return query
      select * from public.profiles p
      where p.id in (
        select w.id from public.profiles w where private.client_search_text(w) like '%' || private.like_pattern(wanted) || '%'
        union select n.id from public.profiles n where private.normalise_phone(n.phone) = typed_phone
        union select d.id from public.profiles d
          where private.client_search_text(d) like case when length(digits) >= 9 then '%' || right(digits, 9) || '%' end)
        and p.id <> all (staff)
      order by p.created_at desc limit at_most;
  end
  $$;
comment on function public.search_clients is 'Clients that match a term (name, e-mail, phone in any spelling, town), newest first. Admins only.';
grant execute on function public.search_clients to authenticated;
