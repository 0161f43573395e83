-- Channels: functions for policies on realtime.messages and for sending messages in a transaction.
--
-- The functions have the hosted product's names. They run as their caller, so the policies on realtime.messages decide who may
-- send; the trigger `realtime_feed_message` copies inserted rows to the feed.

create function realtime.topic() returns text
  language sql stable
  as $$ select nullif(current_setting('realtime.topic', true), '') $$;

-- An error only raises a warning: a failed message must not roll back the transaction that it reports on.
create function realtime.send(payload jsonb, event text, topic text, private boolean default true) returns void
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

create function realtime.send_binary(payload bytea, event text, topic text, private boolean default true) returns void
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

create function realtime.broadcast_changes(
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


create trigger realtime_feed_message after insert on realtime.messages
  for each row execute function realtime_feed.write_message();

grant select, insert, update on realtime.messages to anon, authenticated, service_role;
grant all on realtime.messages to postgres;
grant execute on function
  realtime.send(jsonb, text, text, boolean), realtime.send_binary(bytea, text, text, boolean)
  to public, anon, authenticated, service_role;
grant execute on function
  realtime.topic(), realtime.broadcast_changes(text, text, text, text, text, record, record, text)
  to public;

comment on table realtime.messages is 'Messages of channels; policies decide who may receive (select) and send (insert) on a private channel.';
comment on function realtime.topic() is 'The channel that is being joined, for policies on realtime.messages.';
comment on function realtime.send(jsonb, text, text, boolean) is 'Sends a message to a channel from inside a transaction.';
comment on function realtime.send_binary(bytea, text, text, boolean) is 'Sends a binary message to a channel from inside a transaction.';
comment on function realtime.broadcast_changes(text, text, text, text, text, record, record, text) is
  'For row triggers: sends the change of the row to a channel.';
