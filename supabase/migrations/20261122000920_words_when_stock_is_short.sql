-- The refusal of an order that asks for more than the stock. It may be short because others bought, or because the cart asked for
-- too much from the start, so the sentence names neither. The definition is otherwise that of 20261121001123.
create or replace function private.require_shelf(needs private.need[], besides_order uuid) returns private.need[]
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
      perform private.refuse(409, 'sold_out', 'We no longer have enough of some lures.', short);
    end if;
    return coalesce(there, '{}');
  end
  $$;
