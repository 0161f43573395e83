-- What an order costs. One function for the cart's quote, for place_order and for the table-by-table way.
--
-- Shipping is one flat rate for both methods and free from a subtotal (R1500.00 is free, R1499.99 is not), judged before
-- the discount, or when the promo code grants it. A percentage is rounded half up to the cent. A fixed discount may exceed
-- the subtotal and then pays for shipping too; the total stops at zero.
create type private.price as (subtotal numeric(10,2), shipping numeric(10,2), discount numeric(10,2), total numeric(10,2));

create function private.price_for(subtotal numeric, promo public.promo_codes) returns private.price
  language sql stable
  set search_path = ''
  as $$
    select (subtotal, shipping, discount, greatest(0, subtotal + shipping - discount))::private.price
    from (
      select
        case
          when coalesce(promo.free_shipping, false) or subtotal >= r.free_shipping_from then 0
          else r.shipping_rate
        end as shipping,
        case promo.discount_type
          when 'percentage' then round(subtotal * promo.discount_value / 100, 2)
          when 'fixed' then promo.discount_value
          else 0
        end as discount
      from private.shop_rules r
    ) as parts
  $$;
comment on function private.price_for(numeric, public.promo_codes) is
  'Shipping, discount and total for a subtotal; the promo code may be null.';
