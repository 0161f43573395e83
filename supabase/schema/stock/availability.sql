-- What can be bought of each variant: stock less unexpired reservations.
--
-- Visitors see the sum and not the reservations behind it: the view runs with its caller's rights and calls
-- reserved_quantity(), which reads the reservations as its owner. The view filters by variant and product, so that a
-- page of one product costs one index lookup for each of its variants.

create or replace view public.product_availability with (security_invoker = true) as
  select v.id as variant_id, greatest(0, v.stock_quantity - private.reserved_quantity(v.id)) as available, v.product_id
  from public.product_variants v
  where exists (select from public.products p where p.id = v.product_id and p.status in ('live', 'announced'));

comment on view public.product_availability is
  'Units of each variant that can be bought now, at least 0; of an announced product, once it is live. Made-to-order products sell '
  'beyond it.';
comment on column public.product_availability.available is
  'Units that can be ordered now: stock less live reservations.';

grant select on public.product_availability to anon, authenticated, service_role;
