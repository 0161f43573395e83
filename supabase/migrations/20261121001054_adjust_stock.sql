-- Stock changed by hand, with its reason: new from the bench, sold at an expo, damaged or lost, or counted again. A note may say
-- more. `key` names one press of the button, however often a weak signal sends it.
alter table public.stock_movements
  drop constraint unknown_reason,
  add constraint unknown_reason check (reason in ('counted', 'made', 'sold', 'returned', 'expo', 'lost')),
  add column note text constraint malformed_note check (private.is_line(note, 1, 300)),
  add column key uuid constraint key_taken unique;
comment on column public.stock_movements.reason is
  'counted: staff set the figure; made: new from the bench; sold and returned: an order; expo: sold away from the shop; lost: damaged or given away.';
comment on column public.stock_movements.key is 'Names the press of the button that caused it.';

create or replace function private.write_stock_movement() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    cause jsonb := nullif(current_setting('shop.stock_movement', true), '')::jsonb;
    before int := case tg_op when 'UPDATE' then old.stock_quantity else 0 end;
  begin
    if new.stock_quantity <> before then
      insert into public.stock_movements (variant_id, quantity, reason, order_id, note, key)
      values (new.id, new.stock_quantity - before, coalesce(cause ->> 'reason', 'counted'), (cause ->> 'order_id')::uuid,
        cause ->> 'note', (cause ->> 'key')::uuid);
    end if;
    return null;
  end
  $$;

-- adjust_stock(colour, reason, quantity, note, key) → what is on the shelf now. `quantity` is how many were made, sold or lost;
-- for `counted` it is how many there are. 409 not_on_shelf when more would leave than are there.
create function public.adjust_stock(variant_id uuid, reason text, quantity int, note text default null, key uuid default null)
  returns int
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    standing int;
    change int;
  begin
    perform private.require_admin();
    select v.stock_quantity into standing from public.product_variants v where v.id = adjust_stock.variant_id for update;
    if not found then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    elsif exists (select from public.stock_movements m where m.key = adjust_stock.key) then
      return standing;
    end if;
    change := case reason
      when 'counted' then quantity - standing when 'made' then quantity when 'expo' then -quantity when 'lost' then -quantity end;
    if change is null or quantity < 0 or quantity > 1000000 or (quantity = 0 and reason <> 'counted') then
      perform private.refuse(422, 'invalid_adjustment', 'Say why, and how many: a whole number.');
    elsif standing + change < 0 then
      perform private.refuse(409, 'not_on_shelf', 'Only ' || standing || ' are on the shelf.', jsonb_build_object('stock_quantity', standing));
    elsif standing + change > 1000000 then
      perform private.refuse(422, 'invalid_adjustment', 'No shelf holds more than a million.');
    end if;

    perform set_config('shop.stock_movement', jsonb_build_object(
      'reason', reason, 'note', private.tidy(left(adjust_stock.note, 300)), 'key', adjust_stock.key)::text, true);
    update public.product_variants v set stock_quantity = standing + change
      where v.id = adjust_stock.variant_id and change <> 0;
    perform set_config('shop.stock_movement', '', true);
    return standing + change;
  end
  $$;
grant execute on function public.adjust_stock(uuid, text, int, text, uuid) to authenticated;
comment on function public.adjust_stock(uuid, text, int, text, uuid) is 'Changes what is on the shelf and says why; returns what is there now.';


-- The history of a product's shelf, newest first, fifty at a time. What was there afterwards follows from the movements, because
-- they always add up to the stock.
create function public.stock_history(product_id uuid, of_variant uuid default null, before bigint default null)
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
        select m.*, v.name as variant_name, (sum(m.quantity) over (partition by m.variant_id order by m.id))::int as stock_after
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
grant execute on function public.stock_history(uuid, uuid, bigint) to authenticated;
comment on function public.stock_history(uuid, uuid, bigint) is 'What came onto the shelf and left it, why, by whom, and what was there then.';
