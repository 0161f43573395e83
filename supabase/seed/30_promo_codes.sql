-- The welcome code that the popup hands out: 5 % off a first order of R1500 or more, once for each customer.
insert into public.promo_codes (code, discount_type, discount_value, min_order_amount, per_customer_limit, first_order_only)
values ('5OFFFIRST', 'percentage', 5, 1500, 1, true)
on conflict (code) do nothing;
