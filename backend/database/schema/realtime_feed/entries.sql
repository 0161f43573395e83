-- Writing the feed: the functions of the triggers on published tables and on realtime.messages.
--
-- A trigger must never make the writer's statement fail, so errors become an entry of kind 'lost'.
-- The schema's owner alone may look into it; the rights to execute are PostgreSQL's defaults and open nothing.

-- A row too large to be sent keeps the values that say which one it is. The figures are the hosted product's.
create function realtime_feed.shortened(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where octet_length(value::text) <= 64 or key = any(keys) $$;

create function realtime_feed.only(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where key = any(keys) $$;

-- PL/pgSQL, because it caches the plan: a function in SQL would be planned again by every statement that writes.
create function realtime_feed.primary_key(relation oid) returns text[]
  language plpgsql stable
  as $$
  begin
    return (
      select coalesce(array_agg(a.attname::text), '{}')
      from pg_catalog.pg_index i join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = relation and i.indisprimary);
  end
  $$;

-- Says that there is something to read. Commits that notify queue for one lock of the whole server and hold it while they
-- write to disk. A caller that promises to notify right after its commit (backend/rest/transaction.ts) therefore finds the
-- channel's name in a setting of its session, which a rollback takes back.
create function realtime_feed.announce() returns void
  language plpgsql
  as $$
  begin
    if current_setting('announce.later', true) = 'on' then
      perform set_config('announce.channels', concat_ws(',', nullif(current_setting('announce.channels', true), ''), 'realtime_feed'), false);
    else
      perform pg_catalog.pg_notify('realtime_feed', '');
    end if;
  end
  $$;

-- Writes the changes of a statement. `replica identity` says how much of the old row is kept: the key, or all of it.
-- Once for a statement, not for a row: a hundred thousand rows are one call and one insert.
-- A transition table has columns of any name. It is read by `changed.*` alone, which no column can be taken for, in a
-- subquery of its own that mentions no variable; everything else sees only the names given there.
-- Security definer, because the writer has no right to the feed.
create function realtime_feed.write_changes() returns trigger
  language plpgsql security definer
  set search_path = '' set timezone = 'UTC' set bytea_output = 'hex' set intervalstyle = 'postgres'
  as $$
  #variable_conflict use_column
  declare
    largest constant integer := 1024 * 1024;
    is_full boolean;
    keys text[];
  begin
    -- A new row needs its key only when it is too large, so inserts look the key up there.
    if tg_op <> 'INSERT' then
      is_full := (select relreplident = 'f' from pg_catalog.pg_class where oid = tg_relid);
      keys := realtime_feed.primary_key(tg_relid);
    end if;
    if tg_op = 'INSERT' then
      insert into realtime_feed.entries (kind, relation, record, is_too_large)
      select 'insert', tg_relid,
        case when size > largest then realtime_feed.shortened(record, realtime_feed.primary_key(tg_relid)) else record end,
        size > largest
      from (select record, octet_length(record::text) as size from (select row_to_json(changed.*) as record from new_rows as changed) as rows) as sized;
    elsif tg_op = 'DELETE' then
      insert into realtime_feed.entries (kind, relation, old_record, is_too_large)
      select 'delete', tg_relid, case when size > largest then realtime_feed.shortened(record, keys) else record end, size > largest
      from (
        select record, octet_length(record::text) as size
        from (
          select case when is_full then whole else realtime_feed.only(whole, keys) end as record
          from (select row_to_json(changed.*) as whole from old_rows as changed) as rows
        ) as identified
      ) as sized;
    else
      -- Both transition tables hold the rows in the order in which they were updated.
      insert into realtime_feed.entries (kind, relation, record, old_record, is_too_large)
      select 'update', tg_relid,
        case when size > largest then realtime_feed.shortened(record, keys) else record end,
        case when size > largest then realtime_feed.shortened(old_record, keys) else old_record end,
        size > largest
      from (
        select record, old_record, octet_length(record::text) + coalesce(octet_length(old_record::text), 0) as size, number
        from (select row_to_json(changed.*) as record, row_number() over () as number from new_rows as changed) as after
        join (
          select case when is_full then whole else realtime_feed.only(whole, keys) end as old_record, number
          from (select row_to_json(changed.*) as whole, row_number() over () as number from old_rows as changed) as rows
        ) as before using (number)
      ) as sized
      order by number;
    end if;
    if found then perform realtime_feed.announce(); end if;
    return null;
  exception
    -- A change that cannot be announced is made all the same; subscribers are told to read again.
    when others then
      raise warning 'a change of % is not announced: %', tg_relid::regclass, sqlerrm;
      insert into realtime_feed.entries (kind, relation) values ('lost', tg_relid);
      perform realtime_feed.announce();
      return null;
  end
  $$;

-- Writes a message of a channel. Security definer, because the sender has no right to the feed.
create function realtime_feed.write_message() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
  begin
    if new.extension = 'broadcast' and new.event is not null then
      insert into realtime_feed.entries (kind, topic, message, payload)
      values (
        'message', new.topic,
        json_strip_nulls(json_build_object(
          'event', new.event,
          'isPrivate', coalesce(new.private, false),
          'bytes', translate(encode(new.binary_payload, 'base64'), E'\n', ''),
          'meta', json_build_object('id', new.id)
        )),
        case when new.binary_payload is null then coalesce(new.payload::json, 'null') end
      );
      perform realtime_feed.announce();
    end if;
    return null;
  end
  $$;

revoke execute on function realtime_feed.write_changes(), realtime_feed.write_message() from public;
grant execute on function
  realtime_feed.shortened(json, text[]), realtime_feed.only(json, text[]), realtime_feed.primary_key(oid),
  realtime_feed.announce()
  to public;

comment on table realtime_feed.entries is 'Changes and messages that server processes have yet to pass on.';
comment on table realtime_feed.presences is 'Who is present on which channel, and through which process.';
comment on function realtime_feed.shortened(json, text[]) is 'A row without its large values, but with its key.';
comment on function realtime_feed.only(json, text[]) is 'The named values of a row.';
comment on function realtime_feed.primary_key(oid) is 'The columns of a table''s primary key.';
comment on function realtime_feed.announce() is 'Notifies the server processes, now or after the commit.';
comment on function realtime_feed.write_changes() is 'Statement trigger of published tables: writes the changes to the feed.';
comment on function realtime_feed.write_message() is 'Trigger of realtime.messages: writes the message to the feed.';
