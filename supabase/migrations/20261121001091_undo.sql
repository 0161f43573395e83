-- Taking a change back: the row gets the values from before, if nobody has changed them since. It is a change like any other, with its
-- own entry, which names the one it took back. What went out into the world (a mail, a parcel, money) has no undo; its table says so.

create function private.is_reversible(entry public.changes) returns boolean
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
grant execute on function private.is_reversible(public.changes) to authenticated, service_role;

-- Where a change came from, while its session lives: the log itself keeps no address.
create function private.device_of(session_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      select jsonb_build_object('browser', s.user_agent, 'address', host(s.ip))
      from auth.sessions s where s.id = device_of.session_id and private.is_admin());
  end
  $$;
grant execute on function private.device_of(uuid) to authenticated, service_role;

-- The log as it is read: with names of today instead of ids.
create view public.history with (security_invoker = true) as
  select c.*,
    coalesce(author.full_name, author.email) as actor_name,
    coalesce(c.row_label, client.full_name, client.email) as row_name,
    private.device_of(c.session_id) as device,
    private.is_reversible(c) as is_reversible,
    (select u.id from public.changes u where u.undoes = c.id order by u.id limit 1) as undone_by
  from public.changes c
  left join public.profiles author on author.id = c.actor_id
  left join public.profiles client on c.table_name = 'profiles' and client.id = case when c.table_name = 'profiles' then c.row_id::uuid end;
comment on view public.history is 'Every change a person made, newest where asked first, with the names of today.';
grant select on public.history to authenticated, service_role;

create function private.row_of(entry public.changes) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    kept private.recorded_tables;
    found jsonb;
  begin
    select * into strict kept from private.recorded_tables t
    where t.table_name in ('public.' || entry.table_name, 'private.' || entry.table_name);
    execute format('select to_jsonb(r) from %s r where r.%I::text = $1 for update', kept.table_name, kept.key_column)
      into found using entry.row_id;
    return found - kept.ignored;
  end
  $$;
comment on function private.row_of(public.changes) is 'The row as it is now, locked; null when it is gone.';

create function private.put_back(entry public.changes) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    kept private.recorded_tables;
    columns text;
  begin
    select * into strict kept from private.recorded_tables t
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

create function public.undo_change(change_id bigint) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    entry public.changes;
    latest public.history;
    now_there jsonb;
  begin
    perform private.require_admin();
    select * into entry from public.changes c where c.id = undo_change.change_id;
    if not found then
      perform private.refuse(404, 'change_not_found', 'There is no such change.');
    end if;
    -- Two who press at once take it back once.
    perform pg_advisory_xact_lock(hashtextextended('undo ' || entry.table_name || entry.row_id, 0));
    if exists (select from public.changes c where c.undoes = entry.id) then
      perform private.refuse(409, 'already_undone', 'This change has been undone already.');
    elsif not private.is_reversible(entry) then
      perform private.refuse(409, 'not_reversible', 'This change cannot be undone.');
    end if;

    now_there := private.row_of(entry);
    if (case entry.verb
      when 'insert' then jsonb_strip_nulls(now_there) is distinct from entry.after - 'updated_at'
      when 'update' then now_there is null or not now_there @> entry.after
      else now_there is not null
    end) then
      select * into latest from public.history h
      where h.table_name = entry.table_name and h.row_id = entry.row_id order by h.id desc limit 1;
      perform private.refuse(409, 'changed_since', 'This has been changed again since, so it stays as it is.',
        jsonb_build_object('by', latest.actor_name, 'at', latest.changed_at));
    end if;

    perform set_config('shop.undoes', entry.id::text, true);
    perform private.put_back(entry);
    perform set_config('shop.undoes', '', true);
  exception
    when foreign_key_violation or unique_violation then
      perform private.refuse(409, 'in_use', 'Something else relies on it by now, so it stays as it is.');
  end
  $$;
comment on function public.undo_change(bigint) is 'Puts back what stood there before, unless it has changed since.';
grant execute on function public.undo_change(bigint) to authenticated;
