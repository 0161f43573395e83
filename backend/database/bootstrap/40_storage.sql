-- Files: a row here for every file that the storage service keeps. As on the hosted product the API roles may do
-- anything to the two tables by grant, and nothing by default: row-level security is on, and an application opens
-- what it wants with policies on storage.objects.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'storage'), 'usage') then
    raise notice 'Schema storage is kept by the server: it stays as it is.';
    return;
  end if;

  create table if not exists storage.buckets (
    id                 text primary key,
    name               text not null unique,
    owner              uuid,
    created_at         timestamptz default now(),
    updated_at         timestamptz default now(),
    public             boolean default false,
    avif_autodetection boolean default false,
    file_size_limit    bigint check (file_size_limit > 0),
    allowed_mime_types text[],
    owner_id           text,
    type               text not null default 'STANDARD'
  );
  comment on table storage.buckets is 'Named places for files, with what may be put there.';
  comment on column storage.buckets.public is 'Whether anybody who knows a file''s address may read it.';

  create table if not exists storage.objects (
    id               uuid primary key default gen_random_uuid(),
    bucket_id        text references storage.buckets,
    name             text,
    owner            uuid,
    created_at       timestamptz default now(),
    updated_at       timestamptz default now(),
    last_accessed_at timestamptz default now(),
    metadata         jsonb,
    path_tokens      text[] generated always as (string_to_array(name, '/')) stored,
    version          text,
    owner_id         text,
    user_metadata    jsonb
  );
  comment on table storage.objects is 'One row for each file; the bytes lie outside the database.';
  create unique index if not exists bucketid_objname on storage.objects (bucket_id, name);
  -- Listing a folder is a search by prefix, whatever the database's collation.
  create index if not exists name_prefix_search on storage.objects (name text_pattern_ops);

  alter table storage.buckets enable row level security;
  alter table storage.objects enable row level security;
  grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;

  create or replace function storage.foldername(name text) returns text[]
    language sql immutable
    as $$ select (string_to_array(name, '/'))[1:array_length(string_to_array(name, '/'), 1) - 1] $$;
  create or replace function storage.filename(name text) returns text
    language sql immutable
    as $$ select (string_to_array(name, '/'))[array_length(string_to_array(name, '/'), 1)] $$;
  create or replace function storage.extension(name text) returns text
    language sql immutable
    as $$ select reverse(split_part(reverse(storage.filename(name)), '.', 1)) $$;
  create or replace function storage.operation() returns text
    language sql stable
    as $$ select current_setting('storage.operation', true) $$;
  grant execute on function storage.foldername(text), storage.filename(text), storage.extension(text), storage.operation() to public;

  -- A row that vanishes by SQL leaves its bytes behind for ever: files are removed through the storage service,
  -- which says so with this setting.
  create or replace function storage.protect_delete() returns trigger
    language plpgsql
    as $$
    begin
      if coalesce(current_setting('storage.allow_delete_query', true), 'false') <> 'true' then
        raise exception 'Direct deletion from storage tables is not allowed. Use the Storage API instead.'
          using errcode = '42501', hint = 'This prevents accidental data loss from orphaned objects.';
      end if;
      return null;
    end
    $$;
  create or replace trigger protect_objects_delete before delete on storage.objects
    for each statement execute function storage.protect_delete();
  create or replace trigger protect_buckets_delete before delete on storage.buckets
    for each statement execute function storage.protect_delete();
end
$bootstrap$;

-- The application's role writes the policies on files, and only an owner may: on the embedded server the two tables are
-- therefore its own. (The hosted product lets the same role do it by an extension.)
do $$
declare
  relation regclass;
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    foreach relation in array array['storage.buckets', 'storage.objects']::regclass[] loop
      if (select relowner from pg_class where oid = relation) <> 'postgres'::regrole then
        execute format('alter table %s owner to postgres', relation);
      end if;
    end loop;
  end if;
end
$$;
