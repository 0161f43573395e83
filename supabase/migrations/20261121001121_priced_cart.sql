-- The lines of a cart as the catalogue sells them: one place for the cart, its quote and the order.

-- What an order needs of a lure, and what was set aside of it.
create type private.need as (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean);
create type private.set_aside as (variant_id uuid, quantity int, until timestamptz);
-- A line of a cart as the catalogue sells it; without a price it is not sold any more.
create type private.cart_line as (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
  variant_id uuid, image_url text, made_to_order boolean, created_at timestamptz);

create function private.priced_cart(customer uuid) returns private.cart_line[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(
      select (c.id, c.product_name, c.product_variant, c.with_hooks, c.quantity,
        case when c.with_hooks then p.price_with_hooks else p.price end,
        v.id, c.image_url, coalesce(p.made_to_order, false), c.created_at)::private.cart_line
      from public.cart_items c
      left join (public.product_variants v join public.products p on p.id = v.product_id and p.status = 'live') on v.id = c.variant_id
      where c.user_id = customer
      order by c.created_at, c.id);
  end
  $$;
comment on function private.priced_cart(uuid) is 'The lines of a cart in their order: the one place that prices them.';

create or replace function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select l.id, l.product_name, l.product_variant, l.with_hooks, l.quantity, l.price,
        l.variant_id, l.image_url, coalesce(private.available(l.variant_id, own.id), 0), l.made_to_order, l.created_at
      from unnest(private.priced_cart(customer)) l
      left join lateral (
        select o.id from public.orders o
        where o.customer_id = customer and o.status = 'pending_payment' and o.placed_at is not null and o.expires_at is not null
        limit 1
      ) as own on true;
  end
  $$;
