-- A session that has not shown the second factor of its account may only show it or sign out, and the token of an ended session may do
-- nothing (decision 0040). These functions run as their owner, past the policies of the tables: a stolen password alone would show the
-- account's cart, and whether the account, its e-mail address or its phone number has bought here or used a code before.
create or replace function public.quote_cart(promo_code text default null) returns jsonb
  language plpgsql volatile security definer
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
    if not private.is_proven() then
      perform private.refuse_unproven();
    end if;
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
    if not private.is_proven() then
      perform private.refuse_unproven();
    end if;
    promo := private.find_promo(code_input);
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
create or replace function public.increment_promo_usage(code_id uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.is_proven() then
      perform private.refuse_unproven();
    end if;
    return exists (
      select from public.promo_redemptions r
      where r.promo_code_id = code_id and r.customer_id = (select auth.uid()) and r.released_at is null);
  end
  $$;
