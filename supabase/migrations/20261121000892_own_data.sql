-- Consent to marketing as the account page shows and changes it. The ledger gets a row for each change, in the words that stood next
-- to the switch; the list of subscribers follows.
create function public.marketing_consent() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(
      (select jsonb_build_object(
          -- The link in a mail ends it too, and says so on the list.
          'is_given', c.is_given and not exists (
            select from public.newsletter_signups s where s.email = c.email and s.unsubscribed_at > c.created_at),
          'wording', c.wording, 'changed_at', c.created_at)
        from public.marketing_consents c
        where c.customer_id = (select auth.uid()) and private.is_proven() order by c.id desc limit 1),
      jsonb_build_object('is_given', false, 'wording', null, 'changed_at', null))
  $$;
comment on function public.marketing_consent() is
  'What the caller has agreed to, in which words and when. Only what was said with this account: an address alone proves nothing.';
grant execute on function public.marketing_consent() to authenticated;

create function private.write_consent(customer public.profiles, is_given boolean, wording text) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.marketing_consents (email, customer_id, is_given, source, wording)
    values (customer.email, customer.id, write_consent.is_given, 'account page', write_consent.wording);
    if write_consent.is_given then
      insert into public.newsletter_signups (email, source, accepted_terms) values (customer.email, 'shop', true)
      on conflict on constraint email_already_signed_up do update set unsubscribed_at = null;
    else
      update public.newsletter_signups s set unsubscribed_at = coalesce(s.unsubscribed_at, now())
      where s.email = lower(customer.email);
    end if;
  end
  $$;

create function public.set_marketing_consent(is_given boolean, wording text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    customer public.profiles;
  begin
    select * into customer from public.profiles p where p.id = (select auth.uid()) and p.email is not null and private.is_proven();
    if not found then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    end if;
    perform private.write_consent(customer, set_marketing_consent.is_given, set_marketing_consent.wording);
    return public.marketing_consent();
  end
  $$;
comment on function public.set_marketing_consent(boolean, text) is 'Gives or withdraws consent to marketing mail, in the words that were shown.';
grant execute on function public.set_marketing_consent(boolean, text) to authenticated;

-- Everything that is kept about an account, as POPIA s23 lets its owner ask for. Messages and photos that were sent without signing
-- in belong to no account: an address that somebody typed does not prove that they may read them.
create function public.export_my_data() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    me uuid := (select auth.uid());
  begin
    if me is null or not private.is_proven() then
      perform private.refuse(401, 'not_signed_in', 'Please sign in first.');
    end if;
    return jsonb_build_object(
      'exported_at', now(),
      'account', (
        select jsonb_build_object('id', u.id, 'email', u.email, 'created_at', u.created_at, 'last_sign_in_at', u.last_sign_in_at,
          'told_at_sign_up', u.raw_user_meta_data)
        from auth.users u where u.id = me),
      'profile', (
        select to_jsonb(p) - 'id' from public.profiles p where p.id = me),
      'roles', (
        select coalesce(jsonb_agg(r.role order by r.role), '[]') from public.user_roles r where r.user_id = me),
      'second_factors', (
        select coalesce(jsonb_agg(jsonb_build_object('type', f.factor_type, 'name', f.friendly_name, 'status', f.status,
          'created_at', f.created_at) order by f.created_at), '[]')
        from auth.mfa_factors f where f.user_id = me),
      'sessions', (
        select coalesce(jsonb_agg(jsonb_build_object('created_at', s.created_at, 'address', s.ip, 'browser', s.user_agent)
          order by s.created_at), '[]')
        from auth.sessions s where s.user_id = me),
      'orders', (
        select coalesce(jsonb_agg(private.order_document(o) order by o.order_number), '[]')
        from public.orders o where o.customer_id = me and o.placed_at is not null),
      'cart', (
        select coalesce(jsonb_agg(to_jsonb(c) - 'user_id' order by c.created_at), '[]')
        from public.cart_items c where c.user_id = me),
      'marketing_consents', (
        select coalesce(jsonb_agg(to_jsonb(c) - 'customer_id' order by c.id), '[]')
        from public.marketing_consents c where c.customer_id = me),
      'mails_about_orders', (
        select coalesce(jsonb_agg(jsonb_build_object('order_number', o.order_number, 'subject', m.subject, 'sent_to', m.sent_to,
          'sent_at', m.sent_at) order by m.created_at), '[]')
        from public.mails m join public.orders o on o.id::text = m.props ->> 'orderId'
        where o.customer_id = me and m.recipient is not null and m.status = 'sent'));
  end
  $$;
comment on function public.export_my_data() is 'All that the shop keeps about the caller''s account, as one JSON document.';
grant execute on function public.export_my_data() to authenticated;
