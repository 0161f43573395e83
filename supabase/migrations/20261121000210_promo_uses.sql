-- Uses of promo codes. A use is claimed when an order is placed, in its transaction and under a lock on the code, and given
-- back when the order is cancelled, expires or is deleted: so the uses are the live orders, and a limit of five is five.
create table public.promo_redemptions (
  order_id      uuid primary key references public.orders on delete cascade,
  promo_code_id uuid not null references public.promo_codes on delete cascade,
  customer_id   uuid,
  email         text,
  phone         text,
  created_at    timestamptz not null default now(),
  released_at   timestamptz
);
comment on table public.promo_redemptions is 'Which order uses which code, and who that counts for.';
comment on column public.promo_redemptions.email is 'Spelled the one way that all spellings of it share, as is phone.';
comment on column public.promo_redemptions.released_at is 'When the order gave the use back; null while it counts.';
create index promo_redemptions_promo_code_id_idx on public.promo_redemptions (promo_code_id) where released_at is null;
alter table public.promo_redemptions enable row level security;
alter table public.promo_redemptions force row level security;

grant select on public.promo_redemptions to authenticated, service_role;
create policy select_as_admin on public.promo_redemptions
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: nothing else is granted: a use is claimed and given back by placing and cancelling.

create function private.count_promo_uses() returns trigger
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
create trigger count_promo_uses after insert or delete or update of released_at on public.promo_redemptions
  for each row execute function private.count_promo_uses();

-- Why a code does not hold for a customer; null when it does. What the same customer's own unpaid order holds does not count,
-- because placing again replaces that order.
create function private.promo_problem(promo public.promo_codes, customer uuid, email text, phone text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    own_waiting int;
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

    select count(*) filter (where waiting), count(*) filter (where own and not waiting) into own_waiting, own_uses
    from (
      select coalesce(r.customer_id = customer and o.status = 'pending_payment', false) as waiting,
        r.customer_id = customer
          or r.email = private.normal_email(promo_problem.email)
          or r.phone = private.normal_phone(promo_problem.phone) as own
      from public.promo_redemptions r
      join public.orders o on o.id = r.order_id
      where r.promo_code_id = promo.id and r.released_at is null
    ) as uses;

    if promo.times_used - own_waiting >= promo.usage_limit then
      return 'used_up';
    elsif own_uses >= promo.per_customer_limit then
      return 'already_used';
    elsif promo.first_order_only and private.has_bought(customer, email, phone) then
      return 'not_first_order';
    end if;
    return null;
  end
  $$;
comment on function private.promo_problem(public.promo_codes, uuid, text, text) is
  'The reason a code is refused for this customer, or null.';

create function private.has_bought(customer uuid, email text, phone text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.orders o
      where o.status not in ('pending_payment', 'cancelled')
        and (o.customer_id = customer
          or private.normal_email(o.customer_email) = private.normal_email(has_bought.email)
          or private.normal_phone(o.customer_phone) = private.normal_phone(has_bought.phone))
    )
  $$;
comment on function private.has_bought(uuid, text, text) is
  'Whether this person, by account, e-mail or phone, has an order that was paid and not cancelled.';
create index orders_normal_email_idx on public.orders (private.normal_email(customer_email));
create index orders_normal_phone_idx on public.orders (private.normal_phone(customer_phone));

create function private.promo_sentence(problem text, minimum numeric default null) returns text
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
      when 'below_minimum' then 'Minimum order of R' || trim_scale(minimum) || ' required for this code'
    end
  $$;

create function private.find_promo(code text) returns public.promo_codes
  language sql stable
  set search_path = ''
  as $$ select p from public.promo_codes p where p.code = upper(btrim(find_promo.code)) $$;

-- Refuses a code that does not hold for this order; the caller has locked its row.
create function private.check_promo(promo public.promo_codes, buyer public.orders, subtotal numeric) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    problem text := private.promo_problem(promo, buyer.customer_id, buyer.customer_email, buyer.customer_phone);
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

-- The shopper's question "does this code work for me?". The minimum is not judged here: the page knows the cart and says it in
-- words of its own. A code that does not hold tells nothing about itself but why.
create function public.validate_promo_code(code_input text)
  returns table (is_valid boolean, error_message text, id uuid, code text, discount_type text, discount_value numeric,
    min_order_amount numeric, times_used int, usage_limit int, expires_at timestamptz, free_shipping boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    promo public.promo_codes := private.find_promo(code_input);
    asker public.profiles;
    problem text;
  begin
    select * into asker from public.profiles p where p.id = (select auth.uid());
    problem := private.promo_problem(promo, asker.id, asker.email, asker.phone);

    if problem is not null then
      return query select false, private.promo_sentence(problem), null::uuid, null, null, null::numeric, null::numeric,
        null::int, null::int, null::timestamptz, null::boolean;
    else
      return query select true, null, promo.id, promo.code, promo.discount_type, promo.discount_value, promo.min_order_amount,
        promo.times_used, promo.usage_limit, promo.expires_at, promo.free_shipping;
    end if;
  end
  $$;
comment on function public.validate_promo_code(text) is
  'One row: whether the code holds for the caller, and what it gives or why not.';
grant execute on function public.validate_promo_code(text) to authenticated, service_role;
-- NOTE: not for visitors, who cannot check out: nobody guesses codes without an account.

-- The specified browser calls this after it placed an order with a code. The use was claimed when the order was placed;
-- the call only tells whether it was, so calling it twice, or for somebody else's order, counts nothing.
create function public.increment_promo_usage(code_id uuid) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (
      select from public.promo_redemptions r
      where r.promo_code_id = code_id and r.customer_id = (select auth.uid()) and r.released_at is null
    )
  $$;
comment on function public.increment_promo_usage(uuid) is 'Whether an order of the caller''s counts as a use of the code.';
grant execute on function public.increment_promo_usage(uuid) to authenticated, service_role;
