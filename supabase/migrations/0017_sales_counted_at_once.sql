-- Sales are counted in the statement that changes an order and no longer at the commit, when it holds its variants.
-- schema/orders/states.sql creates the trigger anew; a constraint trigger cannot be replaced.
drop trigger if exists count_sales on public.orders;
