-- Items that a refund takes off the order, and back to stock if they had left it.
--
-- Before the order ships, every unit of a line can be taken off, and is then not packed. Units that still have to be made come
-- off first and move no stock. Afterwards stock movements of the order decide how many can return: an order that was cancelled
-- before it shipped returned everything already.
-- payment_refund_items records what each refund returned, and order_items.returned_quantity is the sum for each line.
-- All functions lock variants before products, each in the order of their ids.

-- Returnable is the line's quantity less earlier returns; once the order is shipped or cancelled, at most what it took from stock
-- and did not return.
create or replace function private.returnable_items(of_order uuid)
  returns table (order_item_id uuid, variant_id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, returnable int)
  language sql stable
  set search_path = ''
  as $$
    select i.id, i.variant_id, i.product_name, i.product_variant, i.with_hooks, i.quantity,
      greatest(0, least(i.quantity - i.returned_quantity, case when o.status not in ('new', 'processing', 'pending') then coalesce((
        select -sum(m.quantity) from public.stock_movements m where m.order_id = of_order and m.variant_id = i.variant_id
      ), 0) end))::int
    from public.order_items i
    join public.orders o on o.id = i.order_id
    where i.order_id = of_order
    order by i.position, i.created_at, i.id
  $$;

-- The refund dialog asks this before it offers to restock. paid_price is not rounded to cents: the price of several units is.
create or replace function public.returnable_items(order_id uuid)
  returns table (order_item_id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, returnable int,
    price numeric, paid_price numeric)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select r.order_item_id, r.product_name, r.product_variant, r.with_hooks, r.quantity, r.returnable,
        i.price, round(i.price * private.paid_share(o), 6)
      from private.returnable_items(returnable_items.order_id) r
      join public.order_items i on i.id = r.order_item_id
      join public.orders o on o.id = i.order_id
      order by i.position, i.created_at, i.id;
  end
  $$;
comment on function public.returnable_items(uuid) is
  'Lines of an order with the quantity that a refund can still take off them, and the price of a unit in rand: as ordered, and after the discount (paid_price). Admins only.';
grant execute on function public.returnable_items(uuid) to authenticated;

-- `returned` is [{order_item_id, quantity}]. Two lines may share a variant (with and without hooks), so returnable_items() is
-- asked again for each line, after the earlier lines were booked. Errors: invalid_return, return_exceeds_line.
create or replace function private.restock_items(refund public.payment_refunds, returned jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    requested record;
    line record;
    still_made int;
  begin
    perform private.lock_variant_rows(array(select i.variant_id from public.order_items i where i.order_id = refund.order_id));
    perform private.lock_products(refund.order_id);
    for requested in select r.order_item_id, r.quantity from jsonb_to_recordset(returned) as r (order_item_id uuid, quantity int) loop
      select * into line from private.returnable_items(refund.order_id) i where i.order_item_id = requested.order_item_id;
      if (requested.quantity > 0 and line.order_item_id is not null) is not true then
        perform private.refuse(422, 'invalid_return', 'Choose lines of this order, each with a quantity.');
      elsif requested.quantity > line.returnable then
        perform private.refuse(409, 'return_exceeds_line', 'You cannot return more units of a line than the order still has.',
          jsonb_build_object('order_item_id', line.order_item_id, 'returnable', line.returnable));
      end if;
      still_made := least(requested.quantity, private.units_still_made(refund.order_id, line.variant_id));
      insert into public.payment_refund_items (refund_id, order_item_id, product_name, product_variant, with_hooks, quantity, to_make)
        values (refund.id, line.order_item_id, line.product_name, line.product_variant, line.with_hooks, requested.quantity, still_made);
      update public.order_items i set returned_quantity = i.returned_quantity + requested.quantity where i.id = line.order_item_id;
      if requested.quantity > still_made then
        perform private.move_stock(line.variant_id, requested.quantity - still_made, 'returned', refund.order_id);
      end if;
    end loop;
    perform private.record_units_to_make(refund.order_id);
  end
  $$;

-- Units that an order still needs made, so that a refund need not count them in. A shipped order contains them: they were made.
create or replace function private.units_still_made(of_order uuid, of_variant uuid) returns int
  language sql stable
  set search_path = ''
  as $$
    select coalesce(sum(n.quantity), 0)::int
    from private.ordered_variants(of_order) n join public.orders o on o.id = of_order
    where n.variant_id = of_variant and n.quantity > 0 and o.status in ('new', 'processing', 'pending')
  $$;

-- A withdrawn refund takes its items out of stock again. If some were sold or reserved since, the withdrawal is refused as a
-- whole. A cancelled order that was never shipped takes nothing: reinstating it will. Made-to-order items are taken as far as
-- they are in stock; the rest is made, as are units that had still to be made. Error: returned_lures_sold.
create or replace function private.remove_restocked_items(refund public.payment_refunds) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    line record;
    still_available int;
    taken_again int;
  begin
    perform private.lock_variant_rows(array(select i.variant_id from public.order_items i where i.order_id = refund.order_id));
    perform private.lock_products(refund.order_id);
    for line in
      select i.id, i.variant_id, i.product_name, i.product_variant, returned.quantity, returned.quantity - returned.to_make as restocked,
        coalesce(p.made_to_order, false) as made_to_order,
        o.status <> 'cancelled' or (
          select e.detail ->> 'from' in ('shipped', 'delivered') from public.order_events e
          where e.order_id = o.id and e.kind = 'cancelled' order by e.id desc limit 1) as is_taken
      from public.payment_refund_items returned
      join public.order_items i on i.id = returned.order_item_id
      join public.orders o on o.id = i.order_id
      left join public.products p on p.id = i.product_id
      where returned.refund_id = refund.id
      order by i.position, i.created_at, i.id
    loop
      update public.order_items i set returned_quantity = i.returned_quantity - line.quantity where i.id = line.id;
      if line.variant_id is not null and line.is_taken then
        still_available := private.available_stock(line.variant_id, refund.order_id);
        taken_again := least(still_available, case when line.made_to_order then line.quantity else line.restocked end);
        if still_available < line.restocked and not line.made_to_order then
          perform private.refuse(409, 'returned_lures_sold',
            'This refund put ' || line.restocked || ' × ' || concat_ws(', ', line.product_name, line.product_variant)
              || ' back in stock, and only ' || still_available || ' can still be taken. Correct the stock, then withdraw the refund.',
            jsonb_build_object('order_item_id', line.id, 'wanted', line.restocked, 'available', still_available));
        elsif taken_again > 0 then
          perform private.move_stock(line.variant_id, -taken_again, 'sold', refund.order_id);
        end if;
        perform private.record_units_to_make(refund.order_id);
      end if;
    end loop;
  end
  $$;
