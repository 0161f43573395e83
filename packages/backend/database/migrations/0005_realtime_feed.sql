-- The feed of live updates. Triggers on the published tables write each change here, in the writer's own transaction; every
-- server process reads the changes that became visible since it last looked. NOTIFY only says that there is something to
-- read, once for a transaction however much it wrote, so neither a long transaction nor a large row meets its limits, and a
-- process that was disconnected continues where it stopped.
--
-- A schema of its own, because on the hosted product `realtime` belongs to the server. Its owner is the application's role.
-- Not granted: anything to any other role.
create schema realtime_feed;

-- `kind` is a change of a row ('insert', 'update', 'delete'), a change that could not be kept ('lost'), or a message of a
-- channel ('message').
create table realtime_feed.entries (
  id           bigint generated always as identity primary key,
  transaction  xid8 not null default pg_current_xact_id(),
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
create index entries_transaction_idx on realtime_feed.entries (transaction);
alter table realtime_feed.entries enable row level security;

-- Who is present on a channel. `process` holds an advisory lock for as long as it lives, so the rows of a process that was
-- killed are recognised. Unlogged, because presence does not outlive the server.
create unlogged table realtime_feed.presences (
  ref        uuid primary key,
  topic      text not null,
  is_private boolean not null,
  key        text not null,
  meta       json not null,
  process    integer not null
);
create index presences_topic_idx on realtime_feed.presences (topic);
alter table realtime_feed.presences enable row level security;
