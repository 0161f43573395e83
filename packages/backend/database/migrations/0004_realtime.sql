-- Messages of channels. The table's policies say who may listen (select) and speak (insert) on a private channel.
create table realtime.messages (
  id             uuid primary key default gen_random_uuid(),
  topic          text not null,
  extension      text not null,
  payload        jsonb,
  event          text,
  private        boolean default false,
  inserted_at    timestamp not null default now(),
  updated_at     timestamp not null default now(),
  binary_payload bytea
);
create index messages_inserted_at_topic_idx on realtime.messages (inserted_at desc, topic)
  where extension = 'broadcast' and private;
alter table realtime.messages enable row level security;

-- The application's role writes the policies, and only an owner may: on the embedded server the table is therefore its own.
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter table realtime.messages owner to postgres;
  end if;
end
$$;
