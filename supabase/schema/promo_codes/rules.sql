-- Promo code rules: finding a code, whether a customer may use it, and counting its uses.
--
-- A use (promo_redemptions) is redeemed when an order is placed, in its transaction and with the code locked; it is
-- released when the order is cancelled or expires, and deleted with it. So uses are live orders and a limit is exact.
-- Limits by customer count a person: the account, the normalised e-mail address and the normalised phone number.
-- A customer's own unpaid order does not count against that customer, because placing again replaces it.
-- Codes are secret: attempts at codes that do not exist are limited by account and by network.
-- Locks: the code's row, after orders and before variants; several codes in the order of their ids.

-- The one lookup of a code by its text: validate_promo_code(), quote_cart() and orders all come through here. After 20
-- different unknown codes an hour an account gets no answer, not even for right codes; after 100 its network gets none.
-- A refused order rolls back the attempt that it counted: the server limits orders with a code (promoOrderByAddress).
-- Security definer: codes and attempts are not readable for customers. Calls without a user are not limited.
create or replace function private.find_promo(code text) returns public.promo_codes
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    code_key text := left(private.promo_code_key(find_promo.code), 100);
    me uuid := auth.uid();
    network text := private.caller_network();
    promo public.promo_codes;
    is_new boolean;
  begin
    if code_key = '' or code_key is null then
      return null;
    end if;
    if me is not null then
      -- An unknown code is recorded, which a read-only transaction (GET) cannot do.
      if current_setting('transaction_read_only') = 'on' then
        perform private.refuse(405, 'promo_needs_post', 'Use POST to check a promo code.');
      end if;
      -- Serialises the lookups of one account: otherwise a hundred at once would all pass the limit.
      perform pg_advisory_xact_lock(hashtextextended('promo codes of ' || me, 0));
      if (select count(*) from private.promo_code_attempts g
             where g.customer_id = me and g.attempted_at > now() - interval '1 hour') >= 20 then
        perform private.refuse(429, 'too_many_codes', 'You have tried too many promo codes. Please try again in an hour.');
      end if;
      perform private.limit_promo_code_attempts(network);
    end if;

    select * into promo from public.promo_codes p where private.promo_code_key(p.code) = code_key;
    if promo.id is null and me is not null then
      delete from private.promo_code_attempts g where g.customer_id = me and g.attempted_at < now() - interval '1 hour';
      insert into private.promo_code_attempts (customer_id, code) values (me, code_key)
        on conflict on constraint promo_code_attempts_pkey do update set attempted_at = now()
        returning xmax = 0 into is_new;
      -- The same unknown code of one account counts once, however often it is typed.
      if is_new and network is not null and not auth.count_try('promo guess', network, 100, 3600) then
        perform private.refuse(429, 'too_many_codes', 'You have tried too many promo codes. Please try again in an hour.');
      end if;
    end if;
    return promo;
  end
  $$;
comment on function private.find_promo is
  'The promo code with this text, in any case and with O for 0, or null. Counts unknown codes against the '
  'caller''s limits. Refuses too_many_codes, promo_needs_post.';

-- The limit of all networks of a caller (auth.has_try): an IPv6 /48 counts as well as its /64, because a provider may
-- give one customer 65 536 of the latter.
-- Security definer: rate limits are not readable.
create or replace function private.limit_promo_code_attempts(network text) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  begin
    if network is not null and not auth.has_try('promo guess', network, 100, 3600) then
      perform private.refuse(429, 'too_many_codes', 'You have tried too many promo codes. Please try again in an hour.');
    end if;
  end
  $$;
comment on function private.limit_promo_code_attempts is
  'Refuses too_many_codes when the network has tried 100 unknown codes within an hour. Null: no limit.';

create or replace function private.require_valid_promo(promo public.promo_codes, buyer public.orders, subtotal numeric)
  returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    problem text := private.promo_problem(
      promo, buyer.customer_id, buyer.customer_email, buyer.customer_phone, buyer.id);
  begin
    if problem is null and subtotal < promo.min_order_amount then
      problem := 'below_minimum';
    end if;
    if problem is not null then
      perform private.refuse(409, 'promo_invalid', private.promo_sentence(problem, promo.min_order_amount),
        jsonb_build_object('problem', problem));
    end if;
  end
  $$;
comment on function private.require_valid_promo is
  'Refuses promo_invalid with {problem} unless the code is valid for this order and subtotal (rand). promo may be '
  'null.';

