-- Catalogue: products, variants, their former addresses, and what search reads.

-- A product is a lure in one shape and size (a 150 mm popper), its variants are the colours. Stock counts lure bodies: a body is sold
-- with or without hooks, so the product has both prices.
create table public.products (
  id                  uuid primary key default gen_random_uuid(),
  slug                text not null constraint malformed_slug check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  name                text not null constraint malformed_name check (private.is_line(name, 1, 120)),
  description         text not null default '' constraint description_too_long check (length(description) <= 5000),
  price               numeric(10,2) not null default 0 constraint impossible_price check (price between 0 and 1000000),
  price_with_hooks    numeric(10,2) constraint impossible_price_with_hooks check (price_with_hooks between 0 and 1000000),
  image_url           text constraint malformed_image_url check (private.is_link(image_url)),
  images              jsonb not null default '[]' constraint images_not_a_list check (
    jsonb_typeof(images) = 'array' and length(images::text) <= 20000),
  category            text constraint malformed_category check (private.is_line(category, 0, 60)),
  model               text constraint malformed_model check (private.is_line(model, 0, 60)),
  length_mm           int constraint impossible_length check (length_mm between 1 and 2000),
  weight_grams        int constraint impossible_weight check (weight_grams between 1 and 20000),
  hook_size           text constraint malformed_hook_size check (private.is_line(hook_size, 0, 40)),
  specs               jsonb not null default '[]' constraint specs_not_a_list check (
    jsonb_typeof(specs) = 'array' and length(specs::text) <= 20000),
  stock_quantity      int not null default 0 constraint negative_stock check (stock_quantity >= 0),
  made_to_order       boolean not null default false,
  status              text not null default 'live' constraint unknown_status check (status in ('draft', 'live', 'hidden')),
  position            int not null default 0,
  created_at          timestamptz not null default now(),
  updated_at          timestamptz not null default now(),
  publish_at          timestamptz,
  low_stock_threshold int constraint impossible_threshold check (low_stock_threshold between 0 and 1000),
  constraint slug_taken unique (slug),
  constraint name_taken unique (name),
  constraint malformed_images check (private.are_pictures(images)),
  constraint live_product_with_publish_time check (publish_at is null or status <> 'live')
);
alter table public.products enable row level security;
alter table public.products force row level security;

create index products_position_idx on public.products (position, created_at desc) where status = 'live';
create index products_created_at_idx on public.products (created_at desc, id desc);
create index products_publish_at_idx on public.products (publish_at) where publish_at is not null;
create index products_choices_idx on public.products (category, length_mm, weight_grams, price, position) where status = 'live';
create index products_low_stock_threshold_idx on public.products (low_stock_threshold) where low_stock_threshold is not null;

-- Each colour has its own picture, stock and address (/products/<slug>/<variant slug>).
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
alter table public.product_variants enable row level security;
alter table public.product_variants force row level security;

create index product_variants_stock_idx on public.product_variants (stock_quantity);

-- Former addresses of products and variants. No foreign keys, because the rows outlive deleted products.
create table private.former_product_slugs (
  slug       text primary key,
  product_id uuid not null,
  name       text not null,
  retired_at timestamptz not null default now()
);
alter table private.former_product_slugs enable row level security;
alter table private.former_product_slugs force row level security;

create table private.former_variant_slugs (
  product_id uuid not null,
  slug       text not null,
  variant_id uuid not null,
  retired_at timestamptz not null default now(),
  primary key (product_id, slug)
);
alter table private.former_variant_slugs enable row level security;
alter table private.former_variant_slugs force row level security;

create table private.search_texts (
  product_id uuid not null references public.products on delete cascade,
  variant_id uuid references public.product_variants on delete cascade,
  words      text not null,
  run        text not null,
  constraint text_twice unique nulls not distinct (product_id, variant_id)
);
alter table private.search_texts enable row level security;
alter table private.search_texts force row level security;

create index search_texts_idx on private.search_texts using gin (words extensions.gin_trgm_ops, run extensions.gin_trgm_ops);
create index search_texts_variant_id_idx on private.search_texts (variant_id);

-- Every word that ever stood in the range, and every two neighbours as one, for who types with a slip. It only grows: a word too many
-- finds nothing by itself.
create table private.search_words (
  word text primary key
);
alter table private.search_words enable row level security;
alter table private.search_words force row level security;
