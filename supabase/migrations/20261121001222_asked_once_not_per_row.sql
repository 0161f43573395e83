-- What a list asks of each of its rows it asks no more than it must. Policies are alternatives, tried one after the other for each row: those that
-- look something up for it begin with who is asking, which is known once for all, so that staff are let in by the one that lets them see everything.
-- What they let through is what they let through before.
alter policy select_own on public.order_items
  using (not (select private.is_staff()) and exists (
    select from public.orders o where o.id = order_id and o.customer_id = (select auth.uid())));
alter policy select_colleagues_as_staff on public.profiles
  using ((select private.is_staff() and not private.is_admin()) and private.works_here(id));

-- A function in SQL that pins its search path is planned anew for each row; in PL/pgSQL the plan is kept.
create or replace function private.works_here(account uuid) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return exists (select from public.user_roles r where r.user_id = account and r.role in ('admin', 'helper'));
  end
  $$;

create or replace function private.is_reversible(entry public.changes) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return entry.withheld = '{}' and (entry.personal = '{}' or entry.forgotten_at is null)
      -- Stock is corrected by counting, so that its history says why; a used code would come back without its uses.
      and not (entry.verb = 'update' and coalesce(entry.before ? 'stock_quantity', false))
      and not (entry.table_name = 'promo_codes' and entry.verb = 'delete' and (entry.before ->> 'times_used')::int > 0)
      and exists (
        select from private.recorded_tables t
        where t.table_name in ('public.' || entry.table_name, 'private.' || entry.table_name) and entry.verb = any (t.undoes))
      and not exists (select from public.changes c where c.undoes = entry.id);
  end
  $$;

create or replace function private.device_of(session_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      select jsonb_build_object('browser', s.user_agent, 'address', host(s.ip))
      from auth.sessions s where s.id = device_of.session_id and private.is_admin());
  end
  $$;

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
    perform private.require_staff();
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

-- Lures that came in one file were all made at one moment; the list goes on by their ids.
drop index public.products_created_at_idx;
create index products_created_at_idx on public.products (created_at desc, id desc);
