-- Promo codes. Shoppers never read this table: validate_promo_code() answers for one code at a time. Staff write everything
-- but the count of uses, which follows the redemptions.
create table public.promo_codes (
  id                 uuid primary key default gen_random_uuid(),
  code               text not null constraint malformed_code check (code ~ '^[A-Z0-9][A-Z0-9_-]{0,39}$'),
  discount_type      text not null constraint unknown_discount_type check (discount_type in ('percentage', 'fixed')),
  discount_value     numeric(10,2) not null constraint impossible_discount check (discount_value between 0 and 1000000),
  min_order_amount   numeric(10,2) not null default 0 constraint impossible_minimum check (min_order_amount between 0 and 1000000),
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
comment on table public.promo_codes is 'Codes that take something off an order.';
comment on column public.promo_codes.discount_value is 'Per cent of the subtotal, or rand.';
comment on column public.promo_codes.min_order_amount is 'The subtotal from which the code holds; equal is enough.';
comment on column public.promo_codes.usage_limit is 'Orders in all; null is unlimited.';
comment on column public.promo_codes.per_customer_limit is
  'Orders for each customer, known by account, e-mail and phone; null is unlimited.';
comment on column public.promo_codes.times_used is 'Orders that hold a use now; written by the redemptions'' trigger alone.';
create index promo_codes_created_at_idx on public.promo_codes (created_at desc);
create trigger touch_updated_at before update on public.promo_codes
  for each row execute function private.touch_updated_at();
alter table public.promo_codes enable row level security;
alter table public.promo_codes force row level security;

grant select, delete on public.promo_codes to authenticated, service_role;
grant insert (code, discount_type, discount_value, min_order_amount, usage_limit, per_customer_limit, first_order_only,
    starts_at, expires_at, is_active, free_shipping),
  update (code, discount_type, discount_value, min_order_amount, usage_limit, per_customer_limit, first_order_only,
    starts_at, expires_at, is_active, free_shipping)
  on public.promo_codes to authenticated, service_role;
create policy select_as_admin on public.promo_codes
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.promo_codes
  for insert to authenticated
  with check ((select private.is_admin()));
create policy update_as_admin on public.promo_codes
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
create policy delete_as_admin on public.promo_codes
  for delete to authenticated
  using ((select private.is_admin()));
-- NOTE: times_used is in no grant: a limit that can be edited back to zero is none.

create function private.upper_case_code() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.code := upper(btrim(new.code));
    return new;
  end
  $$;
create trigger upper_case_code before insert or update of code on public.promo_codes
  for each row execute function private.upper_case_code();
