-- The history page and undo.
--
-- An undo writes back the values before a change, if the row has not changed since; it is recorded as a change that names the
-- one it undid. history_tables lists what can be undone: never what left the shop (mails, parcels, money).

-- Names are looked up by functions for the rows shown. As joins, they would make the planner sort the whole log for one page.
create or replace view public.history with (security_invoker = true) as
  select c.*, names.actor_name, coalesce(case when c.table_name <> 'user_roles' then c.row_label end, names.person_name) as row_name,
    private.session_device(c.session_id) as device,
    private.can_undo(c) as can_undo,
    (select u.id from public.changes u where u.undoes = c.id order by u.id limit 1) as undone_by
  from public.changes c
  cross join lateral (
    select private.display_name(c.actor_id) as actor_name, private.display_name(case c.table_name
      when 'profiles' then c.row_id::uuid
      when 'user_roles' then (coalesce(c.after, c.before) ->> 'user_id')::uuid
    end) as person_name
  ) as names;

comment on view public.history is 'Every recorded change with today''s names, the device, and whether it can be undone.';
comment on column public.history.actor_name is 'Today''s name or address of the person; null when the account is gone.';
comment on column public.history.row_name is 'The label of the row, or the person it is about.';
comment on column public.history.device is '{browser, address} of the session while it is live, for admins.';
comment on column public.history.can_undo is 'Whether undo_change() would accept it, if the row has not changed since.';
comment on column public.history.undone_by is 'The entry that undid it.';
grant select on public.history to authenticated, service_role;

-- When a row with personal columns is deleted, its entries lose their personal values.
create or replace function private.redact_changes(table_name text, row_id text) returns void
  language sql
  set search_path = ''
  as $$
    update public.changes c set before = c.before - c.personal, after = c.after - c.personal, forgotten_at = now()
    where c.table_name = redact_changes.table_name and c.row_id = redact_changes.row_id
      and c.personal <> '{}' and c.forgotten_at is null
  $$;
comment on function private.redact_changes is 'Empties the personal values in all entries of a row.';

-- The nightly job of the same name: personal values are kept for the thirty days in which a mistake can be undone.
create or replace function private.delete_old_changes() returns void
  language sql
  set search_path = ''
  as $$
    update public.changes c set before = c.before - c.personal, after = c.after - c.personal, forgotten_at = now()
    where c.changed_at < now() - interval '30 days' and c.personal <> '{}' and c.forgotten_at is null
  $$;
comment on function private.delete_old_changes is 'Empties personal values in entries older than thirty days.';

-- False when values are missing (withheld or emptied), when the change was undone already, and for verbs that history_tables omits.
create or replace function private.can_undo(entry public.changes) returns boolean
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return entry.withheld = '{}' and (entry.personal = '{}' or entry.forgotten_at is null)
      -- Stock is corrected by a count, which records a reason. A used promo code would return without its redemptions.
      and not (entry.verb = 'update' and coalesce(entry.before ? 'stock_quantity', false))
      and not (entry.table_name = 'promo_codes' and entry.verb = 'delete' and (entry.before ->> 'times_used')::int > 0)
      and exists (
        select from private.history_tables t
        where t.table_name in ('public.' || entry.table_name, 'private.' || entry.table_name) and entry.verb = any (t.undoes))
      and not exists (select from public.changes c where c.undoes = entry.id);
  end
  $$;
grant execute on function private.can_undo to authenticated, service_role;

-- Browser and address of the session that made a change, while the session is live. The log itself stores no address. Security
-- definer, because callers may not read sessions; it answers admins only.
create or replace function private.session_device(session_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      select jsonb_build_object('browser', s.user_agent, 'address', host(s.ip))
      from auth.sessions s where s.id = session_device.session_id and private.is_admin());
  end
  $$;
grant execute on function private.session_device to authenticated, service_role;

create or replace function private.current_row(entry public.changes) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    kept private.history_tables;
    found jsonb;
  begin
    select * into strict kept from private.history_tables t
    where t.table_name in ('public.' || entry.table_name, 'private.' || entry.table_name);
    execute format('select to_jsonb(r) from %s r where r.%I::text = $1 for update', kept.table_name, kept.key_column)
      into found using entry.row_id;
    return found - kept.ignored;
  end
  $$;
