-- The shelf. Its rows are taken in the order of their ids and before anything is asked of them.
create function private.lock_shelf(variants uuid[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform from public.product_variants v where v.id = any (variants) order by v.id for no key update;
  end
  $$;

create function private.require_shelf(needs private.need[], besides_order uuid) returns private.need[]
  language plpgsql
  set search_path = ''
  as $$
  declare
    short jsonb;
    there private.need[];
  begin
    select
      jsonb_agg(jsonb_build_object(
        'variant_id', n.variant_id, 'product_name', n.product_name, 'product_variant', n.product_variant,
        'wanted', n.quantity, 'available', n.available)) filter (where not n.made_to_order and n.quantity > n.available),
      -- Of a lure made to order only what lies on the shelf can be set aside; the rest will be made.
      array_agg((n.variant_id, n.product_name, n.product_variant, least(n.quantity, n.available), n.made_to_order)::private.need
        order by n.variant_id) filter (where least(n.quantity, n.available) > 0)
    into short, there
    from (
      select needed.*, coalesce(private.available(needed.variant_id, require_shelf.besides_order), 0) as available
      from unnest(needs) needed
      -- Asked once for each lure: without this it would be asked wherever it is named above.
      offset 0
    ) n;
    if short is not null then
      perform private.refuse(409, 'sold_out', 'Some lures were sold in the meantime.', short);
    end if;
    return coalesce(there, '{}');
  end
  $$;
comment on function private.require_shelf(private.need[], uuid) is 'What can be set aside, or the refusal that names what is short. The shelf is locked.';

create function private.grant_holds(customer uuid, there private.need[], until timestamptz) returns private.set_aside[]
  language plpgsql
  set search_path = ''
  as $$
  begin
    return array(
      select (n.variant_id, n.quantity, private.grant_hold(customer, n.variant_id, grant_holds.until))::private.set_aside
      from unnest(there) n);
  end
  $$;
comment on function private.grant_holds(uuid, private.need[], timestamptz) is 'For how long each lure is set aside for this customer.';

create function private.write_holds(holding uuid, granted private.set_aside[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.stock_holds (order_id, variant_id, quantity, expires_at)
    select holding, h.variant_id, h.quantity, h.until from unnest(granted) h
    on conflict on constraint held_twice do update set quantity = excluded.quantity, expires_at = excluded.expires_at;
  end
  $$;

create function private.needs_of_order(needing uuid) returns private.need[]
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return array(select n::private.need from (
      select o.variant_id, o.product_name, o.product_variant, o.quantity, o.made_to_order from private.order_needs(needing) o) n);
  end
  $$;

create or replace function private.reserve_shelf(needing uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = needing));
    perform private.require_shelf(private.needs_of_order(needing), needing);
  end
  $$;

create or replace function private.hold_stock(holding uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    customer uuid := (select o.customer_id from public.orders o where o.id = holding);
    granted private.set_aside[];
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = holding));
    granted := private.grant_holds(customer, private.require_shelf(private.needs_of_order(holding), holding), hold_stock.until);
    perform private.write_holds(holding, granted);
    return least(hold_stock.until, (select min(h.until) from unnest(granted) h));
  end
  $$;
