-- Promo codes: the tables, their administration, and the calls of the shop and the admin area about a code.
--
-- Admins create and edit codes. Customers never read the table: validate_promo_code() answers for one code at a time.
-- The uses of a code are written by orders only (rules.sql).
-- Codes are stored in upper case and compared by private.promo_code_key(), which takes O for 0: codes that read alike
-- cannot both exist.

comment on table public.promo_codes is 'Codes that take something off an order.';
comment on column public.promo_codes.discount_type is 'percentage or fixed.';
comment on column public.promo_codes.discount_value is 'Per cent of the subtotal (percentage), or rand (fixed).';
comment on column public.promo_codes.min_order_amount is
  'Subtotal in rand from which the code is valid; equal is enough.';
comment on column public.promo_codes.usage_limit is 'Orders in total. Null: unlimited.';
comment on column public.promo_codes.per_customer_limit is
  'Orders of one customer, recognised by account, e-mail or phone. Null: unlimited.';
comment on column public.promo_codes.first_order_only is 'Valid only for customers without a paid order.';
comment on column public.promo_codes.times_used is 'Uses that count now. Written by the trigger count_promo_uses only.';
comment on column public.promo_codes.starts_at is 'First moment of validity. Null: at once.';
comment on column public.promo_codes.expires_at is 'End of validity. Null: none.';
comment on column public.promo_codes.free_shipping is 'The order also pays no shipping.';
comment on column public.promo_codes.code is 'As shown to customers. Compared by promo_code_key().';
comment on column public.promo_codes.is_active is 'Switched off codes are refused.';

-- Not granted: insert and update of times_used, because a limit whose count can be reset is none.
grant select, delete on public.promo_codes to authenticated, service_role;
grant insert (
    code, discount_type, discount_value, min_order_amount, usage_limit, per_customer_limit,
    first_order_only, starts_at, expires_at, is_active, free_shipping)
  on public.promo_codes to authenticated, service_role;
grant update (
    code, discount_type, discount_value, min_order_amount, usage_limit, per_customer_limit,
    first_order_only, starts_at, expires_at, is_active, free_shipping)
  on public.promo_codes to authenticated, service_role;

create policy select_as_admin on public.promo_codes for select to authenticated
  using ((select private.is_admin()));

create policy insert_as_admin on public.promo_codes for insert to authenticated
  with check ((select private.is_admin()));

create policy update_as_admin on public.promo_codes for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy delete_as_admin on public.promo_codes for delete to authenticated
  using ((select private.is_admin()));

comment on table public.promo_redemptions is
  'Uses of promo codes: which order uses which code, and the person it counts for.';
comment on column public.promo_redemptions.customer_id is 'The account. Null for an order placed without one.';
comment on column public.promo_redemptions.email is 'Normalised, so that all spellings of an address are equal.';
comment on column public.promo_redemptions.phone is 'Normalised: +27821234567.';
comment on column public.promo_redemptions.released_at is
  'When the order released the use: it was cancelled or expired. Null: the use counts.';

-- Not granted: insert, update, delete. Placing redeems a code, cancelling releases it.
grant select on public.promo_redemptions to authenticated, service_role;

create policy select_as_admin on public.promo_redemptions for select to authenticated
  using ((select private.is_admin()));

-- Not granted: find_promo() is the only reader and writer.
comment on table private.promo_code_attempts is
  'Codes that do not exist and that an account has tried within about an hour.';
comment on column private.promo_code_attempts.code is
  'What was typed, as promo_code_key() writes it. One row for each different code.';
comment on column private.promo_code_attempts.attempted_at is
  'When it was first typed. Attempts older than the limit''s window do not count.';

-- Stores a code as it is shown: upper case, without surrounding white space.
create or replace function private.upper_case_code() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.code := upper(btrim(new.code));
    return new;
  end
  $$;

create trigger upper_case_code before insert or update of code on public.promo_codes
  for each row execute function private.upper_case_code();

