-- The caller's cart as it would be ordered now. A line whose lure is gone, hidden or no longer rigged has no price.
create or replace function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language sql stable
  set search_path = ''
  as $$
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
    where c.user_id = customer
  $$;
comment on function private.cart_lines(uuid) is
  'What the customer''s own unpaid order holds counts as available: placing again replaces it.';

-- The order summary: what would be ordered, at which price, and what stands in the way.
create or replace function public.quote_cart(promo_code text default null) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
    promo public.promo_codes;
    problem text;
    price private.price;
    cart_subtotal numeric;
    lines jsonb;
  begin
    select * into buyer from public.profiles p where p.id = (select auth.uid());
    -- Lines with and without hooks share their bodies, so what is wanted is summed over both.
    select coalesce(sum(l.price * l.quantity), 0), coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object('problem', case
        when l.price is null then 'unavailable'
        when not l.made_to_order and l.available < l.wanted then 'sold_out'
      end) order by l.created_at desc, l.id), '[]')
    into cart_subtotal, lines
    from (select c.*, sum(c.quantity) over (partition by c.variant_id) as wanted from private.cart_lines(buyer.id) c) l;

    if btrim(quote_cart.promo_code) <> '' then
      promo := private.find_promo(quote_cart.promo_code);
      problem := private.promo_problem(promo, buyer.id, buyer.email, buyer.phone);
      if problem is null and cart_subtotal < promo.min_order_amount then
        problem := 'below_minimum';
      end if;
    end if;
    price := private.price_for(cart_subtotal, case when problem is null then promo end);

    return to_jsonb(price) || jsonb_build_object('lines', lines, 'promo', case when btrim(quote_cart.promo_code) <> '' then
      jsonb_build_object(
        'code', upper(btrim(quote_cart.promo_code)),
        'problem', problem,
        'message', private.promo_sentence(problem, promo.min_order_amount),
        'free_shipping', problem is null and promo.free_shipping)
    end);
  end
  $$;
comment on function public.quote_cart(text) is
  '{subtotal, shipping, discount, total, lines, promo} for the caller''s cart; amounts in rand. Writes nothing.';
grant execute on function public.quote_cart(text) to authenticated, service_role;
