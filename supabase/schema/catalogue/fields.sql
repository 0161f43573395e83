-- The fields of a product and of its variants: what they mean, which of them admins edit, and what to tell an admin whose value is not
-- valid. domain/product-fields.ts has their labels; a test compares both lists with the tables.

comment on table public.products is 'A lure in one shape and size.';
comment on column public.products.price is 'Rand, the lure without hooks.';
comment on column public.products.price_with_hooks is 'Rand, with hooks; null when it is not sold with hooks.';
comment on column public.products.images is 'All pictures: [{"url", "alt"}], the main one first.';
comment on column public.products.hook_size is 'The recommended hook, such as 5/0 treble.';
comment on column public.products.specs is 'Further details in order: [{"label", "value"}].';
comment on column public.products.stock_quantity is
  'Sum of the variants. Writing it sets the stock of an only variant, and is refused with several.';
comment on column public.products.made_to_order is 'Can be ordered beyond its stock.';
comment on column public.products.status is 'draft: never on sale yet. announced: shown and not on sale before publish_at. live: on sale. hidden: no longer on sale.';
comment on column public.products.publish_at is 'The launch: when it goes live automatically; null: never.';
comment on column public.products.shows_stock is 'Pages say how many are left, also when there are many.';
comment on column public.products.low_stock_threshold is 'Its variants are low on stock at this many units; null: the shop''s threshold.';
comment on column public.products.category is
  'As the filter of the catalogue shows it. Empty counts as Others.';
comment on column public.products.model is 'Name of the series, for the table of facts.';
comment on column public.products.position is 'Order in the catalogue. Equal positions list the newest first.';
comment on column public.products.slug is 'Last part of the address /products/<slug>. Kept when the name changes.';
comment on column public.products.name is 'Unique, so that orders and carts can name a product.';
comment on column public.products.description is 'Plain text of at most 5000 characters, shown on the product page.';
comment on column public.products.image_url is 'Address of the main picture: images[0].';
comment on column public.products.length_mm is 'Length of the lure in millimetres, for the filter.';
comment on column public.products.weight_grams is 'Weight of the lure in grams, for the filter.';

-- Saving and importing write these columns. Copying a product copies every column.
create or replace function private.product_fields() returns text[]
  language sql immutable
  set search_path = ''
  as $$
    select array['name', 'price', 'price_with_hooks', 'status', 'category', 'slug', 'model', 'length_mm', 'weight_grams', 'hook_size',
      'low_stock_threshold', 'description', 'made_to_order', 'specs', 'images', 'publish_at', 'shows_stock']
  $$;
comment on function private.product_fields is 'The columns of products that admins edit.';

create or replace function private.variant_fields() returns text[]
  language sql immutable
  set search_path = ''
  as $$ select array['name', 'sku', 'stock_quantity', 'image_url', 'image_alt'] $$;
comment on function private.variant_fields is 'The columns of product_variants that admins edit.';

-- The text for a violated constraint or an unreadable value.
create or replace function private.cell_error(code text, broken text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when broken in ('name_taken') then 'Another lure has this name.'
      when broken in ('slug_taken') then 'Another lure already uses this address.'
      when broken in ('variant_name_taken') then 'Another colour of this lure has this name.'
      when broken in ('variant_slug_taken') then 'Another colour of this lure already uses this address.'
      when broken in ('sku_taken') then 'Another colour has this SKU.'
      when broken in ('malformed_slug') then 'Use only lower-case letters, digits and single hyphens.'
      when broken in ('malformed_name') then 'One line of 1 to 120 characters.'
      when broken in ('malformed_sku') then 'One line of 1 to 60 characters.'
      when broken in ('malformed_category', 'malformed_model') then 'One line of at most 60 characters.'
      when broken in ('malformed_hook_size') then 'One line of at most 40 characters.'
      when broken in ('description_too_long') then 'At most 5000 characters.'
      when broken in ('impossible_price', 'impossible_price_with_hooks') then 'Between R0 and R1 000 000.'
      when broken in ('negative_stock', 'impossible_stock') then 'A whole number from 0 to 1 000 000.'
      when broken in ('impossible_length') then 'Between 1 and 2000 mm.'
      when broken in ('impossible_weight') then 'Between 1 and 20 000 g.'
      when broken in ('impossible_threshold') then 'A whole number from 0 to 1000.'
      when broken in ('malformed_image_url', 'malformed_images', 'images_not_a_list') then 'A picture needs an address, and its description must be one line of at most 300 characters.'
      when broken in ('malformed_image_alt') then 'One line of at most 300 characters.'
      when broken in ('specs_not_a_list') then 'Too many lines, or too long ones.'
      when broken in ('live_product_with_publish_time') then 'A live lure has no launch time.'
      when broken in ('announced_without_launch') then 'An announced lure needs a launch time.'
      when broken in ('unknown_status') then 'Choose draft, announced, live or hidden.'
      when code = '23502' then 'This cannot be empty.'
      when code in ('22007', '22008') then 'Write the time as 2026-11-24 19:00.'
      when code in ('22P02', '22003') then 'This is not a valid number.'
      else 'This value is not valid here.'
    end
  $$;
comment on function private.cell_error is 'The text for a constraint or SQLSTATE, for people.';
