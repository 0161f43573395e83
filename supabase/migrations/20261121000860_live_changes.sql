-- What the admin area shows without a reload: a new order or one that is paid, a message, a photo. Who hears of a change
-- is whoever may read the row: the policies of these tables decide, for staff as for a customer who watches an order.
alter publication supabase_realtime add table public.orders, public.contact_submissions, public.gallery_submissions;
