-- Buckets for the pictures of the catalogue and the site, which the first start uploads. The buckets of the gallery come with
-- their rules in the migrations. Only the server can upload to a bucket without a policy on storage.objects.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('catalogue', 'catalogue', true, 15728640, array['image/jpeg', 'image/png', 'image/webp', 'image/avif']),
  ('site', 'site', true, 52428800, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/svg+xml', 'video/mp4', 'video/webm'])
on conflict do nothing;
