-- Rights on files. As on the hosted product the API roles have every right on buckets and objects by grant, and reach
-- nothing by default: row-level security is on, and policies on storage.objects open what an application wants.
--
-- Not granted: storage.resumable_uploads to the API roles. Even the secret key reaches it through the service only.
grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;
grant all on storage.resumable_uploads to postgres;

comment on table storage.buckets is 'Named places for files, with what may be put there.';
comment on column storage.buckets.public is 'Whether anybody who knows a file''s address may read it.';
comment on table storage.objects is 'One row for each file; the bytes lie outside the database.';

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
