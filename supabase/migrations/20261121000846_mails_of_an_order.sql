-- The order's page asks for the mails of one order by this expression alone; the older index wants a second condition beside it.
create index mails_of_an_order on public.mails ((props ->> 'orderId'), created_at);
drop index public.mails_by_order;
