-- Stock and carts: movements, reservations, alerts and the server's carts.
--
-- `product_variants.stock_quantity` (0003) is the stock. Movements explain it, reservations reduce what is available.
-- Functions, policies, grants and the meaning of each column: schema/stock and schema/cart.

-- Stock movements. A trigger writes one in the statement that changes the stock of a variant, so the movements of a
-- variant always add up to its stock. Rows are never changed. `key` makes an adjustment idempotent.
create table public.stock_movements (
  id         bigint generated always as identity primary key,
  variant_id uuid not null references public.product_variants on delete cascade,
  quantity   int not null constraint movement_of_nothing check (quantity <> 0),
  reason     text not null,
  order_id   uuid,
  actor_id   uuid default auth.uid(),
  created_at timestamptz not null default now(),
  note       text constraint malformed_note check (private.is_line(note, 1, 300)),
  key        uuid constraint key_taken unique,
  constraint unknown_reason check (reason in ('counted', 'made', 'sold', 'returned', 'expo', 'lost'))
);
alter table public.stock_movements enable row level security;
alter table public.stock_movements force row level security;

create index stock_movements_variant_id_idx on public.stock_movements (variant_id, created_at desc);
create index stock_movements_order_id_idx on public.stock_movements (order_id) where order_id is not null;

-- Reservations keep stock for an unpaid order. One counts until it expires and is deleted when the order is paid or
-- cancelled. Reserving and taking stock lock the rows of the variants first, in the order of their ids, so that two
-- orders of the same variants wait for each other instead of deadlocking.
create table public.stock_reservations (
  id         uuid primary key default gen_random_uuid(),
  order_id   uuid not null references public.orders on delete cascade,
  variant_id uuid not null references public.product_variants on delete cascade,
  quantity   int not null constraint reservation_of_nothing check (quantity > 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint reserved_twice unique (order_id, variant_id)
);
alter table public.stock_reservations enable row level security;
alter table public.stock_reservations force row level security;

create index stock_reservations_variant_id_idx on public.stock_reservations (variant_id, expires_at);

-- How long a customer's orders have reserved a variant within a day: the limit that keeps an account from reserving
-- stock for ever without paying.
create table private.reservation_time (
  customer_id  uuid not null references public.profiles on delete cascade,
  variant_id   uuid not null references public.product_variants on delete cascade,
  counted_from timestamptz not null default now(),
  used         interval not null default '0',
  reserved_from    timestamptz not null default now(),
  reserved_to   timestamptz not null,
  primary key (customer_id, variant_id)
);
alter table private.reservation_time enable row level security;
alter table private.reservation_time force row level security;

create index reservation_time_variant_id_idx on private.reservation_time (variant_id);

-- Stock alerts: one mail when a variant is back in stock. Visitors request them for any address. The request is the
-- consent (POPIA section 11) and keeps its wording, and every mail has a link that ends all alerts of the address.
create table public.stock_alerts (
  id           uuid primary key default gen_random_uuid(),
  variant_id   uuid not null references public.product_variants on delete cascade,
  email        text not null constraint malformed_email check (private.is_email(email) and email = lower(email)),
  wording      text not null,
  created_at   timestamptz not null default now(),
  mailed_at    timestamptz,
  withdrawn_at timestamptz
);
alter table public.stock_alerts enable row level security;
alter table public.stock_alerts force row level security;

-- One waiting alert for each variant and address; ended ones do not stand in the way of a new request.
create unique index stock_alerts_wait_once on public.stock_alerts (variant_id, email)
  where mailed_at is null and withdrawn_at is null;
create index stock_alerts_variant_id_idx on public.stock_alerts (variant_id);
create index stock_alerts_email_idx on public.stock_alerts (email);
-- The job takes waiting alerts in the order of their requests; the limit of a mailbox counts its waiting alerts.
create index stock_alerts_waiting_idx on public.stock_alerts (created_at, id)
  where mailed_at is null and withdrawn_at is null;
create index stock_alerts_mailbox_idx on public.stock_alerts (auth.mailbox_of(email))
  where mailed_at is null and withdrawn_at is null;

-- Variants that are low and that the shop has been mailed about. A row goes when the variant is above its threshold
-- again, so that one shortage makes one mail.
create table private.low_stock_alerts (
  variant_id uuid primary key references public.product_variants on delete cascade,
  mailed_at  timestamptz not null default now()
);
alter table private.low_stock_alerts enable row level security;
alter table private.low_stock_alerts force row level security;

-- Carts of signed-in customers. A line names its product and variant in words, as the browser's cart of a visitor
-- does. A trigger finds the variant; from then on the catalogue decides price, names and picture.
create table public.cart_items (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null default auth.uid() references auth.users on delete cascade,
  product_name    text not null,
  product_variant text not null,
  price           numeric(10,2) not null constraint negative_price check (price >= 0),
  quantity        int not null default 1 constraint impossible_quantity check (quantity between 1 and 999),
  with_hooks      boolean not null,
  image_url       text,
  variant_id      uuid references public.product_variants on delete set null,
  created_at      timestamptz not null default now(),
  constraint line_twice unique (user_id, product_name, product_variant, with_hooks)
);
alter table public.cart_items enable row level security;
alter table public.cart_items force row level security;

create index cart_items_variant_id_idx on public.cart_items (variant_id);

-- The variant that a line of a cart or an order names, with the price (rand) at which it is sold.
create type private.matched_variant as (product_id uuid, variant_id uuid, price numeric(10,2), image_url text);

-- A line of a cart at the catalogue's price (rand); null: no longer sold.
create type private.cart_line as (
  id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
  variant_id uuid, image_url text, made_to_order boolean, created_at timestamptz);

-- Units that an order needs of a variant, with the names that a refusal shows.
create type private.reservation_request as (
  variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean);

-- Units of a variant that are reserved, and the end of the reservation.
create type private.reservation as (variant_id uuid, quantity int, until timestamptz);
