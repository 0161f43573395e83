-- Low stock: variants of which few units are left, as a list for admins and as a mail to the shop.
--
-- A variant is low at or below its product's threshold, or the shop's where the product has none. Only products
-- that are live, or will be within two days, and are not made to order can be low.
-- The list goes by available units. The mail goes by stock: reserved units come back when an order is not paid, and a
-- mail about them would be a false alarm. One mail goes out when a variant becomes low, and no second one until its
-- stock has been above the threshold in between.

-- Not granted: the job queue_low_stock_alerts is the only reader and writer.
comment on table private.low_stock_alerts is 'Variants that are low and that the shop has been mailed about.';
comment on column private.low_stock_alerts.mailed_at is
  'When the mail was queued. The row is deleted when the variant is above its threshold again.';

-- Low by available units: candidates are variants with little stock and variants with reservations. Every other
-- variant has its whole stock available and more than the highest threshold.
-- Security definer: reads rules and reservations. require_admin() comes first.
create or replace function public.list_low_stock()
  returns table (variant_id uuid, product_id uuid, product_name text, name text, image_url text,
    stock_quantity int, available int, low_stock_threshold int, is_own_threshold boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select v.id, p.id, p.name, v.name, coalesce(nullif(v.image_url, ''), p.image_url),
        v.stock_quantity, l.available, l.low_stock_threshold,
        p.low_stock_threshold is not null
      from private.low_variants() l
      join public.product_variants v on v.id = l.variant_id
      join public.products p on p.id = v.product_id
      order by l.available, p.name, v.position, v.id;
  end
  $$;
comment on function public.list_low_stock is
  'Variants that are low, fewest available units first. is_own_threshold: the product has a threshold of its own. '
  'For admins.';
grant execute on function public.list_low_stock to authenticated;

create or replace function private.low_variants()
  returns table (variant_id uuid, available int, low_stock_threshold int)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    -- A value instead of a subquery: the planner can then estimate how few variants lie below it.
    highest int := private.max_low_stock_threshold();
  begin
    return query
      with candidates as (
        select v.id from public.product_variants v where v.stock_quantity <= highest
        union
        select h.variant_id from public.stock_reservations h where h.expires_at > now()
      ), shelf as (
        select v.id, greatest(0, v.stock_quantity - private.reserved_quantity(v.id)) as left_over,
          coalesce(p.low_stock_threshold, r.low_stock_threshold) as low_at
        from candidates c
        join public.product_variants v on v.id = c.id
        join public.products p on p.id = v.product_id and not p.made_to_order
          and (p.status = 'live' or p.publish_at < now() + interval '2 days')
        cross join private.shop_rules r
      )
      select s.id, s.left_over, s.low_at from shelf s where s.left_over <= s.low_at;
  end
  $$;

-- Security definer: private.shop_rules is not readable. require_admin() comes first.
create or replace function public.low_stock_threshold() returns int
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (select r.low_stock_threshold from private.shop_rules r);
  end
  $$;
comment on function public.low_stock_threshold is
  'Units at or below which a variant is low when its product has no threshold of its own. For admins.';
grant execute on function public.low_stock_threshold to authenticated;

-- Security definer: private.shop_rules is not writable. require_admin() comes first.
create or replace function public.set_low_stock_threshold(at_most int) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if at_most is null or at_most not between 0 and 1000 then
      perform private.refuse(422, 'invalid_threshold', 'Enter a whole number from 0 to 1000.');
    end if;
    update private.shop_rules r set low_stock_threshold = at_most, updated_at = now();
  end
  $$;
comment on function public.set_low_stock_threshold is
  'Sets the shop''s threshold: 0 to 1000 units. For admins. Refuses invalid_threshold.';
grant execute on function public.set_low_stock_threshold to authenticated;

-- The job. The foreign key of a new alert locks the variant for a moment, which waits only for adjust_stock() and save_product();
-- variants are taken in the order of their ids, so that the job cannot deadlock with them.
-- Not granted: the jobs run as the owner.
create or replace function private.queue_low_stock_alerts() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    fallen jsonb;
    highest int := private.max_low_stock_threshold();
  begin
    delete from private.low_stock_alerts n using public.product_variants v
    where v.id = n.variant_id and not private.is_low_stock(v);

    with alerted as (
      insert into private.low_stock_alerts (variant_id)
      select v.id from public.product_variants v
      where v.stock_quantity <= highest and private.is_low_stock(v) order by v.id
      on conflict do nothing
      returning variant_id
    )
    select jsonb_agg(jsonb_build_object('productId', p.id, 'productName', p.name, 'variantName', v.name,
        'imageUrl', coalesce(nullif(v.image_url, ''), p.image_url), 'left', v.stock_quantity
      ) order by v.stock_quantity, p.name, v.position, v.id)
      into fallen
      from alerted n
      join public.product_variants v on v.id = n.variant_id
      join public.products p on p.id = v.product_id;
    if fallen is null then
      return 0;
    end if;
    perform private.queue_mail(
      'low-stock:' || gen_random_uuid(), 'low-stock', null, jsonb_build_object('colours', fallen));
    return jsonb_array_length(fallen);
  end
  $$;
comment on function private.queue_low_stock_alerts is
  'Queues one mail to the shop about the variants that have become low since the last run; returns their number.';

-- By stock, for the mail.
create or replace function private.is_low_stock(variant public.product_variants) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.products p
      where p.id = variant.product_id and not p.made_to_order
        and (p.status = 'live' or p.publish_at < now() + interval '2 days')
        and variant.stock_quantity <= private.low_stock_threshold(p))
  $$;
comment on function private.is_low_stock is 'Whether a variant''s stock is at or below its threshold.';

create or replace function private.low_stock_threshold(product public.products) returns int
  language sql stable
  set search_path = ''
  as $$ select coalesce(product.low_stock_threshold, (select r.low_stock_threshold from private.shop_rules r)) $$;
comment on function private.low_stock_threshold is 'The threshold of a product in units: its own, else the shop''s.';

-- No variant with more stock than this is low: the filter lets an index find the few candidates.
create or replace function private.max_low_stock_threshold() returns int
  language sql stable
  set search_path = ''
  as $$
    select greatest(
      (select r.low_stock_threshold from private.shop_rules r),
      (select max(p.low_stock_threshold) from public.products p))
  $$;