comment on function private.current_row is 'Locks the row of an entry and returns it without ignored columns; null when it was deleted.';

-- Writes the row as it was before the entry. Table and column names come from history_tables, quoted with %I.
create or replace function private.restore_change(entry public.changes) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    kept private.history_tables;
    columns text;
  begin
    select * into strict kept from private.history_tables t
    where t.table_name in ('public.' || entry.table_name, 'private.' || entry.table_name);
    select string_agg(format('%I', key), ', ') into columns from jsonb_object_keys(entry.before) as key;
    case entry.verb
      when 'insert' then
        execute format('delete from %s r where r.%I::text = $1', kept.table_name, kept.key_column) using entry.row_id;
      when 'delete' then
        execute format('insert into %1$s (%2$s) overriding system value select %2$s from jsonb_populate_record(null::%1$s, $1)',
          kept.table_name, columns) using entry.before;
      when 'update' then
        execute format('update %1$s r set (%2$s) = (select %2$s from jsonb_populate_record(null::%1$s, $1)) where r.%3$I::text = $2',
          kept.table_name, columns, kept.key_column) using entry.before, entry.row_id;
    end case;
  end
  $$;
comment on function private.restore_change is 'Writes the row back as it was before the entry.';

create or replace function public.undo_change(change_id bigint) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    entry public.changes;
    latest public.history;
    present_row jsonb;
  begin
    perform private.require_admin();
    select * into entry from public.changes c where c.id = undo_change.change_id;
    if not found then
      perform private.refuse(404, 'change_not_found', 'There is no such change.');
    end if;
    -- The second of two simultaneous undos sees the first one's entry.
    perform pg_advisory_xact_lock(hashtextextended('undo ' || entry.table_name || entry.row_id, 0));
    if exists (select from public.changes c where c.undoes = entry.id) then
      perform private.refuse(409, 'already_undone', 'This change has already been undone.');
    elsif not private.can_undo(entry) then
      perform private.refuse(409, 'not_reversible', 'This change cannot be undone.');
    end if;

    present_row := private.current_row(entry);
    if (case entry.verb
      when 'insert' then jsonb_strip_nulls(present_row) is distinct from entry.after - 'updated_at'
      when 'update' then present_row is null or present_row || entry.after <> present_row
      else present_row is not null
    end) then
      select * into latest from public.history h
      where h.table_name = entry.table_name and h.row_id = entry.row_id and h.id > entry.id order by h.id desc limit 1;
      perform private.refuse(409, 'changed_since', 'This has been changed again since, so it cannot be undone.',
        jsonb_build_object('by', latest.actor_name, 'at', latest.changed_at));
    end if;

    perform set_config('shop.undoes', entry.id::text, true);
    perform private.restore_change(entry);
    perform set_config('shop.undoes', '', true);
  exception
    -- PostgreSQL 18 has a code of its own for "on delete restrict".
    when foreign_key_violation or restrict_violation or unique_violation then
      perform private.refuse(409, 'in_use', 'Something else depends on this now, so it cannot be undone.');
  end
  $$;
comment on function public.undo_change is 'Undoes a change. Admins only. Errors: change_not_found, already_undone, not_reversible, changed_since {by, at} (null when the later change was not recorded), in_use.';
grant execute on function public.undo_change to authenticated;

-- For the Undo button of a toast. A save without changes has no entry, so only entries of the last twenty seconds count.
create or replace function public.my_last_change(table_name text, row_id text) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select c.id from public.changes c
      where c.table_name = my_last_change.table_name and c.row_id = my_last_change.row_id
        and c.actor_id = auth.uid() and c.changed_at > now() - interval '20 seconds'
      order by c.id desc limit 1);
  end
  $$;
comment on function public.my_last_change is
  'Id of the caller''s change to this row within the last 20 seconds; null when there is none.';
grant execute on function public.my_last_change to authenticated;
