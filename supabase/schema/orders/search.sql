-- The order search of the admin area: one box finds an order by its number (42, 00042, #00042), tracking number,
-- customer's name, e-mail or phone in any spelling, or by a product or variant in it.
--
-- Exact keys (e-mail, phone, tracking number) have an index each and end the search when they match. Words are searched
-- in two steps, because one plan cannot serve both a common word, which would touch half of the trigram index, and a
-- rare one, which would walk through years of orders.

-- Step 1 walks the newest 10 000 orders and goes on while at least every tenth order matches; each match is returned at
-- once. Step 2 takes the rest from the trigram indexes of orders and lines.
-- A number of up to six digits is not searched as text. Shorter terms than three characters match numbers only: the
-- index has no trigrams for them.
-- Security definer: under the row policies of orders the planner may not use these indexes, because the search
-- functions are not leakproof. require_staff() comes first.
create or replace function public.search_orders(term text, at_most int default 1000) returns setof public.orders
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    needle text := lower(btrim(term));
    number int := substring(needle from '^#?0*(\d{1,9})$')::int;
    pattern text := case
      when length(needle) >= 3 and not (number is not null and length(needle) <= 6)
        then '%' || private.like_pattern(needle) || '%'
    end;
    phone text := case when length(regexp_replace(needle, '\D', '', 'g')) >= 9
      then private.normalise_phone(needle) end;
    email text := case when private.is_email(needle) then private.normalise_email(needle) end;
    parcel_orders uuid[];
    candidate record;
    examined int := 0;
    found_order public.orders;
    found_ids uuid[] := '{}';
  begin
    perform private.require_staff();
    if email is not null then
      return query
        select o.* from public.orders o
        where o.placed_at is not null and private.normalise_email(o.customer_email) = email
        order by o.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    if phone is not null then
      return query
        select o.* from public.orders o
        where o.placed_at is not null and private.normalise_phone(o.customer_phone) = phone
        order by o.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    -- Ids first: with `order by … limit` in one query the planner, lacking statistics, walks through all orders.
    parcel_orders := array(
      select t.id from public.orders t where t.tracking_number <> '' and lower(t.tracking_number) = needle);
    if cardinality(parcel_orders) > 0 then
      -- A tracking number may equal the number of another order.
      parcel_orders := parcel_orders || array(select n.id from public.orders n where n.order_number = number);
      return query
        select o.* from public.orders o where o.placed_at is not null and o.id = any (parcel_orders)
        order by o.created_at desc limit at_most;
      return;
    end if;

    if pattern is not null and phone is null and at_most between 1 and 1000 then
      -- A scalar subquery with limit 1 instead of `exists`: the planner may turn `exists` into a join over all lines.
      for candidate in
        select n as placed, private.order_search_text(n) like pattern or (
          select true from public.order_items i
          where i.order_id = n.id and private.item_search_text(i) like pattern limit 1) as is_match
        from public.orders n where n.placed_at is not null order by n.created_at desc limit 10000
      loop
        examined := examined + 1;
        if candidate.is_match then
          found_order := candidate.placed;
          found_ids := found_ids || found_order.id;
          return next found_order;
        end if;
        exit when cardinality(found_ids) = at_most or (examined >= 100 and cardinality(found_ids) * 10 < examined);
      end loop;
    end if;
    if cardinality(found_ids) = at_most then
      return;
    end if;

    return query
      select o.* from public.orders o
      where o.placed_at is not null and o.id <> all (found_ids) and o.id in (
        select n.id from public.orders n where n.order_number = number
        union select w.id from public.orders w where private.order_search_text(w) like pattern
        union select i.order_id from public.order_items i where private.item_search_text(i) like pattern)
      order by o.created_at desc limit at_most - cardinality(found_ids);
  end
  $$;
comment on function public.search_orders is
  'Placed orders that the term finds, newest first, at most at_most. For staff.';
grant execute on function public.search_orders to authenticated;

create or replace function private.like_pattern(term text) returns text
  language sql immutable
  set search_path = ''
  as $$ select regexp_replace(btrim(term), '([\\%_])', '\\\1', 'g') $$;
comment on function private.like_pattern is
  'The term with \, % and _ escaped, so that LIKE finds it letter for letter.';
