-- One client on one page: what they bought, what they agreed to, who else they may be.

-- The same person under another account shows by the same mailbox or the same phone, in whatever spelling.
create index profiles_normal_email_idx on public.profiles (private.normal_email(email));
create index profiles_normal_phone_idx on public.profiles (private.normal_phone(phone));

create function private.consent_of(customer uuid) returns jsonb
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
        where c.customer_id = consent_of.customer order by c.id desc limit 1),
      jsonb_build_object('is_given', false, 'wording', null, 'changed_at', null))
  $$;
comment on function private.consent_of(uuid) is
  'What was agreed to with this account, in which words and when: an address alone proves nothing.';

create or replace function public.marketing_consent() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$ select private.consent_of(case when private.is_proven() then (select auth.uid()) end) $$;
comment on function public.marketing_consent() is 'What the caller has agreed to, in which words and when.';

create function private.is_admin_account(account uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select exists (select from public.user_roles r where r.user_id = account and r.role = 'admin') $$;
comment on function private.is_admin_account(uuid) is 'Whether this account, whoever asks, is one of the shop''s own.';

-- Why one account cannot become part of another; null when it can. Whoever keeps the other account sees its orders from then on, and
-- a sign-in ends. So two accounts that have both been signed in to are one person's only if they are one mailbox: two people may
-- share a phone. A client who has two of them closes one on the account page.
create function private.merge_problem(kept public.profiles, merged public.profiles) returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when kept.id = merged.id then 'same_client'
      when private.is_admin_account(merged.id) then 'client_is_admin'
      when exists (select from public.orders o
        where o.customer_id = merged.id and o.placed_at is not null and o.status = 'pending_payment') then 'order_awaits_payment'
      when private.normal_email(kept.email) is distinct from private.normal_email(merged.email)
        and (select count(u.last_sign_in_at) from auth.users u where u.id in (kept.id, merged.id)) = 2 then 'both_signed_in'
    end
  $$;

create function private.duplicates_of(client public.profiles) returns jsonb
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
        and (private.normal_email(p.email) = private.normal_email(client.email)
          or private.normal_phone(p.phone) = private.normal_phone(client.phone))
      order by p.created_at limit 10
    ) as p
  $$;
comment on function private.duplicates_of(public.profiles) is 'Accounts with the same mailbox or phone, and what stands in the way of merging each.';

create function private.find_client(client_id uuid) returns public.profiles
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
comment on function private.find_client(uuid) is 'The client, for an admin; refuses everybody else, and a client who is not there.';

-- Spend is what the dashboard calls revenue: orders that were paid and not cancelled since.
create function public.show_client(client_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    client public.profiles := private.find_client(show_client.client_id);
  begin
    return (
      select to_jsonb(client) || jsonb_build_object(
        'is_admin', private.is_admin_account(client.id),
        'last_sign_in_at', (select u.last_sign_in_at from auth.users u where u.id = client.id),
        'orders', count(*),
        'paid_orders', count(*) filter (where is_earned),
        'spend', coalesce(sum(o.total_amount) filter (where is_earned), 0),
        'last_order_at', max(o.created_at),
        'consent', private.consent_of(client.id),
        'duplicates', private.duplicates_of(client))
      from public.orders o, lateral (select o.paid_at is not null and o.status <> 'cancelled') as earned (is_earned)
      where o.customer_id = client.id and o.placed_at is not null);
  end
  $$;
comment on function public.show_client(uuid) is 'A client with orders, spend, consent and possible duplicates; for staff.';
grant execute on function public.show_client(uuid) to authenticated;
