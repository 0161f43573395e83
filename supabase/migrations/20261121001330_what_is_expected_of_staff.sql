-- How many rows a list has beyond the first thousand is what the planner expects, and it believed half of every condition that it could not see
-- through: two of them stand before the orders, so a shop with a million was told of a quarter of that. Who is asking is known before the first
-- row is read, and for nearly everybody who asks for lists the answer is yes: as a value that is there or not, the planner takes it so. What
-- these policies let through is what they let through before.
alter policy all_once_proven on public.orders using ((select true where private.is_proven()) is not null);
alter policy select_as_staff on public.orders using (placed_at is not null and (select true where private.is_staff()) is not null);
alter policy all_once_proven on public.order_items using ((select true where private.is_proven()) is not null);
alter policy select_as_staff on public.order_items using ((select true where private.is_staff()) is not null);
alter policy all_once_proven on public.profiles using ((select true where private.is_proven()) is not null);
alter policy select_as_admin on public.profiles using ((select true where private.is_admin()) is not null);
alter policy select_as_admin on public.changes using ((select true where private.is_admin()) is not null);
alter policy select_as_admin on public.newsletter_signups using ((select true where private.is_admin()) is not null);
alter policy select_as_staff on public.contact_submissions using ((select true where private.is_staff()) is not null);
alter policy select_as_staff on public.gallery_submissions using ((select true where private.is_staff()) is not null);
