-- Admin area: notes, list settings, shop settings and running totals of sales.

-- Internal notes of admins about a client. They are deleted with the account.
create table public.client_notes (
  id         uuid primary key default gen_random_uuid(),
  client_id  uuid not null references public.profiles on delete cascade,
  body       text not null constraint note_says_something check (length(btrim(body)) between 1 and 2000),
  author_id  uuid not null default auth.uid(),
  created_at timestamptz not null default now()
);
alter table public.client_notes enable row level security;
alter table public.client_notes force row level security;

create index client_notes_client_id_idx on public.client_notes (client_id, created_at);

-- Personal list settings of staff, in the database so that they apply on the desk and on the phone.
create table public.saved_views (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null default auth.uid() references auth.users on delete cascade,
  list       text not null constraint malformed_list check (list ~ '^[a-z_-]{1,40}$'),
  name       text not null constraint malformed_name check (private.is_line(name, 1, 40)),
  address    text not null constraint malformed_address check (private.is_line(address, 0, 500)),
  created_at timestamptz not null default now(),
  constraint view_named_twice unique (user_id, list, name)
);
alter table public.saved_views enable row level security;
alter table public.saved_views force row level security;

create table public.list_settings (
  user_id        uuid not null default auth.uid() references auth.users on delete cascade,
  list           text not null constraint malformed_list check (list ~ '^[a-z_-]{1,40}$'),
  hidden_columns text[] not null default '{}' constraint too_many_columns check (cardinality(hidden_columns) <= 30),
  density        text not null default 'comfortable' constraint unknown_density check (density in ('comfortable', 'compact')),
  primary key (user_id, list)
);
alter table public.list_settings enable row level security;
alter table public.list_settings force row level security;

-- What admins change on the settings page, without a restart (decision 0015). A null means the value in private.shop_rules.
create table public.shop_settings (
  id                     text primary key default 'shop' constraint more_than_one_row check (id = 'shop'),
  shipping_rate          numeric(10,2) constraint impossible_shipping_rate check (shipping_rate between 0 and 10000),
  free_shipping_from     numeric(10,2) constraint impossible_free_shipping_from check (free_shipping_from between 0 and 1000000),
  offers_locker          boolean not null default true,
  requires_second_factor boolean,
  updated_at             timestamptz not null default now()
);
alter table public.shop_settings enable row level security;
alter table public.shop_settings force row level security;

-- The values of shop.config.ts that rules in SQL need, and a few that only the database knows. One row.
create table private.shop_rules (
  only_row                  boolean primary key default true constraint more_than_one_row check (only_row),
  shipping_rate             numeric(10,2) not null constraint negative_shipping_rate check (shipping_rate >= 0),
  free_shipping_from        numeric(10,2) not null constraint negative_free_shipping_from check (free_shipping_from >= 0),
  reservation_minutes       int not null constraint reservation_without_time check (reservation_minutes between 1 and 10080),
  unpaid_expire_hours       int not null constraint expiry_without_time check (unpaid_expire_hours between 1 and 8760),
  updated_at                timestamptz not null default now(),
  remind_after_minutes      int not null default 30
    constraint reminder_out_of_range check (remind_after_minutes between 0 and 525600),
  refund_way                text not null default 'by_hand'
    constraint unknown_refund_way check (refund_way in ('payfast', 'by_hand')),
  reservation_limit_minutes int not null default 120
    constraint reservation_limit_out_of_range check (reservation_limit_minutes between 1 and 100000),
  low_stock_threshold       int not null default 3 constraint impossible_threshold check (low_stock_threshold between 0 and 1000),
  is_public_address         boolean not null default false
);
alter table private.shop_rules enable row level security;
alter table private.shop_rules force row level security;

-- Running totals by day. `shard` is the process id of the backend that wrote the row, so that no two orders wait for each other; the
-- shards of a day add up. supabase/tests/kept-sales.test.ts compares the totals with the orders.
create table private.sales_days (
  day         date not null,
  shard       int not null,
  orders      int not null,
  paid_orders int not null,
  revenue     numeric not null,
  refunds     numeric not null default 0,
  constraint shard_twice primary key (day, shard)
);
alter table private.sales_days enable row level security;
alter table private.sales_days force row level security;

-- Running totals of each promo code. A transaction that finds all rows of a code locked adds one instead of waiting; the rows add up.
-- supabase/tests/kept-promo-sales.test.ts compares the totals with the orders.
create table private.promo_sales (
  id            bigint generated always as identity primary key,
  promo_code_id uuid not null,
  paid_orders   int not null,
  revenue       numeric not null,
  discounted    numeric not null
);
alter table private.promo_sales enable row level security;
alter table private.promo_sales force row level security;

create index promo_sales_promo_code_id_idx on private.promo_sales (promo_code_id);

-- What each refund takes off the totals at present. The totals alone could not tell which refunds they include.
create table private.counted_refunds (
  refund_id     uuid primary key,
  order_id      uuid not null,
  promo_code_id uuid,
  refunded_at   timestamptz not null,
  amount        numeric not null
);
alter table private.counted_refunds enable row level security;
alter table private.counted_refunds force row level security;

create index counted_refunds_order_id_idx on private.counted_refunds (order_id);
create index counted_refunds_refunded_at_idx on private.counted_refunds (refunded_at);

create type private.terms as (shipping_rate numeric(10,2), free_shipping_from numeric(10,2), offers_locker boolean);

insert into public.shop_settings default values;

-- The process overwrites these with shop.config.ts at every start. The first values equal the config as it ships, so
-- that the rules and their tests stand without the process.
insert into private.shop_rules (shipping_rate, free_shipping_from, reservation_minutes, unpaid_expire_hours)
values (100, 1500, 30, 24);
