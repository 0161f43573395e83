-- Triggers that report changes: to the history, and to the cache of rendered pages.
--
-- public.changes is the audit log: every change a person makes to a recorded table, with the values before and after. It is
-- append only; a trigger binds even the owner. Withheld columns are named without values. Personal columns are emptied after
-- thirty days, or when their row is deleted (decision 0014). Consequences of a change are left out: a product's total, for
-- example, follows from a count of its variant.
-- To record another table, add its row to private.history_tables in a migration and its trigger below.

-- Not granted: only record_change() and the undo functions read it.
comment on table private.history_tables is 'Which tables the history records, and what it keeps of their rows.';
comment on column private.history_tables.label is 'The column that names the row for people; never a personal one.';
comment on column private.history_tables.ignored is 'Columns whose changes are not recorded, because they follow from others.';
comment on column private.history_tables.undoes is 'The verbs that undo_change() can undo.';
comment on column private.history_tables.table_name is 'With its schema: public.orders.';
comment on column private.history_tables.key_column is 'The column that identifies a row in public.changes.row_id.';
comment on column private.history_tables.withheld is 'Columns recorded as changed, without values.';
comment on column private.history_tables.personal is 'Columns emptied after thirty days, or when the row is deleted.';
-- Admins read. Not granted: insert, update, delete. The view public.history adds names.
comment on table public.changes is 'The audit log of changes made by people. Append only.';
comment on column public.changes.actor_id is 'No foreign key: the entry outlives its author''s account.';
comment on column public.changes.actor is
  'admin, packer, account, secret key, or server (a command on the machine).';
comment on column public.changes.before is 'The changed columns of an update, or the deleted row.';
comment on column public.changes.withheld is 'Columns that changed as well, kept without values.';
comment on column public.changes.personal is 'Columns emptied after thirty days, or when the row is deleted.';
comment on column public.changes.undoes is 'The entry that this one undid.';
comment on column public.changes.session_id is 'The session of the change, for the device on the history page.';
comment on column public.changes.table_name is 'Without schema: orders.';
comment on column public.changes.row_id is 'Value of the key column, as text.';
comment on column public.changes.row_label is
  'What people call the row, such as a product''s name, at the time of the change.';
comment on column public.changes.verb is 'insert, update or delete.';
comment on column public.changes.after is 'The changed columns of an update, or the inserted row.';
comment on column public.changes.forgotten_at is 'When the personal values were emptied.';
comment on column public.changes.changed_at is 'Time of the transaction, so the changes of one save have the same time.';
grant select on public.changes to authenticated, service_role;

create policy select_as_admin on public.changes for select to authenticated
  using ((select true where private.is_admin()) is not null);

-- Changes that triggers make to products and variants, and stock that an order moves, are consequences: stock_movements and the
-- order's timeline keep them. Recording them too would bury each act under several entries in the person's name.
create or replace function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kept private.history_tables;
    name text := tg_table_schema || '.' || tg_table_name;
    before jsonb;
    after jsonb;
    whole jsonb;
    caller text := private.current_actor();
    changed text[];
    follows text[];
    -- Former names by temporary ones, while colours exchange their names (private.free_names).
    freed jsonb := nullif(current_setting('shop.freed_names', true), '')::jsonb;
  begin
    -- Roles are also granted by a command on the server, without a session.
    if caller is null and tg_table_name = 'user_roles' then
      caller := case when auth.uid() is null then 'server' else 'account' end;
    end if;
    if caller is null and tg_op <> 'DELETE' then
      return null;
    end if;
    before := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    after := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    whole := coalesce(after, before);
    select * into strict kept from private.history_tables t where t.table_name = name;
    if tg_op = 'DELETE' and kept.personal <> '{}' then
      perform private.redact_changes(tg_table_name, whole ->> kept.key_column);
    end if;
    -- Depth 1 is this trigger, fired by the caller's own statement.
    if caller is null or (pg_trigger_depth() > 1 and tg_table_name in ('products', 'product_variants')) then
      return null;
    end if;

    if freed ? (after ->> 'name') then
      return null;
    elsif freed ? (before ->> 'name') then
      before := before || jsonb_build_object('name', freed -> (before ->> 'name'));
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
    -- Deleting a row of a person cannot be undone, so its personal columns are withheld.
    insert into public.changes (actor_id, actor, session_id, table_name, row_id, row_label, verb, before, after, withheld, personal, undoes)
    select auth.uid(), caller, (auth.jwt() ->> 'session_id')::uuid, tg_table_name, whole ->> kept.key_column, whole ->> kept.label,
      lower(tg_op), private.pick_columns(before, changed, hidden), private.pick_columns(after, changed, hidden),
      array(select unnest(changed) intersect select unnest(hidden) order by 1),
      array(select unnest(changed) intersect select unnest(kept.personal) except select unnest(hidden) order by 1),
      nullif(current_setting('shop.undoes', true), '')::bigint
    from (select kept.withheld || case when tg_op = 'DELETE' then kept.personal else '{}' end) as hiding (hidden);
    return null;
  end
  $$;
