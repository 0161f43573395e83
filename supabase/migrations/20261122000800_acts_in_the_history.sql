-- The history shows what people did. A row that a trigger writes follows from the act that fired it (the product's total when a colour is
-- counted, the colours of a deleted product), and stock that an order takes or gives back follows from the order; stock_movements and the
-- order's timeline keep both. Recorded as changes of their own, they would bury each act under several entries in the person's name.
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
    follows text[];
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
    -- Depth 1 is this trigger, fired by the caller's own statement.
    if caller is null or (pg_trigger_depth() > 1 and tg_table_name in ('products', 'product_variants')) then
      return null;
    end if;

    follows := kept.ignored || case
      when nullif(current_setting('shop.stock_movement', true), '')::jsonb ? 'order_id' then array['stock_quantity']
    end;
    select array_agg(key) into changed
    from jsonb_object_keys(whole) as key
    where case
      when tg_op = 'UPDATE' then before -> key is distinct from after -> key and not key = any (follows)
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
comment on function private.record_change() is 'Writes a person''s change to the log; consequences of it in the catalogue are left out.';
