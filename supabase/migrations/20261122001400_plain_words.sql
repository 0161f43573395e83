-- Texts that shoppers read, in plainer words. The functions are otherwise as before.

-- Paying again for an order whose reservation has expired is refused in the words that the checkout uses.
create or replace function private.start_payment_attempt(order_id uuid, merchant_id text) returns public.payment_attempts
language plpgsql security definer set search_path = '' as $$
declare
  payable public.orders;
  attempt public.payment_attempts;
begin
  select * into payable from public.orders o where o.id = start_payment_attempt.order_id for update;
  if not found then
    perform private.refuse(404, 'order_not_found', 'There is no such order.');
  end if;
  if payable.status <> 'pending_payment' then
    perform private.refuse(409, 'order_not_payable', 'This order does not await payment.');
  end if;
  if not exists (select from public.order_items i where i.order_id = payable.id) then
    perform private.refuse(409, 'order_without_items', 'This order has no items.');
  end if;

  if not private.may_be_paid_now(payable.id) then
    perform private.refuse(409, 'payment_being_confirmed', 'A payment for this order is being confirmed. Please do not pay again.');
  end if;
  if private.renew_hold(payable.id) = 'sold_out' then
    perform private.refuse(409, 'sold_out', 'We no longer have enough of some lures.');
  end if;

  insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount, top_up_id)
    values (
      payable.id, payable.order_number,
      lpad(payable.order_number::text, 5, '0') || '-' || left(replace(gen_random_uuid()::text, '-', ''), 12),
      start_payment_attempt.merchant_id, private.amount_due(payable.id), (private.open_top_up(payable.id)).id)
    returning * into attempt;
  return attempt;
end
$$;

-- A consent is stored with the words that the page shows beside its box. Consents given earlier keep the words they were given to.
create or replace function private.welcome_subscriber(email text, caller uuid, accepted_terms boolean, opted_in boolean) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    words constant text := 'Yes, e-mail me news and offers. I can unsubscribe at any time.';
    listed_email text := lower(btrim(welcome_subscriber.email));
    owner_id uuid := (select p.id from public.profiles p where p.id = caller and lower(p.email) = listed_email);
    has_answered boolean := exists (select from public.marketing_consents c where c.email = listed_email);
    listed public.newsletter_signups;
  begin
    if owner_id is not null and opted_in then
      insert into public.newsletter_signups (email, source, accepted_terms)
        values (listed_email, 'sign_up', welcome_subscriber.accepted_terms)
        on conflict on constraint email_already_signed_up do nothing;
    end if;
    select * into listed from public.newsletter_signups s
      where s.email = listed_email and s.unsubscribed_at is null
        and (owner_id is not null or s.created_at > now() - interval '1 hour' or not has_answered);
    if listed.id is null then
      return case when owner_id is not null then 'without_consent' else 'unknown' end;
    elsif not opted_in then
      return 'without_consent';
    end if;

    if (select c.is_given from public.marketing_consents c where c.email = listed_email order by c.id desc limit 1) then
      return 'confirmed';
    elsif owner_id is not null and private.has_verified_mailbox(owner_id) then
      perform private.confirm_consent(listed, owner_id, words);
      return 'confirmed';
    end if;
    perform private.ask_to_confirm(listed, owner_id, words);
    return 'pending';
  end
  $$;
