-- What is sold. One product is a shape in a size (a 150 mm popper); its variants are the colours, and a variant's stock is
-- lure bodies: the same body leaves with or without hooks, so both prices stand on the product. Visitors see what is live.
create table public.products (
  id               uuid primary key default gen_random_uuid(),
  slug             text not null constraint malformed_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  name             text not null constraint malformed_name check (private.is_line(name, 1, 120)),
  description      text not null default '' constraint description_too_long check (length(description) <= 5000),
  price            numeric(10,2) not null default 0 constraint impossible_price check (price between 0 and 1000000),
  price_with_hooks numeric(10,2) constraint impossible_price_with_hooks check (price_with_hooks between 0 and 1000000),
  image_url        text constraint malformed_image_url check (private.is_link(image_url)),
  images           jsonb not null default '[]' constraint images_not_a_list check (
    jsonb_typeof(images) = 'array' and length(images::text) <= 20000),
  category         text constraint malformed_category check (private.is_line(category, 0, 60)),
  model            text constraint malformed_model check (private.is_line(model, 0, 60)),
  length_mm        int constraint impossible_length check (length_mm between 1 and 2000),
  weight_grams     int constraint impossible_weight check (weight_grams between 1 and 20000),
  hook_size        text constraint malformed_hook_size check (private.is_line(hook_size, 0, 40)),
  specs            jsonb not null default '[]' constraint specs_not_a_list check (
    jsonb_typeof(specs) = 'array' and length(specs::text) <= 20000),
  stock_quantity   int not null default 0 constraint negative_stock check (stock_quantity >= 0),
  made_to_order    boolean not null default false,
  status           text not null default 'live' constraint unknown_status check (status in ('draft', 'live', 'hidden')),
  position         int not null default 0,
  created_at       timestamptz not null default now(),
  updated_at       timestamptz not null default now(),
  constraint slug_taken unique (slug),
  constraint name_taken unique (name)
);
comment on table public.products is 'A lure in one shape and size; its colours are product_variants.';
comment on column public.products.price is 'Rand, the lure without hooks.';
comment on column public.products.price_with_hooks is 'Rand, rigged; null when it is not sold with hooks.';
comment on column public.products.images is 'Further pictures: [{"url", "alt"}], the main one first.';
comment on column public.products.hook_size is 'The recommended hook, such as 5/0 treble.';
comment on column public.products.specs is 'What else the page tells: [{"label", "value"}], in this order.';
comment on column public.products.stock_quantity is
  'Sum of the variants. Writing it sets the only variant''s stock; with several it is refused.';
comment on column public.products.made_to_order is 'Sells beyond its stock: what is not on the shelf is made.';
comment on column public.products.status is 'live is for sale; draft was never, hidden no longer is.';
create index products_position_idx on public.products (position, created_at desc) where status = 'live';
create index products_created_at_idx on public.products (created_at desc);
create trigger touch_updated_at before update on public.products
  for each row execute function private.touch_updated_at();
alter table public.products enable row level security;
alter table public.products force row level security;

grant select on public.products to anon, authenticated, service_role;
grant insert, update, delete on public.products to authenticated, service_role;
create policy select_live on public.products
  for select to anon, authenticated
  using (status = 'live');
create policy select_as_admin on public.products
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.products
  for insert to authenticated
  with check ((select private.is_admin()));
create policy update_as_admin on public.products
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy delete_as_admin on public.products
  for delete to authenticated
  using ((select private.is_admin()));

-- The colours of a product: each has its own picture, stock and address (/products/<slug>/<variant slug>).
create table public.product_variants (
  id             uuid primary key default gen_random_uuid(),
  product_id     uuid not null references public.products on delete cascade,
  slug           text not null constraint malformed_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  name           text not null constraint malformed_name check (private.is_line(name, 1, 120)),
  sku            text constraint malformed_sku check (private.is_line(sku, 1, 60)) constraint sku_taken unique,
  image_url      text constraint malformed_image_url check (private.is_link(image_url)),
  image_alt      text constraint malformed_image_alt check (private.is_line(image_alt, 0, 300)),
  stock_quantity int not null default 0
    constraint negative_stock check (stock_quantity >= 0)
    constraint impossible_stock check (stock_quantity <= 1000000),
  position       int not null default 0,
  created_at     timestamptz not null default now(),
  updated_at     timestamptz not null default now(),
  constraint variant_slug_taken unique (product_id, slug),
  constraint variant_name_taken unique (product_id, name)
);
comment on table public.product_variants is 'A colour of a product, with its lure bodies in stock.';
comment on column public.product_variants.stock_quantity is
  'Bodies on the shelf, those held for buyers included; every change leaves a stock_movement.';
create trigger touch_updated_at before update on public.product_variants
  for each row execute function private.touch_updated_at();
alter table public.product_variants enable row level security;
alter table public.product_variants force row level security;

grant select on public.product_variants to anon, authenticated, service_role;
grant insert, update, delete on public.product_variants to authenticated, service_role;
create policy select_live on public.product_variants
  for select to anon, authenticated
  using (exists (select from public.products p where p.id = product_id and p.status = 'live'));
create policy select_as_admin on public.product_variants
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.product_variants
  for insert to authenticated
  with check ((select private.is_admin()));
create policy update_as_admin on public.product_variants
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy delete_as_admin on public.product_variants
  for delete to authenticated
  using ((select private.is_admin()));

-- Addresses come from names when none is given: "Chisel Nose Popper 150mm/30G" → chisel-nose-popper-150mm-30g.
-- An address once given stays when the name changes, because links to it are out in the world.
create function private.slug_from(name text) returns text
  language sql immutable
  set search_path = ''
  as $$ select coalesce(nullif(btrim(left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 100), '-'), ''), 'lure') $$;

create function private.fill_product_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    wanted text := private.slug_from(new.name);
  begin
    new.slug := wanted;
    for attempt in 2..50 loop
      exit when not exists (select from public.products where slug = new.slug);
      new.slug := wanted || '-' || attempt;
    end loop;
    return new;
  end
  $$;
create trigger fill_slug before insert on public.products
  for each row when (new.slug is null)
  execute function private.fill_product_slug();

create function private.fill_variant_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    new.slug := private.slug_from(new.name);
    return new;
  end
  $$;
create trigger fill_slug before insert on public.product_variants
  for each row when (new.slug is null)
  execute function private.fill_variant_slug();
