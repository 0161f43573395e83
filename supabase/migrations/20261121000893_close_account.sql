-- Closing an account. It takes a proof from the last minutes, because a screen that was left open may not end an account for good.
-- What goes: sign-in, profile, cart, sessions. What stays: orders with the name and address they were sent to, for the five years that
-- tax law asks (Tax Administration Act s29), and the ledger of consent, which has to prove the withdrawal.
create function private.proved_recently(within interval) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max((proof ->> 'timestamp')::bigint) > extract(epoch from now() - proved_recently.within), false)
    from jsonb_array_elements(case when jsonb_typeof(auth.jwt() -> 'amr') = 'array' then auth.jwt() -> 'amr' else '[]' end) as proof
  $$;
comment on function private.proved_recently(interval) is 'Whether password, link or factor was shown within this time, as the token says.';

create function public.close_account() returns void
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

    perform private.lock_customer(customer.id);
    delete from public.orders o where o.customer_id = customer.id and o.placed_at is null;
    perform private.cancel_order(o.id, 'customer')
    from public.orders o where o.customer_id = customer.id and o.status = 'pending_payment';
    if customer.email is not null then
      perform private.write_consent(customer, false, 'I close my account.');
      perform private.queue_mail('account-closed:' || customer.id, 'account-closed', customer.email, '{}');
    end if;
    delete from auth.users u where u.id = customer.id;
  end
  $$;
comment on function public.close_account() is
  'Ends the caller''s account for good: unpaid orders are cancelled, paid ones stay without the account.';
grant execute on function public.close_account() to authenticated;

-- What the law no longer asks for: five years after the last thing that happened to it, an order without an account keeps its figures
-- and loses its person. The clock's job calls it every month.
create function private.forget_old_customers() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    forgotten int;
  begin
    update public.orders o
    set customer_name = null, customer_email = null, customer_phone = null, notes = null, locker_location = null,
      shipping_address = 'Erased', shipping_city = 'Erased', shipping_state = 'Erased', shipping_zip = '0000'
    where o.customer_id is null and o.updated_at < now() - interval '5 years' and o.shipping_address <> 'Erased';
    get diagnostics forgotten = row_count;
    return forgotten;
  end
  $$;
comment on function private.forget_old_customers() is 'How many orders lost name and address because their time is over.';
