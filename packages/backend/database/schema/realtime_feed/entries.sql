-- Writing the feed: trigger functions of published tables and of realtime.messages.
--
-- A trigger must never make the writer's statement fail, so errors become an entry of kind 'lost'.
-- Only the schema's owner can read the feed; the execute rights are PostgreSQL's defaults and grant no access to it.

-- Shortens a row that is too large to send to its key and its small values. The limits are those of the hosted product.
create function realtime_feed.shortened(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where octet_length(value::text) <= 64 or key = any(keys) $$;

create function realtime_feed.only(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where key = any(keys) $$;

-- PL/pgSQL caches the plan: an SQL function would be planned again by every writing statement.
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

-- Notifies the server processes. PostgreSQL serializes all notifying commits with one lock and holds it during the disk write.
-- A caller that promises to notify right after its commit (backend/rest/transaction.ts) therefore reads the channel's name from
-- a session setting, which a rollback reverts.
create function realtime_feed.announce() returns void
  language plpgsql
  as $$
  declare
    channels text;
  begin
    -- An assignment, which needs no query.
    if current_setting('announce.later', true) = 'on' then
      channels := set_config('announce.channels', concat_ws(',', nullif(current_setting('announce.channels', true), ''), 'realtime_feed'), false);
    else
      perform pg_catalog.pg_notify('realtime_feed', '');
    end if;
  end
  $$;

-- Writes the changes of a statement. `replica identity` decides whether the old row is stored completely or as its key only.
-- A statement trigger, because a change of a hundred thousand rows then needs one call and one insert.
-- The columns of a transition table can have any name. Only `changed.*`, which cannot collide with a column, reads it, in a
-- subquery without variables; the outer query sees the names given there.
-- Security definer, because the writer has no rights on the feed.
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
    -- Inserts need the key only for rows that are too large, and look it up there.
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
      -- Both transition tables contain the rows in the order of their update.
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
    -- The change must succeed although its entry fails; the 'lost' entry tells subscribers to reload.
    when others then
      raise warning 'could not write a change of % to the feed: %', tg_relid::regclass, sqlerrm;
      insert into realtime_feed.entries (kind, relation) values ('lost', tg_relid);
      perform realtime_feed.announce();
      return null;
  end
  $$;

-- Writes a message of a channel. Security definer, because the sender has no rights on the feed.
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

comment on table realtime_feed.entries is 'Queue of changes and messages that server processes have not delivered yet.';
comment on table realtime_feed.presences is 'Presence by channel and server process.';
comment on function realtime_feed.shortened(json, text[]) is 'A row without its large values, but with its key.';
comment on function realtime_feed.only(json, text[]) is 'The row with only the given columns.';
comment on function realtime_feed.primary_key(oid) is 'The columns of a table''s primary key.';
comment on function realtime_feed.announce() is 'Notifies the server processes, now or after the commit.';
comment on function realtime_feed.write_changes() is 'Statement trigger of published tables that writes the changes to the feed.';
comment on function realtime_feed.write_message() is 'Trigger of realtime.messages that writes the message to the feed.';
