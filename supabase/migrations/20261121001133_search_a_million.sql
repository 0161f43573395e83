-- Searching orders and clients when there are very many. What is typed whole (a number, an e-mail address, a phone) is looked up; words are
-- looked for where they will be found soonest: what every tenth of the newest orders has by walking back from today, what is rarer in the
-- words' index. Gathering a common word from the index would touch half of all orders to show the newest fifty.
-- A parcel is asked for by its whole number far more often than by a part of it, and that is one look.
create index orders_tracking_number_idx on public.orders (lower(tracking_number)) where tracking_number <> '';

-- The orders that are walked through are asked where they stand, without a function between.
create or replace function public.search_orders(term text, at_most int default 1000) returns setof public.orders
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    sample constant int := 100;
    wanted text := lower(btrim(term));
    number int := substring(wanted from '^#?0*(\d{1,9})$')::int;
    pattern text := case
      when length(wanted) >= 3 and not (number is not null and length(wanted) <= 6) then '%' || private.like_pattern(wanted) || '%'
    end;
    phone text := case when length(regexp_replace(wanted, '\D', '', 'g')) >= 9 then private.normal_phone(wanted) end;
    email text := case when private.is_email(wanted) then private.normal_email(wanted) end;
    seen int;
    newest uuid[];
    parcels uuid[];
  begin
    perform private.require_admin();
    if email is not null then
      return query
        select o.* from public.orders o where o.placed_at is not null and private.normal_email(o.customer_email) = email
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

    if pattern is not null and phone is null and at_most <= 1000 then
      select count(*) into seen
      from (
        select n.id, private.order_words(n) as words from public.orders n where n.placed_at is not null order by n.created_at desc limit sample) o
      where o.words like pattern or exists (select from public.order_items i where i.order_id = o.id and private.lure_words(i) like pattern);
      if seen * 10 >= sample then
        newest := array(
          select o.id
          from (
            select n.id, private.order_words(n) as words from public.orders n
            where n.placed_at is not null order by n.created_at desc limit at_most * 20) o
          where o.words like pattern or exists (select from public.order_items i where i.order_id = o.id and private.lure_words(i) like pattern)
          limit at_most);
        if cardinality(newest) >= at_most then
          return query select o.* from public.orders o where o.id = any (newest) order by o.created_at desc;
          return;
        end if;
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
drop function private.has_words(public.orders, text);

-- Clients by name, e-mail, phone in any spelling, or town. Asked once who is calling; then searched as the table's owner, because under
-- row-level security no index could serve.
create function private.client_words(searched public.profiles) returns text
  language sql immutable
  set search_path = ''
  as $$
    select lower(coalesce(searched.full_name, '') || ' ' || coalesce(searched.email, '') || ' '
      || coalesce(searched.phone, '') || ' ' || coalesce(searched.city, ''))
  $$;
create index profiles_words_idx on public.profiles using gin (private.client_words(profiles) extensions.gin_trgm_ops);
-- Whoever writes a profile keeps its index.
grant execute on function private.client_words(public.profiles) to authenticated, service_role;

create function public.search_clients(term text, at_most int default 1000) returns setof public.profiles
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted text := lower(btrim(term));
    digits text := regexp_replace(wanted, '\D', '', 'g');
    typed_phone text := case when length(digits) >= 9 then private.normal_phone(wanted) end;
    typed_email text := case when private.is_email(wanted) then private.normal_email(wanted) end;
  begin
    perform private.require_admin();
    if typed_email is not null then
      return query select * from public.profiles p where private.normal_email(p.email) = typed_email order by p.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    return query
      select * from public.profiles p
      where p.id in (
        select w.id from public.profiles w where private.client_words(w) like '%' || private.like_pattern(wanted) || '%'
        union select n.id from public.profiles n where private.normal_phone(n.phone) = typed_phone
        union select d.id from public.profiles d
          where private.client_words(d) like case when length(digits) >= 9 then '%' || right(digits, 9) || '%' end)
      order by p.created_at desc limit at_most;
  end
  $$;
comment on function public.search_clients(text, int) is 'Clients that a search term means, the newest of them; for staff.';
grant execute on function public.search_clients(text, int) to authenticated;
