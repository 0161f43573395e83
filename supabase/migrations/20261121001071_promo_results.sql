-- Promo codes as staff look at them: how each stands now, and what it has brought. Revenue is what the dashboard calls revenue:
-- orders that were paid and not cancelled since. Runs as the caller, so the policies of promo_codes and orders hold.
create view public.promo_code_results with (security_invoker = true) as
  select p.*,
    case
      when not p.is_active then 'switched_off'
      when p.expires_at <= now() then 'expired'
      when p.times_used >= p.usage_limit then 'used_up'
      when p.starts_at > now() then 'scheduled'
      else 'live'
    end as state,
    sales.paid_orders, sales.revenue, sales.discounted
  from public.promo_codes p
  cross join lateral (
    select count(*)::int as paid_orders, coalesce(sum(o.total_amount), 0) as revenue, coalesce(sum(o.discount_amount), 0) as discounted
    from public.orders o
    where o.promo_code_id = p.id and o.paid_at is not null and o.status <> 'cancelled'
  ) as sales;
comment on view public.promo_code_results is 'Each promo code with its state (live, scheduled, expired, used_up, switched_off), paid orders and revenue.';
grant select on public.promo_code_results to authenticated, service_role;

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
