-- Noting that a colour is low locks its row for a moment. Like everybody who locks several colours the job takes them in the order of their ids,
-- so that it and a buyer wait for each other instead of deadlocking.
create or replace function private.announce_low_stock() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    fallen jsonb;
  begin
    delete from private.low_stock_notices n using public.product_variants v where v.id = n.variant_id and not private.is_low(v);

    with noticed as (
      insert into private.low_stock_notices (variant_id)
      select v.id from public.product_variants v where private.is_low(v) order by v.id
      on conflict do nothing
      returning variant_id
    )
    select jsonb_agg(jsonb_build_object('productId', p.id, 'productName', p.name, 'variantName', v.name,
        'imageUrl', coalesce(v.image_url, p.image_url), 'left', v.stock_quantity) order by v.stock_quantity, p.name, v.position)
      into fallen
      from noticed n join public.product_variants v on v.id = n.variant_id join public.products p on p.id = v.product_id;
    if fallen is null then
      return 0;
    end if;
    perform private.queue_mail('low-stock:' || gen_random_uuid(), 'low-stock', null, jsonb_build_object('colours', fallen));
    return jsonb_array_length(fallen);
  end
  $$;
