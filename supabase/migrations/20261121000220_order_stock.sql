-- What an order's lines mean for the shelf: held while the buyer pays, taken when paid, put back when a paid order is
-- cancelled before it left. How much an order has taken is read from the movements, so each of these may run twice and
-- does its work once.
create function private.order_needs(needing uuid)
  returns table (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean)
  language sql stable
  set search_path = ''
  as $$
    select i.variant_id, min(i.product_name), min(i.product_variant),
      (sum(i.quantity) + coalesce((
        select sum(m.quantity) from public.stock_movements m where m.order_id = needing and m.variant_id = i.variant_id
      ), 0))::int,
      coalesce(bool_or(p.made_to_order), false)
    from public.order_items i
    left join public.products p on p.id = i.product_id
    where i.order_id = needing
    group by i.variant_id
  $$;
comment on function private.order_needs(uuid) is 'Bodies of each variant that an order asks for and has not taken yet.';

-- Locks the shelf for an order and refuses when it does not suffice, naming the lines.
create function private.reserve_shelf(needing uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    short jsonb;
  begin
    perform from public.product_variants v
    where v.id in (select i.variant_id from public.order_items i where i.order_id = needing)
    order by v.id for no key update;

    select jsonb_agg(jsonb_build_object(
      'variant_id', n.variant_id, 'product_name', n.product_name, 'product_variant', n.product_variant,
      'wanted', n.quantity, 'available', coalesce(private.available(n.variant_id, needing), 0)))
    into short
    from private.order_needs(needing) n
    where not n.made_to_order and n.quantity > coalesce(private.available(n.variant_id, needing), 0);

    if short is not null then
      perform private.refuse(409, 'sold_out', 'Some lures were sold in the meantime.', short);
    end if;
  end
  $$;
comment on function private.reserve_shelf(uuid) is
  'Locks an order''s variants in the order of their ids; refuses what is sold out.';

-- A moved stock changes its product's sum as well. All variants come before all products, each in the order of their
-- ids, so that two payments at once cannot wait for each other.
create function private.lock_products(touched_by uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.products p
    where p.id in (
      select v.product_id from public.product_variants v
      where v.id in (select i.variant_id from public.order_items i where i.order_id = touched_by)
        or v.id in (select m.variant_id from public.stock_movements m where m.order_id = touched_by)
    )
    order by p.id for no key update;
  end
  $$;

create function private.hold_stock(holding uuid, until timestamptz) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.reserve_shelf(holding);
    -- A lure made to order holds what lies on the shelf; the rest will be made.
    insert into public.stock_holds (order_id, variant_id, quantity, expires_at)
    select holding, n.variant_id, least(n.quantity, private.available(n.variant_id, holding)), until
    from private.order_needs(holding) n
    where least(n.quantity, private.available(n.variant_id, holding)) > 0
    on conflict on constraint held_twice do update set quantity = excluded.quantity, expires_at = excluded.expires_at;
  end
  $$;

create function private.take_stock(taking uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.reserve_shelf(taking);
    perform private.lock_products(taking);
    perform private.move_stock(n.variant_id, -least(n.quantity, private.available(n.variant_id, taking)), 'sold', taking)
    from private.order_needs(taking) n
    where least(n.quantity, private.available(n.variant_id, taking)) > 0;
    delete from public.stock_holds h where h.order_id = taking;
  end
  $$;

create function private.return_stock(returning_from uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v
    where v.id in (select m.variant_id from public.stock_movements m where m.order_id = returning_from)
    order by v.id for no key update;
    perform private.lock_products(returning_from);

    perform private.move_stock(taken.variant_id, taken.quantity, 'returned', returning_from)
    from (
      select m.variant_id, -sum(m.quantity)::int as quantity
      from public.stock_movements m where m.order_id = returning_from
      group by m.variant_id having sum(m.quantity) < 0
      order by m.variant_id
    ) as taken;
  end
  $$;
