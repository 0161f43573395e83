-- 0024 left out orders of lures that were no longer made to order when it ran. Whatever a paid order lacks was to be made: no other order
-- is paid without its stock.
insert into private.units_to_make (order_id, variant_id, quantity)
select o.id, i.variant_id, sum(i.quantity - i.returned_quantity) + taken.quantity
from public.orders o
join public.order_items i on i.order_id = o.id
cross join lateral (
  select coalesce(sum(m.quantity), 0) as quantity from public.stock_movements m
  where m.order_id = o.id and m.variant_id = i.variant_id) as taken
where o.paid_at is not null and i.variant_id is not null and (o.status <> 'cancelled' or taken.quantity < 0)
group by o.id, i.variant_id, taken.quantity
having sum(i.quantity - i.returned_quantity) + taken.quantity > 0
on conflict do nothing;
