-- Who takes the shelf and a customer's held time takes them in this order, as holding does; the other way round a payment and
-- the same customer's next order would wait for each other. Triggers fire by their names: this one after `settle_order_status`.
alter trigger forget_held_time on public.orders rename to then_forget_held_time;
