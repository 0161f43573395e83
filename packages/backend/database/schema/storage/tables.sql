-- Grants on files. As on the hosted product, the API roles have all grants on buckets and objects but no access by default:
-- row-level security is enabled, and the application's policies on storage.objects allow access.
--
-- Not granted to the API roles: storage.resumable_uploads. Even the secret key reaches it through the service only.
grant all on storage.buckets, storage.objects to anon, authenticated, service_role, postgres;
grant all on storage.resumable_uploads to postgres;

comment on table storage.buckets is 'Named containers of files with their upload rules.';
comment on column storage.buckets.public is 'Whether files can be read by their URL without an account.';
comment on table storage.objects is 'One row per file; the bytes are stored outside the database.';

comment on table storage.resumable_uploads is 'Uploads that arrive in parts. Only the service reads and writes this table.';
comment on column storage.resumable_uploads.id is
  'SHA-256 of the secret in the upload''s URL: reading this table does not allow continuing an upload.';
comment on column storage.resumable_uploads.begun_as is
  'The role that may continue: for anon, every holder of the URL; for signed, every holder of the signed token.';
comment on column storage.resumable_uploads.owner_id is 'The account that created the upload and will own the file.';
comment on column storage.resumable_uploads.counted_for is
  'The network that the limit of unfinished uploads applies to besides the account; null for the secret key, which has no limit.';
comment on column storage.resumable_uploads.finished_at is
  'When the file was stored. The row stays until it expires, so that a client that lost the last response learns of the success.';
