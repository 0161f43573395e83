-- What live updates are fed from. Triggers on the published tables write each change here, in the writer's own
-- transaction; every server process reads what became visible since it last looked. NOTIFY only says that there is
-- something to read, once for a transaction however much it wrote, so neither a long transaction nor a large row meets
-- its limits, and a process that was cut off reads on where it stopped.
--
-- A schema of our own, because on the hosted product `realtime` belongs to the server. Nobody but the owner reaches it.
do $bootstrap$
begin
  if to_regnamespace('realtime_feed') is null then
    create schema realtime_feed;
  end if;
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'realtime_feed'), 'usage') then
    raise notice 'Schema realtime_feed belongs to somebody else: it stays as it is.';
    return;
  end if;

  create table if not exists realtime_feed.entries (
    id           bigint generated always as identity primary key,
    transaction  xid8 not null default pg_current_xact_id(),
    -- A change of a row ('insert', 'update', 'delete'), one that could not be kept ('lost'), or what somebody said on a
    -- channel ('message').
    kind         text not null,
    relation     oid,
    record       json,
    old_record   json,
    is_too_large boolean not null default false,
    topic        text,
    message      json,
    payload      json,
    written_at   timestamptz not null default clock_timestamp()
  );
  create index if not exists entries_transaction_idx on realtime_feed.entries (transaction);
  alter table realtime_feed.entries enable row level security;

  -- Who is here, on channels with presence. `process` holds an advisory lock for as long as it lives.
  create unlogged table if not exists realtime_feed.presences (
    ref        uuid primary key,
    topic      text not null,
    is_private boolean not null,
    key        text not null,
    meta       json not null,
    process    integer not null
  );
  create index if not exists presences_topic_idx on realtime_feed.presences (topic);
  alter table realtime_feed.presences enable row level security;
end
$bootstrap$;

-- A row too large to be sent keeps the values that say which one it is. The figures are the hosted product's.
create or replace function realtime_feed.shortened(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where octet_length(value::text) <= 64 or key = any(keys) $$;

create or replace function realtime_feed.only(record json, keys text[]) returns json
  language sql immutable
  as $$ select json_object_agg(key, value) from json_each(record) where key = any(keys) $$;

-- PL/pgSQL keeps its plan, where a function in SQL would be planned at every statement that writes.
create or replace function realtime_feed.primary_key(relation oid) returns text[]
  language plpgsql stable
  as $$
  begin
    return (
      select coalesce(array_agg(a.attname::text), '{}')
      from pg_catalog.pg_index i join pg_catalog.pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
      where i.indrelid = relation and i.indisprimary);
  end
  $$;

-- Says that there is something to read. Commits that notify take turns at one lock of the whole server, disk included: a
-- caller that promises to send its news right after its commit (backend/rest/transaction.ts) leaves the channel's name for
-- that in its session, where an undone transaction takes it back.
create or replace function realtime_feed.announce() returns void
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

-- Of the row as it was, `replica identity` says how much is kept: the key, or all of it.
-- NOTE: once for a statement, not for a row: a hundred thousand rows are one call and one insert.
-- NOTE: a transition table has columns of any name. It is read by `changed.*` alone, which no column can be taken for, in
-- a subquery of its own that mentions no variable; everything else sees only the names given there.
create or replace function realtime_feed.write_changes() returns trigger
  language plpgsql security definer
  set search_path = '' set timezone = 'UTC' set bytea_output = 'hex' set intervalstyle = 'postgres'
  as $$
  #variable_conflict use_column
  declare
    largest constant integer := 1024 * 1024;
    is_full boolean;
    keys text[];
  begin
    -- What identifies a row is of no interest to a new one, unless it is very large: most are spared the question.
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
    -- Announcing a change must not keep anybody from making it; whoever watches is told to look again.
    when others then
      raise warning 'a change of % is not announced: %', tg_relid::regclass, sqlerrm;
      insert into realtime_feed.entries (kind, relation) values ('lost', tg_relid);
      perform realtime_feed.announce();
      return null;
  end
  $$;
revoke execute on function realtime_feed.write_changes() from public;

-- What `realtime.send()` puts on a channel from inside a transaction.
create or replace function realtime_feed.write_message() returns trigger
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
revoke execute on function realtime_feed.write_message() from public;

-- Changes of a partition are announced as changes of the table it belongs to.
create or replace function realtime_feed.published(publication text) returns setof oid
  language sql stable
  as $$
    select distinct coalesce(pg_partition_root(c.oid), c.oid)::oid
    from pg_publication_tables p
    join pg_namespace n on n.nspname = p.schemaname
    join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
    where p.pubname = publication and p.schemaname <> 'realtime_feed'
  $$;

-- Puts triggers on the tables of the publication and takes them from those that left it.
-- NOTE: waiting for a table's lock makes its writers wait too, so it is not waited for long.
create or replace function realtime_feed.watch(publication text) returns void
  language plpgsql
  set lock_timeout = '3s'
  as $$
  declare
    change record;
    old_rows constant text := 'referencing old table as old_rows';
    new_rows constant text := 'referencing new table as new_rows';
  begin
    perform pg_advisory_xact_lock(hashtext('realtime_feed.watch'));
    for change in
      select coalesce(p.relation, w.relation)::regclass as relation, w.relation is null as is_new
      from (
        select published as relation from realtime_feed.published(publication)
        where has_table_privilege(published, 'trigger')
      ) as p
      full join (
        select tgrelid as relation from pg_trigger
        where tgname = 'realtime_feed_insert' and tgfoid = 'realtime_feed.write_changes'::regproc
      ) as w using (relation)
      where p.relation is null or w.relation is null
      order by 1
    loop
      if change.is_new then
        execute format('create trigger realtime_feed_insert after insert on %s %s for each statement execute function realtime_feed.write_changes()', change.relation, new_rows);
        execute format('create trigger realtime_feed_update after update on %s %s new table as new_rows for each statement execute function realtime_feed.write_changes()', change.relation, old_rows);
        execute format('create trigger realtime_feed_delete after delete on %s %s for each statement execute function realtime_feed.write_changes()', change.relation, old_rows);
      else
        execute format('drop trigger realtime_feed_insert on %s', change.relation);
        execute format('drop trigger realtime_feed_update on %s', change.relation);
        execute format('drop trigger realtime_feed_delete on %s', change.relation);
      end if;
    end loop;
  end
  $$;

do $$
begin
  if pg_has_role((select relowner from pg_class where oid = 'realtime.messages'::regclass), 'usage') then
    create or replace trigger realtime_feed_message after insert on realtime.messages
      for each row execute function realtime_feed.write_message();
  end if;
end
$$;

-- The application's role owns the feed, as it owns the tables.
do $$
declare
  function regprocedure;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter schema realtime_feed owner to postgres;
    alter table realtime_feed.entries owner to postgres;
    alter table realtime_feed.presences owner to postgres;
    for function in select oid::regprocedure from pg_proc where pronamespace = 'realtime_feed'::regnamespace loop
      execute format('alter function %s owner to postgres', function);
    end loop;
  end if;
end
$$;
