-- Stock and its history: every change of a variant's stock is a movement with a reason.
--
-- A trigger writes the movement in the statement that changes the stock, so the movements of a variant always add up
-- to its stock. Rows are never changed, and deleted only with their variant. A product's stock is the sum over its
-- variants.
-- Reasons: sold and returned come from orders (reservations.sql), made, expo and lost from adjust_stock(), counted from
-- adjust_stock() and from every plain update of the figure.

comment on table public.stock_movements is
  'Changes of stock: units that came in (positive) or went out (negative), and why.';
comment on column public.stock_movements.reason is
  'counted: staff set the figure; made: produced; sold and returned: an order; expo: sold away from the shop; '
  'lost: damaged or given away.';
comment on column public.stock_movements.order_id is
  'The order that took or returned the units. Null for other reasons. No foreign key: the movement outlives a '
  'deleted order.';
comment on column public.stock_movements.actor_id is 'The account that caused it. Null: the shop''s own process.';
comment on column public.stock_movements.quantity is
  'Change of the stock in units, negative when stock left; 0 for a count that confirmed the stock.';
comment on column public.stock_movements.note is 'Text of the member of staff.';
comment on column public.stock_movements.key is
  'Idempotency key of adjust_stock(): one press of the button moves stock once. Null for orders and plain '
  'updates.';

-- Not granted: insert, update, delete. Rows come from the trigger write_stock_movement.
grant select on public.stock_movements to authenticated, service_role;

create policy select_as_admin on public.stock_movements for select to authenticated
  using ((select private.is_admin()));

-- The admin's adjustment of one variant. Locks the variant: quantity and key are compared with a figure that no payment
-- changes meanwhile. A count is refused when the stock that its author saw has changed, because it would take back what was made or
-- sold since. A count that equals the stock is a movement of no units, written here because it changes no variant: it
-- keeps the key, without which a repetition would set the stock back after a sale.
-- Security definer: stock movements are written by the trigger only. require_admin() comes first.
create or replace function public.adjust_stock(
    variant_id uuid, reason text, quantity int, note text default null, key uuid default null, seen int default null)
  returns int
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    stock int;
    change int;
    repeated public.stock_movements;
  begin
    perform private.require_admin();
    note := private.normalise_line(left(note, 300));
    select v.stock_quantity into stock from public.product_variants v where v.id = adjust_stock.variant_id for update;
    if not found then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    end if;
    select * into repeated from public.stock_movements m where m.key = adjust_stock.key;
    if repeated.id is not null then
      perform private.require_same_adjustment(repeated, adjust_stock.variant_id, adjust_stock.reason, adjust_stock.quantity, adjust_stock.note);
      return stock;
    end if;
    if reason = 'counted' and seen <> stock and quantity <> stock then
      perform private.refuse(409, 'stock_changed',
        'The stock has changed from ' || seen || ' to ' || stock || ' since you began to count. Count again, or save again to keep your count.',
        jsonb_build_object('stock_quantity', stock));
    end if;
    change := case reason
      when 'counted' then quantity - stock
      when 'made' then quantity
      when 'expo' then -quantity
      when 'lost' then -quantity
    end;
    if change is null or quantity < 0 or quantity > 1000000 or (quantity = 0 and reason <> 'counted') then
      perform private.refuse(422, 'invalid_adjustment', 'Choose a reason, and enter a whole number.');
    elsif stock + change < 0 then
      perform private.refuse(409, 'not_on_shelf',
        'Only ' || stock || ' are in stock.', jsonb_build_object('stock_quantity', stock));
    elsif stock + change > 1000000 then
      perform private.refuse(422, 'invalid_adjustment', 'Stock cannot exceed one million.');
    end if;

    if change = 0 then
      insert into public.stock_movements (variant_id, quantity, reason, note, key)
      values (adjust_stock.variant_id, 0, adjust_stock.reason, adjust_stock.note, adjust_stock.key);
      return stock;
    end if;
    perform set_config('shop.stock_movement', jsonb_build_object(
      'reason', reason, 'note', note, 'key', adjust_stock.key)::text, true);
    update public.product_variants v set stock_quantity = stock + change where v.id = adjust_stock.variant_id;
    perform set_config('shop.stock_movement', '', true);
    return stock + change;
  end
  $$;
comment on function public.adjust_stock is
  'Changes a variant''s stock by hand and returns the new stock in units. reason: made, expo or lost with the '
  'units moved, or counted with the units there are. seen: the stock when the count began; null accepts any. A repeated key '
  'changes nothing. For admins. Refuses variant_not_found, invalid_adjustment, not_on_shelf, stock_changed, already_saved.';
grant execute on function public.adjust_stock to authenticated;

-- Refuses a corrected adjustment whose key was used: the first one was saved although its response was lost. Returning its result would
-- drop the correction, and a new key would move the stock twice.
create or replace function private.require_same_adjustment(
    repeated public.stock_movements, variant_id uuid, reason text, quantity int, note text)
  returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    saved int := case repeated.reason
      when 'counted' then (
        select sum(m.quantity) from public.stock_movements m where m.variant_id = repeated.variant_id and m.id <= repeated.id)
      else abs(repeated.quantity) end;
  begin
    if (repeated.variant_id, repeated.reason, saved, repeated.note) is distinct from (variant_id, reason, quantity, note) then
      perform private.refuse(409, 'already_saved',
        'Your change was saved before you corrected it. Please check the stock and enter what is still missing.');
    end if;
  end
  $$;

