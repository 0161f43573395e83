-- Exporting and ending an account, for its owner and, when the owner asks the shop, for staff. One function gathers, one ends.
create function private.data_of(person uuid) returns jsonb
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
        select coalesce(jsonb_agg(to_jsonb(c) - 'user_id' order by c.created_at), '[]')
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
comment on function private.data_of(uuid) is 'All that the shop keeps about an account, as POPIA s23 lets its owner ask for.';

create or replace function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if (select auth.uid()) is null or not private.is_proven() then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    end if;
    return private.data_of((select auth.uid()));
  end
  $$;

create function public.export_client(client_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(export_client.client_id);
  begin
    return private.data_of(client.id);
  end
  $$;
comment on function public.export_client(uuid) is 'The file that the client''s own account page gives, for staff.';
grant execute on function public.export_client(uuid) to authenticated;

-- The ledger says where a word was given: on the account page, or to the shop.
drop function private.write_consent(public.profiles, boolean, text);
create function private.write_consent(customer public.profiles, is_given boolean, wording text, source text default 'account page')
  returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.marketing_consents (email, customer_id, is_given, source, wording)
    values (customer.email, customer.id, write_consent.is_given, write_consent.source, write_consent.wording);
    if write_consent.is_given then
      insert into public.newsletter_signups (email, source, accepted_terms) values (customer.email, 'shop', true)
      on conflict on constraint email_already_signed_up do update set unsubscribed_at = null;
    else
      update public.newsletter_signups s set unsubscribed_at = coalesce(s.unsubscribed_at, now())
      where s.email = lower(customer.email);
    end if;
  end
  $$;

-- What goes: sign-in, profile, cart, sessions, internal notes. What stays: orders that were paid, with the name and address they were
-- sent to, for the five years that tax law asks, and the ledger of consent, which has to prove the withdrawal.
create function private.end_account(customer public.profiles, wording text, source text default 'account page') returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_customer(customer.id);
    delete from public.orders o where o.customer_id = customer.id and o.placed_at is null;
    perform private.cancel_order(o.id, 'customer')
    from public.orders o where o.customer_id = customer.id and o.status = 'pending_payment';
    if customer.email is not null then
      perform private.write_consent(customer, false, end_account.wording, end_account.source);
      perform private.queue_mail('account-closed:' || customer.id, 'account-closed', customer.email, '{}');
    end if;
    delete from auth.users u where u.id = customer.id;
  end
  $$;
comment on function private.end_account(public.profiles, text, text) is 'Ends an account for good; whether it may is the caller''s question.';

create or replace function public.close_account() returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    customer public.profiles;
  begin
    -- Two last admins who leave at once may not both go.
    perform pg_advisory_xact_lock(hashtextextended('the last admin', 0));
    select * into customer from public.profiles p where p.id = (select auth.uid()) and private.is_proven() for update;
    if not found then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    elsif not private.proved_recently('10 minutes') then
      perform private.refuse(403, 'not_proven_recently', 'Please prove once more that it is you.');
    elsif private.is_admin() and (select count(distinct r.user_id) from public.user_roles r where r.role = 'admin') = 1 then
      perform private.refuse(409, 'last_admin', 'You are the only administrator. Make somebody else one first.');
    end if;
    perform private.end_account(customer, 'I close my account.');
  end
  $$;

-- A client asks the shop instead of pressing the button. Nobody ends a colleague's account this way, nor their own.
create function public.erase_client(client_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(erase_client.client_id);
  begin
    perform from public.profiles p where p.id = client.id for update;
    if private.is_admin_account(client.id) then
      perform private.refuse(409, 'client_is_admin', 'This is an administrator''s account. It is closed by its owner.');
    end if;
    perform private.end_account(client, 'Erased on request.', 'the shop, on request');
  end
  $$;
comment on function public.erase_client(uuid) is 'What close_account does, at the client''s request to the shop; for staff.';
grant execute on function public.erase_client(uuid) to authenticated;
