-- The line that merge_cart() last added to a row, and how many of it. A retry of the same line adds only the difference.
alter table public.cart_items
  add column merged_line text,
  add column merged_quantity int not null default 0;
