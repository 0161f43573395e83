-- Export and closing of accounts, as POPIA s23 and s24 give customers the right to. Admins do the same at a client's request
-- (admin/clients.sql); both use personal_data() and end_account().
--
-- Kept after an account ends: placed orders with name and address, and the ledger of consents, which proves the withdrawal; retention.sql
-- says how long.

create or replace function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if (select auth.uid()) is null or not private.has_aal2() then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    end if;
    return private.personal_data((select auth.uid()));
  end
  $$;
comment on function public.export_my_data is 'All data about the caller''s account as one JSON document. Error: not_signed_in.';
grant execute on function public.export_my_data to authenticated;

-- Messages and photos sent without signing in are left out: a typed address does not prove whose they are.
create or replace function private.personal_data(person uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object(
      'exported_at', now(),
      'account', (
        select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
          'told_at_sign_up', u.raw_user_meta_data)
        from auth.users u where u.id = person),
      'profile', (
        select to_jsonb(p) - 'id' from public.profiles p where p.id = person),
      'roles', (
        select coalesce(jsonb_agg(r.role order by r.role), '[]') from public.user_roles r where r.user_id = person),
      'second_factors', (
        select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'status', f.status,
          'created_at', f.created_at) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = person),
      'sessions', (
        select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'address', s.ip, 'browser', s.user_agent)
          order by s.created_at), '[]')
        from auth.sessions s where s.user_id = person),
      'orders', (
        select coalesce(jsonb_agg(private.order_document(o) order by o.order_number), '[]')
        from public.orders o where o.customer_id = person and o.placed_at is not null),
      'cart', (
        select coalesce(jsonb_agg(to_jsonb(c) - '{user_id,merged_line,merged_quantity}'::text[] order by c.created_at), '[]')
        from public.cart_items c where c.user_id = person),
      'marketing_consents', (
        select coalesce(jsonb_agg(to_jsonb(c) - 'customer_id' order by c.id), '[]')
        from public.marketing_consents c where c.customer_id = person),
      'mails_about_orders', (
        select coalesce(jsonb_agg(jsonb_build_object('order_number', o.order_number, 'subject', m.subject, 'sent_to', m.sent_to,
          'sent_at', m.sent_at) order by m.created_at), '[]')
        from public.mails m join public.orders o on o.id::text = m.props ->> 'orderId'
        where o.customer_id = person and m.recipient is not null and m.status = 'sent'))
  $$;
comment on function private.personal_data is 'All data about an account. The caller checks the right to it.';

-- Requires a proof of identity from the last ten minutes, because an unattended screen must not end an account.
create or replace function public.close_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    customer public.profiles;
  begin
    -- Without the lock, two remaining admins could leave at the same time.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    perform private.lock_customer((select auth.uid()));
    select * into customer from public.profiles p where p.id = (select auth.uid()) and private.has_aal2() for update;
    if not found then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    elsif not private.proved_recently('10 minutes') then
      perform private.refuse(403, 'not_proven_recently', 'Please confirm once more that it is you.');
    elsif private.is_admin() and (select count(distinct r.user_id) from public.user_roles r where r.role = 'admin') = 1 then
      perform private.refuse(409, 'last_admin', 'You are the only administrator. Make another account an administrator first.');
    end if;
    perform private.end_account(customer, 'I close my account.');
  end
  $$;
comment on function public.close_account is
  'Ends the caller''s account: unpaid orders are cancelled, and all placed ones stay without it. Errors: not_signed_in, not_proven_recently, last_admin.';
grant execute on function public.close_account to authenticated;

-- Deleting the auth user deletes profile, cart, sessions and notes by foreign keys, and takes the account off its orders.
create or replace function private.end_account(customer public.profiles, wording text, source text default 'account page') returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from public.orders o where o.customer_id = customer.id and o.placed_at is null;
    perform private.lock_orders(array(
      select o.id from public.orders o where o.customer_id = customer.id and o.status = 'pending_payment'));
    perform private.cancel_order(o.id, 'customer')
    from public.orders o where o.customer_id = customer.id and o.status = 'pending_payment';
    if customer.email is not null then
      perform private.record_consent(customer, false, end_account.wording, end_account.source);
      perform private.queue_mail('account-closed:' || customer.id, 'account-closed', customer.email, '{}');
    end if;
    delete from auth.users u where u.id = customer.id;
  end
  $$;
comment on function private.end_account is 'Ends an account. The caller checks the right to do so and locks the customer. `wording` and `source` are recorded with the withdrawn consent.';
