-- The tables that the feed follows: server processes create its triggers on the tables of a publication.

-- Reports changes of a partition as changes of its root table.
create function realtime_feed.published(publication text) returns setof oid
  language sql stable
  as $$
    select distinct coalesce(pg_partition_root(c.oid), c.oid)::oid
    from pg_publication_tables p
    join pg_namespace n on n.nspname = p.schemaname
    join pg_class c on c.relnamespace = n.oid and c.relname = p.tablename
    where p.pubname = publication and p.schemaname <> 'realtime_feed'
  $$;

-- Creates the triggers on new tables of the publication and drops those on removed ones.
-- The lock timeout is short, because writers queue behind a waiting lock request.
create function realtime_feed.watch(publication text) returns void
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

grant execute on function realtime_feed.published(text), realtime_feed.watch(text) to public;

comment on function realtime_feed.published(text) is 'The tables of a publication, with partitions replaced by their root table.';
comment on function realtime_feed.watch(text) is 'Creates the feed''s triggers on exactly the tables of the publication.';
