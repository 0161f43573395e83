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

  create or replace function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
    language sql
    as $$
      insert into realtime.messages (payload, event, topic, private, extension)
      values (send.payload, send.event, send.topic, send.private, 'broadcast')
    $$;
  comment on function realtime.send(jsonb, text, text, boolean) is 'Says something on a channel from inside a transaction.';
  grant execute on function realtime.send(jsonb, text, text, boolean) to anon, authenticated, service_role;
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
