-- A count that equals the stock is a movement of no units, so that its idempotency key is kept.
alter table public.stock_movements
  drop constraint movement_of_nothing,
  add constraint movement_of_nothing check (quantity <> 0 or reason = 'counted');
