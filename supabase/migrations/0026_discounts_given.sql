-- The totals of promo codes contained the value of each code, which can exceed the order that used it. The rows of a code add up, so a row
-- takes the excess off. Writers of orders wait until schema/admin/sales_figures.sql counts only what an order would have cost.
lock table public.orders in share row exclusive mode;
insert into private.promo_sales (promo_code_id, paid_orders, revenue, discounted)
select o.promo_code_id, 0, 0, sum(o.subtotal_amount + o.shipping_cost - o.discount_amount)
from public.orders o
where o.promo_code_id is not null and o.paid_at is not null and o.status <> 'cancelled'
  and o.discount_amount > o.subtotal_amount + o.shipping_cost
group by o.promo_code_id;
