-- Prices: what a cart or an order costs. Amounts are rand, exact to the cent.
--
-- subtotal = sum of lines at catalogue prices; shipping is a flat rate for locker and door-to-door, free from a limit
-- (a subtotal equal to it is enough, before the discount) or with a free-shipping code, and 0 for a hand-over; discount
-- comes from one promo code; total = max(0, subtotal + shipping − discount).
-- A percentage is rounded half up to the cent. A fixed discount may exceed the subtotal and then pays for shipping too.
-- The cart's quote, the checkout, drafts and manual orders all call calculate_price(), so they cannot disagree.
-- domain/ calculates the same in the browser; the database decides.

-- The rates are public: every page shows them. Security definer: the tables behind them are not readable.
create or replace function public.shop_terms() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$ select to_jsonb(private.shipping_terms()) $$;
comment on function public.shop_terms is
  '{shipping_rate, free_shipping_from, offers_locker} with rates in rand. For everyone.';
grant execute on function public.shop_terms to anon, authenticated, service_role;

-- The one place that knows the rates: settings of the admin area, else the configuration.
-- PL/pgSQL, which keeps its plan for the connection: every quote and every order calls it.
create or replace function private.shipping_terms() returns private.terms
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    terms private.terms;
  begin
    select coalesce(s.shipping_rate, r.shipping_rate),
      coalesce(s.free_shipping_from, r.free_shipping_from), s.offers_locker
    into terms from private.shop_rules r cross join public.shop_settings s;
    return terms;
  end
  $$;
comment on function private.shipping_terms is
  'Shipping rate and free-shipping limit in rand, and whether lockers are offered.';

create or replace function private.calculate_price(subtotal numeric, promo public.promo_codes) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    terms private.terms := private.shipping_terms();
    shipping numeric := case
      when coalesce(promo.free_shipping, false) or subtotal >= terms.free_shipping_from then 0
      else terms.shipping_rate
    end;
    discount numeric := case promo.discount_type
      when 'percentage' then round(subtotal * promo.discount_value / 100, 2)
      when 'fixed' then promo.discount_value
      else 0
    end;
  begin
    return (subtotal, shipping, discount, greatest(0, subtotal + shipping - discount))::private.price;
  end
  $$;
comment on function private.calculate_price is
  'Shipping, discount and total in rand for a subtotal. promo: a valid promo code, or null. Checks no conditions.';

-- A hand-over pays no shipping, so a fixed discount cannot pay for it either.
create or replace function private.order_price(draft public.orders, subtotal numeric, promo public.promo_codes)
  returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    price private.price := private.calculate_price(subtotal, promo);
  begin
    if draft.shipping_method = 'hand-over' then
      price.shipping := 0;
      price.total := greatest(0, price.subtotal - price.discount);
    end if;
    return price;
  end
  $$;
comment on function private.order_price is
  'Price in rand of an order with this shipping method: calculate_price(), without shipping for a hand-over.';

-- Fills in the amounts of a draft. Its promo code is checked here without a lock; require_price() checks it again
-- once the code is locked.
create or replace function private.add_price(draft public.orders, subtotal numeric, code text) returns public.orders
  language plpgsql
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    price private.price;
  begin
    if btrim(code) <> '' then
      promo := private.find_promo(code);
      perform private.require_valid_promo(promo, draft, subtotal);
    end if;
    price := private.order_price(draft, subtotal, promo);
    draft.promo_code_id := promo.id;
    draft.subtotal_amount := price.subtotal;
    draft.shipping_cost := price.shipping;
    draft.discount_amount := price.discount;
    draft.total_amount := price.total;
    return draft;
  end
  $$;
comment on function private.add_price is
  'The draft with subtotal, shipping, discount, total and promo code. code: as typed, or null. Refuses '
  'promo_invalid, too_many_codes, promo_needs_post.';

-- Reads the cart once, as an array: the caller can price, reserve and sell the same lines even if the cart changes.
-- A line whose product is gone, hidden or no longer sold with hooks has no price.
-- enable_seqscan and jit as in has_role().
create or replace function private.priced_cart(customer uuid) returns private.cart_line[]
  language plpgsql stable
  set search_path = ''
  set enable_seqscan = off
  set jit = off
  as $$
  begin
    return array(
      select (c.id, c.product_name, c.product_variant, c.with_hooks, c.quantity,
        case when c.with_hooks then sold.price_with_hooks else sold.price end,
        sold.id, c.image_url, coalesce(sold.made_to_order, false), c.created_at)::private.cart_line
      from public.cart_items c
      left join lateral (
        select v.id, p.price, p.price_with_hooks, p.made_to_order
        from public.product_variants v join public.products p on p.id = v.product_id and p.status = 'live'
        where v.id = c.variant_id
        -- Keeps the planner from merging the cart with all variants.
        offset 0
      ) as sold on true
      where c.user_id = customer
      order by c.created_at, c.id);
  end
  $$;
comment on function private.priced_cart is
  'Lines of a customer''s cart, oldest first, at catalogue prices. The only place that prices a cart.';

-- Called while the promo code is locked, right before the order is written: the code may have been used up or changed
-- since add_price(), and a draft of the table-by-table way contains amounts that its client wrote.
create or replace function private.require_price(draft public.orders, subtotal numeric) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    price private.price;
  begin
    if draft.promo_code_id is not null then
      select * into promo from public.promo_codes p where p.id = draft.promo_code_id;
      perform private.require_valid_promo(promo, draft, subtotal);
    end if;
    price := private.order_price(draft, subtotal, promo);
    if (price.shipping, price.discount, price.total)
      <> (draft.shipping_cost, draft.discount_amount, draft.total_amount) then
      perform private.refuse_price(price);
    end if;
    return price;
  end
  $$;
comment on function private.require_price is
  'The price of a draft. Refuses promo_invalid, and price_changed when the draft''s amounts differ from it.';

create or replace function private.refuse_price(price private.price) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.refuse(409, 'price_changed',
      'The total has changed to R' || price.total || '. Please check it and order again.', to_jsonb(price));
  end
  $$;
comment on function private.refuse_price is 'Refuses price_changed with {subtotal, shipping, discount, total} in rand.';
