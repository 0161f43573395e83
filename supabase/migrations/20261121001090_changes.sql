-- What people changed: who, when, which row, before and after. One trigger function writes it for every table that is recorded, so
-- that no page can forget to. Work that the process does by itself (jobs, payments, customers who order) is no change of this kind;
-- it has its own ledgers (order_events, stock_movements, payments and their events).

-- Which tables are recorded, and what of a row is kept. Personal columns are kept for the days in which a slip may be taken back,
-- then forgotten; withheld ones are never kept: the entry only says that they changed (decision 0014).
create table private.recorded_tables (
  table_name text primary key,
  key_column text not null,
  label      text,
  ignored    text[] not null,
  withheld   text[] not null,
  personal   text[] not null,
  undoes     text[] not null constraint unknown_verb check (undoes <@ array['insert', 'update', 'delete'])
);
comment on table private.recorded_tables is 'What public.changes keeps of each table.';
comment on column private.recorded_tables.ignored is 'What follows from something else; no change of its own.';
comment on column private.recorded_tables.label is 'The column that a person would call the row by; never a personal one.';
comment on column private.recorded_tables.undoes is 'Which of its changes undo_change() takes back.';
alter table private.recorded_tables enable row level security;
alter table private.recorded_tables force row level security;
-- NOTE: no grants: the trigger reads it, migrations write it.

create table public.changes (
  id           bigint generated always as identity primary key,
  changed_at   timestamptz not null default now(),
  actor_id     uuid,
  actor        text not null constraint unknown_actor check (actor in ('admin', 'account', 'secret key', 'server')),
  session_id   uuid,
  table_name   text not null,
  row_id       text not null,
  row_label    text,
  verb         text not null constraint unknown_verb check (verb in ('insert', 'update', 'delete')),
  before       jsonb,
  after        jsonb,
  withheld     text[] not null,
  personal     text[] not null,
  forgotten_at timestamptz,
  undoes       bigint references public.changes
);
comment on table public.changes is 'The audit log: every change a person made, append only.';
comment on column public.changes.actor_id is 'No foreign key: the entry outlives its author''s account.';
comment on column public.changes.actor is 'An admin, another account, whoever holds the secret key, or a command on the server.';
comment on column public.changes.before is 'Of an update the changed columns alone; of a deletion the row.';
comment on column public.changes.withheld is 'Columns that changed too and are not kept.';
comment on column public.changes.personal is 'Columns that are forgotten after thirty days, or with their row.';
comment on column public.changes.undoes is 'The entry that this one took back.';
create index changes_changed_at_idx on public.changes (changed_at desc, id desc);
create index changes_row_idx on public.changes (table_name, row_id, id desc);
create index changes_actor_idx on public.changes (actor_id, id desc);
create index changes_undoes_idx on public.changes (undoes) where undoes is not null;
create index changes_to_forget_idx on public.changes (changed_at) where forgotten_at is null and personal <> '{}';
alter table public.changes enable row level security;
alter table public.changes force row level security;

grant select on public.changes to authenticated, service_role;
create policy select_as_admin on public.changes
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: no insert, update or delete for anybody: entries come from the trigger, and nobody takes one out, not even an admin.

-- The owner of the tables is bound too: all that may happen to an entry is that personal values are forgotten.
create function private.keep_entry() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if tg_op = 'UPDATE' then
      if to_jsonb(new) - array['before', 'after', 'forgotten_at'] = to_jsonb(old) - array['before', 'after', 'forgotten_at']
        and new.forgotten_at is not null
        and new.before is not distinct from old.before - old.personal
        and new.after is not distinct from old.after - old.personal then
        return new;
      end if;
    end if;
    raise exception 'the log of changes is append only' using errcode = 'insufficient_privilege';
  end
  $$;
create trigger keep_entry before update or delete on public.changes
  for each row execute function private.keep_entry();
create trigger keep_entries before truncate on public.changes
  for each statement execute function private.keep_entry();

create function private.forget_changes_of(table_name text, row_id text) returns void
  language sql
  set search_path = ''
  as $$
    update public.changes c set before = c.before - c.personal, after = c.after - c.personal, forgotten_at = now()
    where c.table_name = forget_changes_of.table_name and c.row_id = forget_changes_of.row_id
      and c.personal <> '{}' and c.forgotten_at is null
  $$;
comment on function private.forget_changes_of(text, text) is 'When a row goes, what was personal about it goes from the log.';

create function private.forget_old_changes() returns void
  language sql
  set search_path = ''
  as $$
    update public.changes c set before = c.before - c.personal, after = c.after - c.personal, forgotten_at = now()
    where c.changed_at < now() - interval '30 days' and c.personal <> '{}' and c.forgotten_at is null
  $$;
comment on function private.forget_old_changes() is 'The clock''s job calls it every night.';

-- Who acts, as the request's claims say. Null for a customer: what customers do is told by the tables they do it in.
create function private.acting_as() returns text
  language sql stable
  set search_path = ''
  as $$
    select case
      when auth.uid() is not null and private.is_admin() then 'admin'
      when auth.role() = 'service_role' then 'secret key'
    end
  $$;

