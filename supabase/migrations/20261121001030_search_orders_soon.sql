-- A search for what half of the orders have is answered from the newest orders, one for which few match from the words' indexes. Walking
-- back from today finds the newest thousand of a common word within a few thousand orders; the indexes would first gather all of
-- them. Only a word that is rarer than that walk can see goes to the indexes, and then there is little to gather.
create function private.has_words(searched public.orders, pattern text) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select private.order_words(searched) like pattern
      or exists (select from public.order_items i where i.order_id = searched.id and private.lure_words(i) like pattern)
  $$;

-- `at_most` cuts off what nobody pages through; a list that is filtered as well asks for all of them, because the filter comes after.
drop function public.search_orders(text);
create function public.search_orders(term text, at_most int default 1000) returns setof public.orders
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    looked_at constant int := 6000;
    wanted text := lower(btrim(term));
    number int := substring(wanted from '^#?0*(\d{1,9})$')::int;
    pattern text := case
      when length(wanted) >= 3 and not (number is not null and length(wanted) <= 6) then '%' || private.like_pattern(wanted) || '%'
    end;
    phone text := case when length(regexp_replace(wanted, '\D', '', 'g')) >= 9 then private.normal_phone(wanted) end;
    newest uuid[];
  begin
    perform private.require_admin();
    if pattern is not null and phone is null and at_most <= 1000 then
      newest := array(
        select o.id
        from (select * from public.orders n where n.placed_at is not null order by n.created_at desc limit looked_at) o
        where private.has_words(o, pattern) order by o.created_at desc limit at_most);
      if cardinality(newest) >= at_most then
        return query select o.* from public.orders o where o.id = any (newest);
        return;
      end if;
    end if;

    return query
      select o.* from public.orders o
      where o.placed_at is not null and o.id in (
        select n.id from public.orders n where n.order_number = number
        union select w.id from public.orders w where private.order_words(w) like pattern
        union select p.id from public.orders p where private.normal_phone(p.customer_phone) = phone
        union select i.order_id from public.order_items i where private.lure_words(i) like pattern)
      order by o.created_at desc limit at_most;
  end
  $$;
grant execute on function public.search_orders(text, int) to authenticated;
comment on function public.search_orders(text, int) is 'Orders that a search term means, the newest of them.';

-- What the list sorts by, and what the dashboard's figures filter by.
create index orders_customer_name_idx on public.orders (customer_name, id);
create index orders_total_amount_idx on public.orders (total_amount, id);
create index orders_paid_at_idx on public.orders (paid_at) where paid_at is not null;
create index order_items_lure_idx on public.order_items (product_name, product_variant, order_id);
