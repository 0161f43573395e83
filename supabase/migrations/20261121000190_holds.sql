-- Lures set aside for a buyer who is paying. A hold counts until it expires, then as if it were not there; the row goes when
-- the order is paid or cancelled. Whoever holds or takes stock locks the variants' rows first, in the order of their ids,
-- so that two buyers of the same two lures wait for each other instead of deadlocking.
create table public.stock_holds (
  id         uuid primary key default gen_random_uuid(),
  order_id   uuid not null references public.orders on delete cascade,
  variant_id uuid not null references public.product_variants on delete cascade,
  quantity   int not null constraint hold_of_nothing check (quantity > 0),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  constraint held_twice unique (order_id, variant_id)
);
comment on table public.stock_holds is 'Lure bodies set aside for orders that await payment.';
create index stock_holds_variant_id_idx on public.stock_holds (variant_id, expires_at);
alter table public.stock_holds enable row level security;
alter table public.stock_holds force row level security;

grant select on public.stock_holds to authenticated, service_role;
create policy select_as_admin on public.stock_holds
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: nothing else is granted: functions hold and free.

create function private.available(variant_id uuid, besides_order uuid default null) returns int
  language sql stable
  set search_path = ''
  as $$
    select greatest(0, v.stock_quantity - coalesce((
      select sum(h.quantity) from public.stock_holds h
      where h.variant_id = v.id and h.expires_at > now() and h.order_id is distinct from available.besides_order
    ), 0))::int
    from public.product_variants v where v.id = available.variant_id
  $$;
comment on function private.available(uuid, uuid) is
  'What of a variant can be sold now; the given order''s own hold does not count against it.';

create function private.available_stock() returns table (variant_id uuid, available int)
  language sql stable security definer
  set search_path = ''
  as $$
    select v.id, greatest(0, v.stock_quantity - coalesce(held.quantity, 0))::int
    from public.product_variants v
    join public.products p on p.id = v.product_id and p.status = 'live'
    left join (
      select h.variant_id, sum(h.quantity) as quantity from public.stock_holds h where h.expires_at > now() group by h.variant_id
    ) as held on held.variant_id = v.id
  $$;
grant execute on function private.available_stock() to anon, authenticated, service_role;

-- Visitors see what is left, not who holds it: the view asks a function that reads the holds as its owner.
create view public.product_availability with (security_invoker = true) as
  select variant_id, available from private.available_stock();
comment on view public.product_availability is 'How many of each live variant can be bought now: stock less live holds.';
grant select on public.product_availability to anon, authenticated, service_role;
