-- Launches: a product can be announced before the time at which it goes on sale, and can show how many of it are left.

alter table public.products
  add column shows_stock boolean not null default false,
  drop constraint unknown_status,
  add constraint unknown_status check (status in ('draft', 'announced', 'live', 'hidden')),
  add constraint announced_without_launch check (status <> 'announced' or publish_at is not null);

-- Visitors see announced and live products. Both indexes also serve queries for live products alone.
drop index products_position_idx;
create index products_position_idx on public.products (position, created_at desc) where status in ('live', 'announced');
drop index products_choices_idx;
create index products_choices_idx on public.products (category, length_mm, weight_grams, price, position)
  where status in ('live', 'announced');
