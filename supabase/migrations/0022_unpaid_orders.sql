-- The customer of a placed, unpaid order; null of every other order. An index uses it, so it is versioned. Queries that name the
-- columns instead could be served by other indexes, and a plan made while few orders were unpaid would read all of them when a launch has
-- left thousands.
create function private.unpaid_by(of_order public.orders) returns uuid
  language sql immutable
  return case when of_order.status = 'pending_payment' and of_order.placed_at is not null then of_order.customer_id end;
comment on function private.unpaid_by is 'The customer of a placed, unpaid order; null of every other order.';
-- Inserting an order as a client fills the index.
grant execute on function private.unpaid_by to authenticated, service_role;

create index orders_unpaid_by_idx on public.orders (private.unpaid_by(orders)) where private.unpaid_by(orders) is not null;