comment on function private.record_change is
  'Trigger: records a person''s change in public.changes.';

create trigger record_change after insert or delete or update on public.products
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.product_variants
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.promo_codes
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.courier_companies
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.profiles
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.gallery_submissions
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.gallery_contacts
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.contact_submissions
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.contact_answers
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.newsletter_signups
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.orders
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.order_items
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.order_notes
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.shop_settings
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.refund_tasks
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.contact_replies
  for each row execute function private.record_change();
create trigger record_change after insert or delete or update on public.full_gallery_days
  for each row execute function private.record_change();
create trigger record_grant after insert or update on public.user_roles
  for each row when (new.role in ('admin', 'packer'))
  execute function private.record_change();
create trigger record_revocation after delete on public.user_roles
  for each row when (old.role in ('admin', 'packer'))
  execute function private.record_change();

-- The role in which the caller acts: admin, packer, secret key, or null (not recorded). Runs for every recorded row.
create or replace function private.current_actor() returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return case
      when private.has_role(auth.jwt(), '{admin,packer}') then
        case when private.is_admin() then 'admin' else 'packer' end
      when auth.role() = 'service_role' then 'secret key'
    end;
  end
  $$;
comment on function private.current_actor is
  'admin, packer, secret key, or null for a caller whose changes are not recorded.';

-- The wanted keys of a row without the hidden ones; null for null.
create or replace function private.pick_columns(whole jsonb, wanted text[], hidden text[]) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select case when whole is not null then
      (select coalesce(jsonb_object_agg(key, whole -> key), '{}') from unnest(wanted) as key where not key = any (hidden))
    end
  $$;
comment on function private.pick_columns is 'Some keys of a row; null for no row.';

-- updated_at is the version that optimistic locking compares.
create or replace function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.updated_at := now();
    return new;
  end
  $$;
comment on function private.touch_updated_at is 'Trigger: sets updated_at to the time of the transaction.';

create trigger touch_updated_at before update on public.profiles
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.products
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.product_variants
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.promo_codes
  for each row execute function private.touch_updated_at();
-- An account that ends or is merged changes nothing about its orders: their age decides when they are erased.
create trigger touch_updated_at before update on public.orders
  for each row when (new.customer_id is not distinct from old.customer_id) execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.gallery_submissions
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.shop_settings
  for each row execute function private.touch_updated_at();
create trigger touch_updated_at before update on public.courier_companies
  for each row execute function private.touch_updated_at();

-- Invalidates the page cache. Commits with pg_notify run one at a time: PostgreSQL holds a server-wide lock while such a commit is
-- written to disk. The data service therefore sets `announce.later` for function calls and sends the notification in the same
-- message right after the commit; the channel waits in the session and is forgotten with a rollback.
create or replace function private.notify_catalogue_change() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  declare
    channels text;
  begin
    -- An assignment, which needs no query.
    if current_setting('announce.later', true) = 'on' then
      channels := set_config('announce.channels', concat_ws(',', nullif(current_setting('announce.channels', true), ''), 'catalogue_changed'), false);
    else
      perform pg_catalog.pg_notify('catalogue_changed', '');
    end if;
    return null;
  end
  $$;
comment on function private.notify_catalogue_change is 'Trigger: notifies the channel catalogue_changed, which invalidates rendered pages.';

create trigger notify_catalogue_change after insert or update or delete or truncate on public.products
  for each statement execute function private.notify_catalogue_change();
create trigger notify_catalogue_change after insert or update or delete or truncate on public.product_variants
  for each statement execute function private.notify_catalogue_change();
create trigger notify_catalogue_change after insert or update or delete or truncate on public.stock_reservations
  for each statement execute function private.notify_catalogue_change();
create trigger notify_catalogue_change after insert or update or delete or truncate on public.gallery_submissions
  for each statement execute function private.notify_catalogue_change();

-- Pages state the shipping rate.
create trigger notify_catalogue_change after update on public.shop_settings
  for each statement execute function private.notify_catalogue_change();

-- The only permitted change of an entry is that its personal values are emptied. The owner of the table is bound too.
create or replace function private.forbid_history_change() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if tg_op = 'UPDATE' then
      if to_jsonb(new) - array['before', 'after', 'forgotten_at'] = to_jsonb(old) - array['before', 'after', 'forgotten_at']
        and new.forgotten_at is not null
        and new.before is not distinct from old.before - old.personal
        and new.after is not distinct from old.after - old.personal then
        return new;
      end if;
    end if;
    raise exception 'the log of changes is append only' using errcode = 'insufficient_privilege';
  end
  $$;
comment on function private.forbid_history_change is
  'Trigger: refuses every change of an entry but emptying its personal values.';

create trigger forbid_history_change before update or delete on public.changes
  for each row execute function private.forbid_history_change();
create trigger keep_entries before truncate on public.changes
  for each statement execute function private.forbid_history_change();
