-- Live updates: the publication names the tables whose changes are announced (an application adds its own), and
-- the messages table carries the policies of private channels.
do $bootstrap$
begin
  if not exists (select from pg_publication where pubname = 'supabase_realtime') then
    create publication supabase_realtime;
    -- Only an owner may add tables, and those are the application's.
    if (select rolsuper from pg_roles where rolname = current_user) then
      alter publication supabase_realtime owner to postgres;
    end if;
  end if;

  if not pg_has_role((select nspowner from pg_namespace where nspname = 'realtime'), 'usage') then
    raise notice 'Schema realtime is kept by the server: it stays as it is.';
    return;
  end if;

  create table if not exists realtime.messages (
    id          uuid primary key default gen_random_uuid(),
    topic       text not null,
    extension   text not null,
    payload     jsonb,
    event       text,
    private     boolean default false,
    inserted_at timestamp not null default now(),
    updated_at  timestamp not null default now()
  );
  alter table realtime.messages add column if not exists binary_payload bytea;
  comment on table realtime.messages is 'Who may listen (select) and speak (insert) on a private channel, by policy.';
  create index if not exists messages_inserted_at_topic_idx on realtime.messages (inserted_at desc, topic) where extension = 'broadcast' and private;
  alter table realtime.messages enable row level security;
  grant select, insert, update on realtime.messages to anon, authenticated, service_role;
  grant all on realtime.messages to postgres;

  create or replace function realtime.topic() returns text
    language sql stable
    as $$ select nullif(current_setting('realtime.topic', true), '') $$;
  comment on function realtime.topic() is 'The channel that is being joined, for policies on realtime.messages.';
  grant execute on function realtime.topic() to public;

  -- NOTE: what cannot be said is a warning: it is never a reason to undo the work that it was about.
  create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
    language plpgsql
    as $$
    declare
      id uuid := gen_random_uuid();
    begin
      perform set_config('realtime.topic', topic, true);
      insert into realtime.messages (id, payload, event, topic, private, extension)
      values (id, jsonb_build_object('id', id) || send.payload, send.event, send.topic, send.private, 'broadcast');
    exception
      when others then raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
    end
    $$;
  comment on function realtime.send(jsonb, text, text, boolean) is 'Says something on a channel from inside a transaction.';

  create or replace function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
    language plpgsql
    as $$
    begin
      perform set_config('realtime.topic', topic, true);
      insert into realtime.messages (binary_payload, event, topic, private, extension)
      values (send_binary.payload, send_binary.event, send_binary.topic, send_binary.private, 'broadcast');
    exception
      when others then raise warning 'WarnSendingBroadcastMessage: %', sqlerrm;
    end
    $$;
  comment on function realtime.send_binary(bytea, text, text, boolean) is 'The same with bytes.';

  create or replace function realtime.broadcast_changes(
    topic_name text, event_name text, operation text, table_name text, table_schema text, new record, old record,
    level text default 'ROW'
  ) returns void
    language plpgsql
    as $$
    begin
      if level = 'STATEMENT' then
        raise exception 'function can only be triggered for each row, not for each statement';
      end if;
      perform realtime.send(
        jsonb_build_object('old_record', old, 'record', new, 'operation', operation, 'table', table_name, 'schema', table_schema),
        event_name, topic_name
      );
    end
    $$;
  comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is
    'For a trigger: says on a channel what happened to the row.';
  grant execute on function realtime.send(jsonb, text, text, boolean) to anon, authenticated, service_role;
  grant execute on function realtime.send_binary(bytea, text, text, boolean) to anon, authenticated, service_role;
end
$bootstrap$;

do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user)
    and (select relowner from pg_class where oid = 'realtime.messages'::regclass) <> 'postgres'::regrole then
    alter table realtime.messages owner to postgres;
  end if;
end
$$;
