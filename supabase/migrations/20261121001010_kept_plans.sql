-- PostgreSQL plans a function in SQL anew at every call unless it is written into the query that calls it, and one that sets
-- its search_path never is. What is asked several times for each order, cart line and policy is therefore PL/pgSQL, which keeps
-- its plans for as long as the connection lives; planning was two thirds of the time an order took. What each function says is
-- unchanged.

create or replace function private.is_line(value text, at_least int, at_most int) returns boolean
  language plpgsql immutable
  set search_path = ''
  as $$ begin return value !~ '[[:cntrl:]]' and length(btrim(value)) >= at_least and length(value) <= at_most; end $$;

create or replace function private.tidy(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$ begin return nullif(btrim(regexp_replace(value, '[[:space:][:cntrl:]]+', ' ', 'g')), ''); end $$;

create or replace function private.normal_email(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    name text := split_part(split_part(lower(btrim(value)), '@', 1), '+', 1);
    domain text := split_part(lower(btrim(value)), '@', 2);
  begin
    return case
      when value not like '%@%' then null
      when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
      else name || '@' || domain
    end;
  end
  $$;

create or replace function private.normal_phone(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    digits text := regexp_replace(value, '\D', '', 'g');
  begin
    return case
      when digits = '' then null
      when digits ~ '^(00)?270?[1-9]\d{8}$' then '+27' || right(digits, 9)
      when digits ~ '^0[1-9]\d{8}$' then '+27' || right(digits, 9)
      else '+' || regexp_replace(digits, '^00', '')
    end;
  end
  $$;

create or replace function private.order_words(searched public.orders) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return lower(coalesce(searched.customer_name, '') || ' ' || coalesce(searched.customer_email, '') || ' '
      || coalesce(searched.customer_phone, '') || ' ' || coalesce(searched.tracking_number, ''));
  end
  $$;

create or replace function private.lure_words(searched public.order_items) returns text
  language plpgsql immutable
  set search_path = ''
  as $$ begin return lower(searched.product_name || ' ' || coalesce(searched.product_variant, '')); end $$;

-- Who is calling: asked by every policy of staff.
create or replace function private.has_shown_factors(user_id uuid, aal text) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return coalesce(has_shown_factors.aal, 'aal1') = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = has_shown_factors.user_id and f.status = 'verified');
  end
  $$;

create or replace function private.is_staff(user_id uuid, aal text) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return private.has_shown_factors(is_staff.user_id, is_staff.aal)
      and exists (select from public.user_roles r where r.user_id = is_staff.user_id and r.role = 'admin');
  end
  $$;

create or replace function private.is_admin() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.is_staff(auth.uid(), auth.jwt() ->> 'aal'); end $$;

create or replace function private.is_proven() returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$ begin return private.has_shown_factors(auth.uid(), auth.jwt() ->> 'aal'); end $$;

-- What an order asks of the catalogue, the shelf and the cart.
create or replace function private.available(variant_id uuid, besides_order uuid default null) returns int
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return (
      select greatest(0, v.stock_quantity - coalesce((
        select sum(h.quantity) from public.stock_holds h
        where h.variant_id = v.id and h.expires_at > now() and h.order_id is distinct from available.besides_order
      ), 0))::int
      from public.product_variants v where v.id = available.variant_id);
  end
  $$;

create or replace function private.price_for(subtotal numeric, promo public.promo_codes) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    shipping numeric;
    discount numeric := case promo.discount_type
      when 'percentage' then round(subtotal * promo.discount_value / 100, 2)
      when 'fixed' then promo.discount_value
      else 0
    end;
  begin
    select case when coalesce(promo.free_shipping, false) or subtotal >= r.free_shipping_from then 0 else r.shipping_rate end
    into shipping from private.shop_rules r;
    return (subtotal, shipping, discount, greatest(0, subtotal + shipping - discount))::private.price;
  end
  $$;

create or replace function private.order_needs(needing uuid)
  returns table (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select i.variant_id, min(i.product_name), min(i.product_variant),
        (sum(i.quantity) + coalesce((
          select sum(m.quantity) from public.stock_movements m where m.order_id = needing and m.variant_id = i.variant_id
        ), 0))::int,
        coalesce(bool_or(p.made_to_order), false)
      from public.order_items i
      left join public.products p on p.id = i.product_id
      where i.order_id = needing
      group by i.variant_id;
  end
  $$;

create or replace function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select c.id, c.product_name, c.product_variant, c.with_hooks, c.quantity,
        case when c.with_hooks then p.price_with_hooks else p.price end,
        v.id, c.image_url, coalesce(private.available(v.id, own.id), 0), coalesce(p.made_to_order, false), c.created_at
      from public.cart_items c
      left join (public.product_variants v join public.products p on p.id = v.product_id and p.status = 'live') on v.id = c.variant_id
      left join lateral (
        select o.id from public.orders o
        where o.customer_id = customer and o.status = 'pending_payment' and o.placed_at is not null and o.expires_at is not null
        limit 1
      ) as own on true
      where c.user_id = customer;
  end
  $$;

create or replace function private.same_waiting_order(wanted public.orders) returns public.orders
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    same public.orders;
  begin
    select o.* into same
    from public.orders o
    where o.customer_id = wanted.customer_id and o.status = 'pending_payment' and o.placed_at is not null
      and (o.total_amount, o.shipping_cost, o.discount_amount, o.promo_code_id,
          o.customer_email, o.customer_name, o.customer_phone,
          o.shipping_method, o.shipping_address, o.shipping_city, o.shipping_state, o.shipping_zip,
          o.locker_location, o.notes)
        is not distinct from
        (wanted.total_amount, wanted.shipping_cost, wanted.discount_amount, wanted.promo_code_id,
          wanted.customer_email, wanted.customer_name, wanted.customer_phone,
          wanted.shipping_method, wanted.shipping_address, wanted.shipping_city, wanted.shipping_state, wanted.shipping_zip,
          wanted.locker_location, wanted.notes)
      and (select array_agg((i.variant_id, i.with_hooks, i.quantity, i.price)::text order by i.variant_id, i.with_hooks)
          from public.order_items i where i.order_id = o.id)
        = (select array_agg((l.variant_id, l.with_hooks, l.quantity, l.price)::text order by l.variant_id, l.with_hooks)
          from private.cart_lines(wanted.customer_id) l)
    limit 1;
    return same;
  end
  $$;

create or replace function private.delivery_problems(delivery jsonb) returns jsonb
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return (
      select coalesce(jsonb_object_agg(field, problem) filter (where problem is not null), '{}')
      from (
        select field, private.text_problem(delivery ->> field, at_least, at_most, too_short, too_long)
        from (values
          ('full_name', 2, 100, 'Name must be at least 2 characters', 'Name is too long'),
          ('phone', 10, 20, 'Phone number must be at least 10 digits', 'Phone number is too long'),
          ('address', 5, 200, 'Address must be at least 5 characters', 'Address is too long'),
          ('city', 2, 50, 'City must be at least 2 characters', 'City is too long'),
          ('state', 2, 50, 'State/Province must be at least 2 characters', 'State/Province is too long'),
          ('zip_code', 4, 10, 'Postal code must be at least 4 characters', 'Postal code is too long'),
          ('locker_location', 1, 200, 'Please specify your nearest locker location', 'Locker location is too long')
        ) as texts (field, at_least, at_most, too_short, too_long)
        where field <> 'locker_location' or delivery ->> 'shipping_method' = 'locker'
        union all
        select 'email', 'Invalid email address'
        where private.is_email(btrim(delivery ->> 'email')) is not true
        union all
        select 'shipping_method', 'Please select a shipping method'
        where (delivery ->> 'shipping_method' in ('locker', 'door-to-door')) is not true
        union all
        select 'notes', 'Notes must be less than 500 characters'
        where length(delivery ->> 'notes') > 500
      ) as checked (field, problem));
  end
  $$;