-- The stock after each movement is a running sum, because the movements of a variant add up to its stock.
-- Security definer: reads names of accounts. require_admin() comes first.
create or replace function public.stock_history(
    product_id uuid, of_variant uuid default null, before bigint default null)
  returns table (id bigint, variant_id uuid, variant_name text, quantity int, stock_after int, reason text, note text,
    order_id uuid, order_number int, actor text, created_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    perform private.require_admin();
    return query
      select h.id, h.variant_id, h.variant_name, h.quantity, h.stock_after, h.reason, h.note,
        h.order_id, o.order_number, coalesce(nullif(p.full_name, ''), p.email), h.created_at
      from (
        select m.*, v.name as variant_name,
          (sum(m.quantity) over (partition by m.variant_id order by m.id))::int as stock_after
        from public.stock_movements m
        join public.product_variants v on v.id = m.variant_id
        where v.product_id = stock_history.product_id
          and (of_variant is null or v.id = of_variant)
      ) as h
      left join public.orders o on o.id = h.order_id
      left join public.profiles p on p.id = h.actor_id
      where stock_history.before is null or h.id < stock_history.before
      order by h.id desc limit 50;
  end
  $$;
comment on function public.stock_history is
  'Movements of a product''s variants, newest first, 50 at a time; before: the last id of the page before. '
  'stock_after: units of the variant after the movement. For admins.';
grant execute on function public.stock_history to authenticated;

-- Payment takes units out of the stock, and the parcel takes them off the shelf. A count in between finds them there and must leave
-- them out: counted in, they would be sold twice.
-- Security definer: otherwise the policies would be checked for each movement. require_admin() comes first.
create or replace function public.unshipped_units(product_id uuid)
  returns table (variant_id uuid, order_id uuid, order_number int, quantity int)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    perform private.require_admin();
    return query
      select m.variant_id, o.id, o.order_number, -sum(m.quantity)::int
      from public.orders o
      join public.stock_movements m on m.order_id = o.id
      join public.product_variants v on v.id = m.variant_id
      where v.product_id = unshipped_units.product_id and o.status in ('new', 'processing', 'pending')
      group by m.variant_id, o.id having sum(m.quantity) < 0
      order by o.order_number, m.variant_id;
  end
  $$;
comment on function public.unshipped_units is
  'Units of a product''s variants that paid orders have taken from the stock and that have not left, by order, oldest '
  'first. For admins.';
grant execute on function public.unshipped_units to authenticated;

-- Reads the cause from the setting shop.stock_movement, which move_stock() and adjust_stock() set for one update.
-- Security definer: stock changes by statements whose callers cannot write movements.
create or replace function private.record_stock_movement() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    cause jsonb := nullif(current_setting('shop.stock_movement', true), '')::jsonb;
    before int := case tg_op when 'UPDATE' then old.stock_quantity else 0 end;
  begin
    if new.stock_quantity <> before then
      insert into public.stock_movements (variant_id, quantity, reason, order_id, note, key)
      values (new.id, new.stock_quantity - before, coalesce(cause ->> 'reason', 'counted'),
        (cause ->> 'order_id')::uuid, cause ->> 'note', (cause ->> 'key')::uuid);
    end if;
    return null;
  end
  $$;

create trigger write_stock_movement after insert or update of stock_quantity on public.product_variants
  for each row execute function private.record_stock_movement();

-- Security definer: a change of a variant may come from a caller who cannot write products. An equal sum is not
-- written, which ends the mutual calls with pass_stock_to_variant.
create or replace function private.sum_product_stock() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    changed uuid := case tg_op when 'DELETE' then old.product_id else new.product_id end;
  begin
    update public.products p set stock_quantity = total.stock
    from (
      select coalesce(sum(v.stock_quantity), 0)::int as stock
      from public.product_variants v where v.product_id = changed
    ) as total
    where p.id = changed and p.stock_quantity <> total.stock;
    return null;
  end
  $$;

create trigger sum_product_stock after insert or delete or update of stock_quantity on public.product_variants
  for each row execute function private.sum_product_stock();

-- Deleting a product, or writing its stock, locks it before its variants, and a sale locks them the other way round. So the
-- variants are locked first: all of them, because a trigger before a statement does not know its rows. sum_product_stock is left
-- out by its depth: the statement that fired it has locked the variant.
create or replace function private.lock_all_variants() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v order by v.id for update;
    return null;
  end
  $$;

create trigger lock_variants_first before delete or update of stock_quantity on public.products
  for each statement when (pg_trigger_depth() = 0)
  execute function private.lock_all_variants();

-- The specified product form has one stock figure. It is the stock of the only variant; with several variants it is not
-- known which one is meant, so a changed figure is refused (several_variants).
-- Security definer: the caller may write products and not variants.
create or replace function private.pass_stock_to_variant() returns trigger
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
        'This product has several colours: set the stock of each colour instead.',
        jsonb_build_object('stock_quantity', total));
    end if;
    return null;
  end
  $$;

create trigger pass_stock_to_variant after update of stock_quantity on public.products
  for each row when (old.stock_quantity is distinct from new.stock_quantity)
  execute function private.pass_stock_to_variant();