-- Deleting a code takes it off its orders, and a cancellation locks the order before the code. So the orders are locked first: all
-- that have a code, because a trigger before a statement does not know its rows.
create or replace function private.lock_orders_with_codes() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform from public.orders o where o.promo_code_id is not null order by o.id for no key update;
    return null;
  end
  $$;

create trigger lock_orders_first before delete on public.promo_codes
  for each statement execute function private.lock_orders_with_codes();

-- The question of the cart page "is this code valid for me?". The page checks the minimum itself: it knows the cart.
-- For a code that is not valid it returns only the reason. Volatile, because find_promo() counts unknown codes.
-- Security definer: customers cannot read codes. It checks the second factor first.
create or replace function public.validate_promo_code(code_input text)
  returns table (is_valid boolean, error_message text, id uuid, code text, discount_type text, discount_value numeric,
    min_order_amount numeric, times_used int, usage_limit int, expires_at timestamptz, free_shipping boolean)
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    asker public.profiles;
    problem text;
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    promo := private.find_promo(code_input);
    select * into asker from public.profiles p where p.id = (select auth.uid());
    problem := private.promo_problem(promo, asker.id, asker.email, asker.phone);

    if problem is not null then
      return query select false, private.promo_sentence(problem), null::uuid, null, null, null::numeric, null::numeric,
        null::int, null::int, null::timestamptz, null::boolean;
    else
      return query select true, null, promo.id, promo.code, promo.discount_type, promo.discount_value,
        promo.min_order_amount, promo.times_used, promo.usage_limit, promo.expires_at, promo.free_shipping;
    end if;
  end
  $$;
comment on function public.validate_promo_code is
  'One row: is_valid with the code''s terms, or error_message. Amounts are rand; the minimum is not checked. For '
  'signed-in customers. Refuses too_many_codes, promo_needs_post, not_signed_in.';
grant execute on function public.validate_promo_code to authenticated, service_role;

-- The specified browser calls this after an order with a code. Placing has counted the use already, so the call only
-- reads: it cannot count a use twice or for another customer's order.
-- Security definer: customers cannot read redemptions. It checks the second factor first.
create or replace function public.increment_promo_usage(code_id uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    return exists (
      select from public.promo_redemptions r
      where r.promo_code_id = code_id and r.customer_id = (select auth.uid()) and r.released_at is null);
  end
  $$;
comment on function public.increment_promo_usage is
  'Whether an order of the caller''s counts as a use of the code. Writes nothing. For signed-in customers.';
grant execute on function public.increment_promo_usage to authenticated, service_role;

-- The preview in the code's form: an order with these terms is calculated by the rules of real orders. An unsaved code
-- has no uses; of a saved one the present uses count.
-- Security definer: reads profiles and orders. require_admin() comes first.
create or replace function public.test_promo_code(terms jsonb, cart_subtotal numeric, customer_email text default null)
  returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    customer public.profiles;
    problem text;
    price private.price;
  begin
    perform private.require_admin();
    select * into promo from public.promo_codes p where p.id = (terms ->> 'id')::uuid;
    promo := jsonb_populate_record(promo, terms - array['id', 'times_used']);
    promo.id := coalesce(promo.id, gen_random_uuid());
    promo.times_used := coalesce(promo.times_used, 0);
    select * into customer from public.profiles p where lower(p.email) = lower(btrim(customer_email)) limit 1;

    problem := private.promo_problem(promo, customer.id, coalesce(customer.email, customer_email), customer.phone);
    if problem is null and cart_subtotal < promo.min_order_amount then
      problem := 'below_minimum';
    end if;
    price := private.calculate_price(cart_subtotal, case when problem is null then promo end);
    return to_jsonb(price) || jsonb_build_object(
      'problem', problem, 'message', private.promo_sentence(problem, promo.min_order_amount));
  end
  $$;
comment on function public.test_promo_code is
  'What a cart of cart_subtotal (rand) would cost with these terms (columns of promo_codes as JSON, saved or '
  'not): {subtotal, shipping, discount, total, problem, message}. customer_email: evaluate for this customer. Writes '
  'nothing. For admins.';
grant execute on function public.test_promo_code to authenticated;
