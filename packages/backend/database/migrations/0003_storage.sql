-- Files: a row for every file that the storage service keeps; the bytes lie outside the database.
--
-- Applications write policies on storage.objects, hence the hosted product's columns, of which some stay empty here.

-- Named places for files, with the sizes and types that each accepts.
create table storage.buckets (
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

-- Files. A bucket that still holds some cannot be deleted.
create table storage.objects (
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
create unique index bucketid_objname on storage.objects (bucket_id, name);
-- Listing a folder is a search by prefix, whatever the database's collation.
create index name_prefix_search on storage.objects (name text_pattern_ops);

-- Uploads that arrive in parts (TUS). The row says who began the upload and which file it will become; the bytes lie on the
-- disk under the row's id, and their number is the offset. The file itself gets its row in storage.objects with the last
-- byte.
create table storage.resumable_uploads (
  id              text primary key,
  bucket_id       text not null references storage.buckets on delete cascade,
  name            text not null,
  size            bigint not null check (size >= 0),
  upload_metadata text not null,
  is_upsert       boolean not null,
  begun_as        text not null check (begun_as in ('anon', 'authenticated', 'service_role', 'signed')),
  owner_id        uuid,
  counted_for     text,
  created_at      timestamptz not null default now(),
  expires_at      timestamptz not null,
  finished_at     timestamptz
);
create index resumable_uploads_bucket_id on storage.resumable_uploads (bucket_id);
create index resumable_uploads_expires_at on storage.resumable_uploads (expires_at);

-- The application's policies on storage.objects open what it wants; without one, no role but the owner sees a row.
alter table storage.buckets enable row level security;
alter table storage.objects enable row level security;
alter table storage.resumable_uploads enable row level security;

-- The application's role writes the policies on files, and only an owner may: on the embedded server the two tables are
-- therefore its own. (The hosted product allows it with an extension.)
do $$
begin
  if (select rolsuper from pg_roles where rolname = current_user) then
    alter table storage.buckets owner to postgres;
    alter table storage.objects owner to postgres;
  end if;
end
$$;
