-- The history of the shelf. Every change of a variant's stock, whoever makes it and however, leaves a row here in the same
-- statement, written by a trigger; so the movements of a variant always add up to its stock. Rows are never changed.
create table public.stock_movements (
  id         bigint generated always as identity primary key,
  variant_id uuid not null references public.product_variants on delete cascade,
  quantity   int not null constraint movement_of_nothing check (quantity <> 0),
  reason     text not null constraint unknown_reason check (reason in ('counted', 'made', 'sold', 'returned', 'lost')),
  order_id   uuid,
  actor_id   uuid default auth.uid(),
  created_at timestamptz not null default now()
);
comment on table public.stock_movements is 'What came onto the shelf (+) and what left it (−), and why.';
comment on column public.stock_movements.reason is
  'counted: staff set the figure; made: new from the bench; sold and returned: an order; lost: damaged or given away.';
comment on column public.stock_movements.order_id is
  'The order that took or gave back. No foreign key: the movement outlives a deleted order.';
create index stock_movements_variant_id_idx on public.stock_movements (variant_id, created_at desc);
create index stock_movements_order_id_idx on public.stock_movements (order_id) where order_id is not null;
alter table public.stock_movements enable row level security;
alter table public.stock_movements force row level security;

grant select on public.stock_movements to authenticated, service_role;
create policy select_as_admin on public.stock_movements
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: no insert, update or delete for anybody: the trigger writes, and history stays.

-- The one place where stock changes with a reason of its own. The reason reaches the trigger through a setting that is
-- reset at once, so that a later plain update in the same transaction counts as what it is: somebody set the figure.
create function private.move_stock(variant_id uuid, quantity int, reason text, order_id uuid default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform set_config('shop.stock_movement', jsonb_build_object('reason', reason, 'order_id', order_id)::text, true);
    update public.product_variants v set stock_quantity = v.stock_quantity + move_stock.quantity where v.id = move_stock.variant_id;
    perform set_config('shop.stock_movement', '', true);
  end
  $$;
comment on function private.move_stock(uuid, int, text, uuid) is 'Changes a variant''s stock and says why.';

create function private.write_stock_movement() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    cause jsonb := nullif(current_setting('shop.stock_movement', true), '')::jsonb;
    before int := case tg_op when 'UPDATE' then old.stock_quantity else 0 end;
  begin
    if new.stock_quantity <> before then
      insert into public.stock_movements (variant_id, quantity, reason, order_id)
      values (new.id, new.stock_quantity - before, coalesce(cause ->> 'reason', 'counted'), (cause ->> 'order_id')::uuid);
    end if;
    return null;
  end
  $$;
create trigger write_stock_movement after insert or update of stock_quantity on public.product_variants
  for each row execute function private.write_stock_movement();

-- A product shows the sum of its variants. The order of the two triggers (by name) does not matter.
create function private.sum_product_stock() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed uuid := case tg_op when 'DELETE' then old.product_id else new.product_id end;
  begin
    update public.products p set stock_quantity = total.stock
    from (
      select coalesce(sum(v.stock_quantity), 0)::int as stock from public.product_variants v where v.product_id = changed
    ) as total
    where p.id = changed and p.stock_quantity <> total.stock;
    return null;
  end
  $$;
create trigger sum_product_stock after insert or delete or update of stock_quantity on public.product_variants
  for each row execute function private.sum_product_stock();

-- The admin's product form has one stock figure. It is the only variant's; where a product has several colours, one figure
-- cannot say which colour is meant, so a changed one is refused.
create function private.pass_stock_to_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    variants int;
    total int;
  begin
    select count(*), coalesce(sum(v.stock_quantity), 0) into variants, total
    from public.product_variants v where v.product_id = new.id;

    if new.stock_quantity = total then
      return null;
    elsif variants = 1 then
      update public.product_variants v set stock_quantity = new.stock_quantity where v.product_id = new.id;
    else
      perform private.refuse(409, 'several_variants',
        'This product has several colours: set the stock of each colour instead.', jsonb_build_object('stock_quantity', total));
    end if;
    return null;
  end
  $$;
create trigger pass_stock_to_variant after update of stock_quantity on public.products
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.pass_stock_to_variant();

-- A product made with the plain form has no colours, yet buyers choose one. It gets one when the transaction that made it
-- ends without any.
create function private.make_only_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from public.products p where p.id = new.id)
      and not exists (select from public.product_variants v where v.product_id = new.id) then
      insert into public.product_variants (product_id, slug, name, image_url, image_alt, stock_quantity)
      values (new.id, 'standard', 'Standard', new.image_url, new.name, new.stock_quantity);
    end if;
    return null;
  end
  $$;
create constraint trigger make_only_variant after insert on public.products
  deferrable initially deferred
  for each row execute function private.make_only_variant();
