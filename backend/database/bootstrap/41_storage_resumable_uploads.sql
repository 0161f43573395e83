-- Uploads that arrive in parts (TUS). The row says who began the upload and what is to become of it; the bytes lie on the
-- disk under the row's id, and their number is the offset. The file itself gets its row in storage.objects when the last
-- byte is there.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'storage'), 'usage') then
    return;
  end if;

  create table if not exists storage.resumable_uploads (
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
  comment on table storage.resumable_uploads is 'Uploads that arrive in parts. Read and written by the service alone.';
  comment on column storage.resumable_uploads.id is
    'SHA-256 of the secret in the upload''s address: reading this table does not allow continuing an upload.';
  comment on column storage.resumable_uploads.begun_as is
    'The role that may continue; for anon every holder of the address, for signed every holder of the signed token.';
  comment on column storage.resumable_uploads.owner_id is 'The account that began the upload and will own the file.';
  comment on column storage.resumable_uploads.counted_for is
    'The account or network whose unfinished uploads are limited; null for the secret key, which is not limited.';
  comment on column storage.resumable_uploads.finished_at is
    'When the file was stored. The row stays until it expires, so that a client that lost the last answer learns of the success.';
  create index if not exists resumable_uploads_bucket_id on storage.resumable_uploads (bucket_id);
  create index if not exists resumable_uploads_expires_at on storage.resumable_uploads (expires_at);

  -- No policies, and no grants but to the service's own role: even the secret key reaches the table through the service only.
  alter table storage.resumable_uploads enable row level security;
  revoke all on storage.resumable_uploads from public, anon, authenticated, service_role;
  grant all on storage.resumable_uploads to postgres;
end
$bootstrap$;
