-- What every order and every recorded change asks is PL/pgSQL, which keeps its plans (see kept_plans). What each function says is unchanged;
-- a question that most callers answer with no is asked first.

create or replace function private.shipping_terms() returns private.terms
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    terms private.terms;
  begin
    select coalesce(s.shipping_rate, r.shipping_rate), coalesce(s.free_shipping_from, r.free_shipping_from), s.offers_locker
    into terms from private.shop_rules r cross join public.shop_settings s;
    return terms;
  end
  $$;

create or replace function private.price_for(subtotal numeric, promo public.promo_codes) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    terms private.terms := private.shipping_terms();
    shipping numeric := case
      when coalesce(promo.free_shipping, false) or subtotal >= terms.free_shipping_from then 0
      else terms.shipping_rate
    end;
    discount numeric := case promo.discount_type
      when 'percentage' then round(subtotal * promo.discount_value / 100, 2)
      when 'fixed' then promo.discount_value
      else 0
    end;
  begin
    return (subtotal, shipping, discount, greatest(0, subtotal + shipping - discount))::private.price;
  end
  $$;

create or replace function private.lock_customer(customer uuid) returns void
  language plpgsql
  set search_path = ''
  as $$ begin perform pg_advisory_xact_lock(hashtextextended('orders of ' || customer, 0)); end $$;

create or replace function private.is_email(value text) returns boolean
  language plpgsql immutable
  set search_path = ''
  as $$
  begin
    return length(value) <= 255
      and value ~ '^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;.\\[\]]{2,}$'
      and value !~ '[[:cntrl:]]';
  end
  $$;

create or replace function private.text_problem(value text, at_least int, at_most int, too_short text, too_long text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$
  declare
    tidied text := private.tidy(value);
  begin
    return case
      when length(coalesce(tidied, '')) < at_least then too_short
      when length(tidied) > at_most then too_long
    end;
  end
  $$;

-- Most rows are written by customers, whose changes are not recorded: nothing is worked out for them.
create or replace function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kept private.recorded_tables;
    name text := tg_table_schema || '.' || tg_table_name;
    before jsonb;
    after jsonb;
    whole jsonb;
    caller text := private.acting_as();
    changed text[];
  begin
    -- Roles are given on the server too, where nobody is signed in.
    if caller is null and tg_table_name = 'user_roles' then
      caller := case when auth.uid() is null then 'server' else 'account' end;
    end if;
    if caller is null and tg_op <> 'DELETE' then
      return null;
    end if;
    before := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    after := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    whole := coalesce(after, before);
    select * into strict kept from private.recorded_tables t where t.table_name = name;
    if tg_op = 'DELETE' and kept.personal <> '{}' then
      perform private.forget_changes_of(tg_table_name, whole ->> kept.key_column);
    end if;
    if caller is null then
      return null;
    end if;

    select array_agg(key) into changed
    from jsonb_object_keys(whole) as key
    where case
      when tg_op = 'UPDATE' then before -> key is distinct from after -> key and not key = any (kept.ignored)
      else whole -> key <> 'null'
    end;
    if changed is null then
      return null;
    end if;
    -- A deleted row is gone for good: its personal columns are not kept for an undo that cannot come.
    insert into public.changes (actor_id, actor, session_id, table_name, row_id, row_label, verb, before, after, withheld, personal, undoes)
    select auth.uid(), caller, (auth.jwt() ->> 'session_id')::uuid, tg_table_name, whole ->> kept.key_column, whole ->> kept.label,
      lower(tg_op), private.pick(before, changed, hidden), private.pick(after, changed, hidden),
      array(select unnest(changed) intersect select unnest(hidden) order by 1),
      array(select unnest(changed) intersect select unnest(kept.personal) except select unnest(hidden) order by 1),
      nullif(current_setting('shop.undoes', true), '')::bigint
    from (select kept.withheld || case when tg_op = 'DELETE' then kept.personal else '{}' end) as hiding (hidden);
    return null;
  end
  $$;
