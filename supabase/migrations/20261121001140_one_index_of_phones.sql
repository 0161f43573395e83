-- Orders had two indexes of the same telephone numbers, and every order wrote both.
drop index public.orders_phone_idx;
