-- One box finds an order by whatever is at hand: its number in any padding (42, 00042, #00042), the customer's name, e-mail or
-- phone in any spelling, the tracking number, or a lure. Runs as the caller, so the policies of orders hold.
create function private.like_pattern(term text) returns text
  language sql immutable
  set search_path = ''
  as $$ select regexp_replace(btrim(term), '([\\%_])', '\\\1', 'g') $$;
comment on function private.like_pattern(text) is 'The term as LIKE finds it letter for letter.';
grant execute on function private.like_pattern(text) to authenticated;

create function public.search_orders(term text) returns setof public.orders
  language sql stable
  set search_path = ''
  as $$
    select o.*
    from public.orders o
    where o.order_number = substring(btrim(term) from '^#?0*(\d{1,9})$')::int
      or concat_ws(' ', o.customer_name, o.customer_email, o.customer_phone, o.tracking_number)
        ilike '%' || private.like_pattern(term) || '%'
      or length(regexp_replace(term, '\D', '', 'g')) >= 9 and private.normal_phone(o.customer_phone) = private.normal_phone(term)
      or o.id in (
        select i.order_id from public.order_items i
        where concat_ws(' ', i.product_name, i.product_variant) ilike '%' || private.like_pattern(term) || '%')
  $$;
grant execute on function public.search_orders(text) to authenticated;
comment on function public.search_orders(text) is 'Orders that a search term means.';
