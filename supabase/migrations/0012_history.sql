-- History: the audit log, and the tables that the API may subscribe to.

-- The audit log (schema/changes/recorded.sql).
create table public.changes (
  id           bigint generated always as identity primary key,
  changed_at   timestamptz not null default now(),
  actor_id     uuid,
  actor        text not null,
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
  undoes       bigint references public.changes,
  constraint unknown_actor check (actor in ('admin', 'packer', 'account', 'secret key', 'server'))
);
alter table public.changes enable row level security;
alter table public.changes force row level security;

create index changes_changed_at_idx on public.changes (changed_at desc, id desc);
create index changes_row_idx on public.changes (table_name, row_id, id desc);
create index changes_actor_idx on public.changes (actor_id, id desc);
create index changes_undoes_idx on public.changes (undoes) where undoes is not null;
create index changes_to_forget_idx on public.changes (changed_at) where forgotten_at is null and personal <> '{}';

-- Which tables the history records, and what it keeps of their rows (decision 0014).
create table private.history_tables (
  table_name text primary key,
  key_column text not null,
  label      text,
  ignored    text[] not null,
  withheld   text[] not null,
  personal   text[] not null,
  undoes     text[] not null constraint unknown_verb check (undoes <@ array['insert', 'update', 'delete'])
);
alter table private.history_tables enable row level security;
alter table private.history_tables force row level security;

-- What the history keeps of each table. Withheld columns are recorded as changed, without their values; personal ones are
-- emptied when the person is erased; ignored ones make no entry. `undoes` lists the kinds of change that can be undone.
insert into private.history_tables (table_name, key_column, label, ignored, withheld, personal, undoes) values
  ('public.products', 'id', 'name', '{updated_at,idempotency_key}',
    '{}', '{}', '{update}'),
  ('public.product_variants', 'id', 'name', '{updated_at,idempotency_key}',
    '{}', '{}', '{update}'),
  ('public.promo_codes', 'id', 'code', '{times_used,updated_at,idempotency_key}',
    '{}', '{}', '{update,delete}'),
  ('public.courier_companies', 'id', 'name', '{updated_at,idempotency_key}',
    '{}', '{contact_person,contact_phone}', '{insert,update}'),
  ('public.profiles', 'id', null, '{updated_at,idempotency_key}',
    '{}', '{email,full_name,phone,address,city,state,zip_code}', '{update}'),
  ('public.gallery_submissions', 'id', null, '{updated_at,idempotency_key}',
    '{}', '{customer_name,description}', '{update}'),
  ('public.gallery_contacts', 'submission_id', null, '{updated_at,idempotency_key}',
    '{email}', '{}', '{}'),
  ('public.contact_submissions', 'id', null, '{updated_at,idempotency_key}',
    '{name,email,subject,message}', '{}', '{}'),
  ('public.contact_answers', 'submission_id', null, '{updated_at,idempotency_key}',
    '{}', '{}', '{insert,delete}'),
  ('public.newsletter_signups', 'id', null, '{updated_at,idempotency_key}',
    '{email}', '{}', '{}'),
  ('public.orders', 'id', 'order_number', '{updated_at,idempotency_key}',
    '{shipping_address,shipping_city,shipping_state,shipping_zip,locker_location,customer_email,customer_name,customer_phone,notes}', '{}', '{}'),
  ('public.order_items', 'id', 'product_name', '{updated_at,idempotency_key}',
    '{}', '{}', '{}'),
  ('public.order_notes', 'id', null, '{updated_at,idempotency_key}',
    '{body}', '{}', '{}'),
  ('public.user_roles', 'id', 'role', '{updated_at,idempotency_key}',
    '{}', '{}', '{}'),
  ('public.shop_settings', 'id', null, '{updated_at,idempotency_key}',
    '{}', '{}', '{update}'),
  ('public.refund_tasks', 'id', null, '{outstanding,is_open,updated_at,idempotency_key}',
    '{}', '{}', '{}'),
  ('public.contact_replies', 'id', null, '{updated_at,idempotency_key}',
    '{subject,message}', '{}', '{}'),
  ('public.full_gallery_days', 'id', null, '{refused,last_refused_at,updated_at,idempotency_key}',
    '{}', '{}', '{}');

-- Tables whose rows supabase-js may subscribe to. Row policies decide what each subscriber receives.
alter publication supabase_realtime add table
  public.orders, public.contact_submissions, public.contact_answers, public.gallery_submissions;
