-- How many units of a made-to-order variant an order did not find in stock. The sums of the ledger need it: the product may no longer be
-- made to order when they are asked. schema/stock/reservations.sql writes it.
create table private.units_to_make (
  order_id   uuid not null references public.orders on delete cascade,
  variant_id uuid not null references public.product_variants on delete cascade,
  quantity   int not null constraint nothing_to_make check (quantity > 0),
  primary key (order_id, variant_id)
);
alter table private.units_to_make enable row level security;
alter table private.units_to_make force row level security;

create index units_to_make_variant_id_idx on private.units_to_make (variant_id);

-- A refund before shipping takes units off the order that were never in stock. Its withdrawal must know how many.
alter table public.payment_refund_items
  add column to_make int not null default 0 constraint more_to_make_than_returned check (to_make between 0 and quantity);

-- Orders that were paid before this table existed.
insert into private.units_to_make (order_id, variant_id, quantity)
select o.id, i.variant_id, sum(i.quantity - i.returned_quantity) + taken.quantity
from public.orders o
join public.order_items i on i.order_id = o.id
join public.products p on p.id = i.product_id and p.made_to_order
cross join lateral (
  select coalesce(sum(m.quantity), 0) as quantity from public.stock_movements m
  where m.order_id = o.id and m.variant_id = i.variant_id) as taken
where o.paid_at is not null and i.variant_id is not null and (o.status <> 'cancelled' or taken.quantity < 0)
group by o.id, i.variant_id, taken.quantity
having sum(i.quantity - i.returned_quantity) + taken.quantity > 0;

-- When place_order() last returned an unpaid order for the cart that had made it. Paying empties the cart of what it held then.
-- schema/orders/placing.sql writes it.
create table private.cart_readings (
  order_id uuid primary key references public.orders on delete cascade,
  read_at  timestamptz not null default now()
);
alter table private.cart_readings enable row level security;
alter table private.cart_readings force row level security;
