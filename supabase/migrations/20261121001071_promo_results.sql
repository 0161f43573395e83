-- "What would this cart get?" The answer is worked out by the very rules that an order meets, for a code as it stands in a form,
-- saved or not: of a saved one the uses count. Nothing is written.
create function public.try_promo_code(terms jsonb, cart_subtotal numeric, customer_email text default null) returns jsonb
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
    price := private.price_for(cart_subtotal, case when problem is null then promo end);
    return to_jsonb(price) || jsonb_build_object(
      'problem', problem, 'message', private.promo_sentence(problem, promo.min_order_amount));
  end
  $$;
comment on function public.try_promo_code(jsonb, numeric, text) is
  '{subtotal, shipping, discount, total, problem, message} for a cart with these terms; for staff, writes nothing.';
grant execute on function public.try_promo_code(jsonb, numeric, text) to authenticated;