-- A first-order code counts unpaid orders with it as well: two accounts of one person could otherwise both have an
-- unpaid order with it, and both would be the first.
-- The minimum is not checked here, because it depends on the cart; the callers add below_minimum.
create or replace function private.promo_problem(
    promo public.promo_codes, customer uuid, email text, phone text, own_order uuid default null)
  returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    own_unpaid int;
    own_uses int;
  begin
    if promo.id is null then
      return 'unknown';
    elsif not promo.is_active then
      return 'inactive';
    elsif promo.starts_at > now() then
      return 'not_started';
    elsif promo.expires_at <= now() then
      return 'expired';
    end if;

    select count(*) filter (where unpaid), count(*) filter (where own and not unpaid) into own_unpaid, own_uses
    from (
      -- The next order replaces an unpaid one and releases its use, but not one whose money waits (without expires_at).
      select r.order_id is not distinct from own_order
          or coalesce(r.customer_id = customer and o.status = 'pending_payment' and o.expires_at is not null, false) as unpaid,
        r.customer_id = customer
          or r.email = private.normalise_email(promo_problem.email)
          or r.phone = private.normalise_phone(promo_problem.phone) as own
      from public.promo_redemptions r
      join public.orders o on o.id = r.order_id
      where r.promo_code_id = promo.id and r.released_at is null
    ) as uses;

    if promo.times_used - own_unpaid >= promo.usage_limit then
      return 'used_up';
    elsif own_uses >= promo.per_customer_limit then
      return 'already_used';
    elsif promo.first_order_only and (own_uses > 0 or private.has_ordered(customer, email, phone)) then
      return 'not_first_order';
    end if;
    return null;
  end
  $$;
comment on function private.promo_problem is
  'Why a customer may not use a code: unknown, inactive, not_started, expired, used_up, already_used or '
  'not_first_order; null: valid. customer: the account, or null. own_order: the order whose use does not count, or null.';

create or replace function private.promo_sentence(problem text, minimum numeric default null) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case problem
      when 'unknown' then 'This promo code is not valid'
      when 'inactive' then 'This promo code is no longer active'
      when 'not_started' then 'This promo code is not active yet'
      when 'expired' then 'This promo code has expired'
      when 'used_up' then 'This promo code has been used up'
      when 'already_used' then 'You have already used this promo code'
      when 'not_first_order' then 'This promo code is for a first order only'
      when 'below_minimum' then 'Minimum order of R' || replace(minimum::numeric(10, 2)::text, '.00', '') || ' required for this code'
    end
  $$;
comment on function private.promo_sentence is
  'The sentence for a problem of a promo code. minimum: rand, for below_minimum only.';

create or replace function private.has_ordered(customer uuid, email text, phone text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.orders o
      where o.status not in ('pending_payment', 'cancelled')
        and (o.customer_id = customer
          or private.normalise_email(o.customer_email) = private.normalise_email(has_ordered.email)
          or private.normalise_phone(o.customer_phone) = private.normalise_phone(has_ordered.phone))
    )
  $$;
comment on function private.has_ordered is
  'Whether this person, by account, e-mail or phone, has a paid order that is not cancelled.';

-- Redeeming writes the normalised forms, so that other spellings of an address or a number count as the same person.
create or replace function private.redeem_promo(placed public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.promo_redemptions (order_id, promo_code_id, customer_id, email, phone)
    values (placed.id, placed.promo_code_id, placed.customer_id,
      private.normalise_email(placed.customer_email), private.normalise_phone(placed.customer_phone));
  end
  $$;

-- A use counts for the account that has its order: staff attach one after placing, merging moves orders, and an account that ends
-- leaves them. Security definer: redemptions are in no grant.
create or replace function private.move_promo_use() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.promo_redemptions r set customer_id = new.customer_id where r.order_id = new.id;
    return null;
  end
  $$;

create trigger move_promo_use after update of customer_id on public.orders
  for each row when (new.promo_code_id is not null and old.customer_id is distinct from new.customer_id)
  execute function private.move_promo_use();

create or replace function private.lock_promo_codes(codes uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.promo_codes p where p.id = any (codes) order by p.id for no key update;
  end
  $$;
comment on function private.lock_promo_codes is
  'Locks promo codes in the order of their ids, so that two orders wait instead of deadlocking. Nulls lock nothing.';

-- Keeps promo_codes.times_used equal to the uses that are not released, in the same transaction.
-- Security definer: times_used is in no grant.
create or replace function private.count_promo_uses() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    before int := case when tg_op <> 'INSERT' and old.released_at is null then 1 else 0 end;
    after int := case when tg_op <> 'DELETE' and new.released_at is null then 1 else 0 end;
  begin
    if before <> after then
      update public.promo_codes set times_used = times_used + after - before
      where id = coalesce(new.promo_code_id, old.promo_code_id);
    end if;
    return null;
  end
  $$;

create trigger count_promo_uses
  after insert or delete or update of released_at on public.promo_redemptions
  for each row execute function private.count_promo_uses();
