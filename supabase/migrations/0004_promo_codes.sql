-- Promo codes and the attempts at codes that do not exist.
--
-- Admins write promo codes, except for `times_used`: it follows the redemptions (0005), so that a limit is exact.
-- Amounts are rand; a null limit or date does not limit. Customers never read the table.
-- Functions, policies, grants and the meaning of each column: schema/promo_codes and schema/pricing.
create table public.promo_codes (
  id                 uuid primary key default gen_random_uuid(),
  code               text not null constraint malformed_code check (code ~ '^[A-Z0-9][A-Z0-9_-]{0,39}$'),
  discount_type      text not null constraint unknown_discount_type check (discount_type in ('percentage', 'fixed')),
  discount_value     numeric(10,2) not null constraint impossible_discount check (discount_value between 0 and 1000000),
  min_order_amount   numeric(10,2) not null default 0
    constraint impossible_minimum check (min_order_amount between 0 and 1000000),
  usage_limit        int constraint usage_limit_below_one check (usage_limit >= 1),
  per_customer_limit int constraint per_customer_limit_below_one check (per_customer_limit >= 1),
  first_order_only   boolean not null default false,
  times_used         int not null default 0 constraint negative_uses check (times_used >= 0),
  starts_at          timestamptz,
  expires_at         timestamptz,
  is_active          boolean not null default true,
  free_shipping      boolean not null default false,
  created_at         timestamptz not null default now(),
  updated_at         timestamptz not null default now(),
  constraint code_taken unique (code),
  constraint more_than_everything check (discount_type <> 'percentage' or discount_value <= 100),
  constraint ends_before_it_starts check (expires_at > starts_at)
);
alter table public.promo_codes enable row level security;
alter table public.promo_codes force row level security;

create index promo_codes_created_at_idx on public.promo_codes (created_at desc);
-- Two codes that read alike (SUMMER0, SUMMERO) cannot both exist: find_promo() looks codes up by this key.
create unique index code_reads_alike on public.promo_codes (private.promo_code_key(code));

-- Codes that do not exist, by the account that tried them. Codes are secret: after 20 different ones within an hour the
-- account gets no answer, not even for right codes, until the hour is over. The key makes a repeated try of one code
-- count once. find_promo() deletes older rows of the account.
create table private.promo_code_attempts (
  customer_id uuid not null references auth.users on delete cascade,
  code        text not null,
  attempted_at  timestamptz not null default now(),
  primary key (customer_id, code)
);
alter table private.promo_code_attempts enable row level security;
alter table private.promo_code_attempts force row level security;