create function private.record_change() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    kept private.recorded_tables;
    name text := tg_table_schema || '.' || tg_table_name;
    before jsonb := case when tg_op <> 'INSERT' then to_jsonb(old) end;
    after jsonb := case when tg_op <> 'DELETE' then to_jsonb(new) end;
    whole jsonb := coalesce(after, before);
    caller text := private.acting_as();
    changed text[];
  begin
    -- Roles are given on the server too, where nobody is signed in.
    if caller is null and tg_table_name = 'user_roles' then
      caller := case when auth.uid() is null then 'server' else 'account' end;
    end if;
    if caller is null and tg_op <> 'DELETE' then
      return null;
    end if;
    select * into strict kept from private.recorded_tables t where t.table_name = name;
    if tg_op = 'DELETE' and kept.personal <> '{}' then
      perform private.forget_changes_of(tg_table_name, whole ->> kept.key_column);
    end if;
    if caller is null then
      return null;
    end if;

    select array_agg(key) into changed
    from jsonb_object_keys(whole) as key
    where case
      when tg_op = 'UPDATE' then before -> key is distinct from after -> key and not key = any (kept.ignored)
      else whole -> key <> 'null'
    end;
    if changed is null then
      return null;
    end if;
    -- A deleted row is gone for good: its personal columns are not kept for an undo that cannot come.
    insert into public.changes (actor_id, actor, session_id, table_name, row_id, row_label, verb, before, after, withheld, personal, undoes)
    select auth.uid(), caller, (auth.jwt() ->> 'session_id')::uuid, tg_table_name, whole ->> kept.key_column, whole ->> kept.label,
      lower(tg_op), private.pick(before, changed, hidden), private.pick(after, changed, hidden),
      array(select unnest(changed) intersect select unnest(hidden) order by 1),
      array(select unnest(changed) intersect select unnest(kept.personal) except select unnest(hidden) order by 1),
      nullif(current_setting('shop.undoes', true), '')::bigint
    from (select kept.withheld || case when tg_op = 'DELETE' then kept.personal else '{}' end) as hiding (hidden);
    return null;
  end
  $$;

create function private.pick(whole jsonb, wanted text[], hidden text[]) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select case when whole is not null then
      (select coalesce(jsonb_object_agg(key, whole -> key), '{}') from unnest(wanted) as key where not key = any (hidden))
    end
  $$;

-- A table joins the log with one call in the migration that makes it (supabase/tests/changes.test.ts looks for those that have not):
--   select private.record_changes_of('public.couriers', label => 'name', undoes => '{update}');
create function private.record_changes_of(recorded regclass, key_column text default 'id', label text default null,
    ignored text[] default '{}', withheld text[] default '{}', personal text[] default '{}', undoes text[] default '{}') returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    name text := (select n.nspname || '.' || c.relname from pg_catalog.pg_class c
      join pg_catalog.pg_namespace n on n.oid = c.relnamespace where c.oid = recorded);
  begin
    insert into private.recorded_tables
    values (name, key_column, label, ignored || array['updated_at', 'idempotency_key'], withheld, personal, undoes)
    on conflict (table_name) do update set key_column = excluded.key_column, label = excluded.label, ignored = excluded.ignored,
      withheld = excluded.withheld, personal = excluded.personal, undoes = excluded.undoes;
    execute pg_catalog.format('create or replace trigger record_change after insert or update or delete on %s
      for each row execute function private.record_change()', recorded);
  end
  $$;
comment on function private.record_changes_of(regclass, text, text, text[], text[], text[], text[]) is
  'Puts a table under the log of changes; called again it changes what is kept of it.';

select private.record_changes_of('public.products', label => 'name', undoes => '{update}');
select private.record_changes_of('public.product_variants', label => 'name', undoes => '{update}');
select private.record_changes_of('public.promo_codes', label => 'code', ignored => '{times_used}', undoes => '{update,delete}');
select private.record_changes_of('public.courier_companies', label => 'name', personal => '{contact_person,contact_phone}',
  undoes => '{insert,update}');
select private.record_changes_of('public.profiles', personal => '{email,full_name,phone,address,city,state,zip_code}',
  undoes => '{update}');
select private.record_changes_of('public.gallery_submissions', personal => '{customer_name,description}', undoes => '{update}');
select private.record_changes_of('public.gallery_contacts', key_column => 'submission_id', withheld => '{email}');
select private.record_changes_of('public.contact_submissions', withheld => '{name,email,subject,message}');
select private.record_changes_of('public.contact_answers', key_column => 'submission_id', undoes => '{insert,delete}');
select private.record_changes_of('public.newsletter_signups', withheld => '{email}');
select private.record_changes_of('public.orders', label => 'order_number', withheld => '{shipping_address,shipping_city,shipping_state,
  shipping_zip,locker_location,customer_email,customer_name,customer_phone,notes}');
select private.record_changes_of('public.order_items', label => 'product_name');
select private.record_changes_of('public.order_notes', withheld => '{body}');

-- Of roles only the one that opens the admin area is a change; `customer` comes with each sign-up.
select private.record_changes_of('public.user_roles', label => 'role');
drop trigger record_change on public.user_roles;
create trigger record_grant after insert or update on public.user_roles
  for each row when (new.role = 'admin')
  execute function private.record_change();
create trigger record_revocation after delete on public.user_roles
  for each row when (old.role = 'admin')
  execute function private.record_change();
