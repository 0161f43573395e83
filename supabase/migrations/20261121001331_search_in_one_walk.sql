-- What an order is searched by, as an expression that PostgreSQL puts in the place of the call: into each search that walks past an order, and
-- into each order that enters the index. What such a body names is bound when it is made, so it needs no search path of its own.
create or replace function private.order_words(searched public.orders) returns text
  language sql immutable
  return lower(coalesce(searched.customer_name, '') || ' ' || coalesce(searched.customer_email, '') || ' '
    || coalesce(searched.customer_phone, '') || ' ' || coalesce(searched.tracking_number, ''));

create or replace function private.lure_words(searched public.order_items) returns text
  language sql immutable
  return lower(searched.product_name || ' ' || coalesce(searched.product_variant, ''));

-- Words are looked for among the newest orders first, one walk back from today that goes on as long as every tenth order has them and gives
-- each as it is found. What is rarer comes from the words' indexes, where gathering a common word would touch half of all orders.
create or replace function public.search_orders(term text, at_most int default 1000) returns setof public.orders
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted text := lower(btrim(term));
    number int := substring(wanted from '^#?0*(\d{1,9})$')::int;
    pattern text := case
      when length(wanted) >= 3 and not (number is not null and length(wanted) <= 6) then '%' || private.like_pattern(wanted) || '%'
    end;
    phone text := case when length(regexp_replace(wanted, '\D', '', 'g')) >= 9 then private.normal_phone(wanted) end;
    email text := case when private.is_email(wanted) then private.normal_email(wanted) end;
    parcels uuid[];
    walked record;
    looked_at int := 0;
    newest public.orders;
    given uuid[] := '{}';
  begin
    perform private.require_staff();
    if email is not null then
      return query
        select o.* from public.orders o where o.placed_at is not null and private.normal_email(o.customer_email) = email
        order by o.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    if phone is not null then
      return query
        select o.* from public.orders o where o.placed_at is not null and private.normal_phone(o.customer_phone) = phone
        order by o.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    -- Their ids first: asked for the newest of them, a planner without figures of this index would walk through all orders.
    parcels := array(select t.id from public.orders t where t.tracking_number <> '' and lower(t.tracking_number) = wanted);
    if cardinality(parcels) > 0 then
      return query
        select o.* from public.orders o where o.placed_at is not null and o.id = any (parcels) order by o.created_at desc limit at_most;
      return;
    end if;

    if pattern is not null and phone is null and at_most between 1 and 1000 then
      -- Each order's lines are asked for by a select of one row: as a mere `exists` the planner may gather the lines of all orders instead.
      for walked in
        select n as placed, private.order_words(n) like pattern or (
          select true from public.order_items i where i.order_id = n.id and private.lure_words(i) like pattern limit 1) as is_meant
        from public.orders n where n.placed_at is not null order by n.created_at desc limit 10000
      loop
        looked_at := looked_at + 1;
        if walked.is_meant then
          newest := walked.placed;
          given := given || newest.id;
          return next newest;
        end if;
        exit when cardinality(given) = at_most or (looked_at >= 100 and cardinality(given) * 10 < looked_at);
      end loop;
    end if;
    if cardinality(given) = at_most then
      return;
    end if;

    return query
      select o.* from public.orders o
      where o.placed_at is not null and o.id <> all (given) and o.id in (
        select n.id from public.orders n where n.order_number = number
        union select w.id from public.orders w where private.order_words(w) like pattern
        union select i.order_id from public.order_items i where private.lure_words(i) like pattern)
      order by o.created_at desc limit at_most - cardinality(given);
  end
  $$;
