-- Where pictures live: the catalogue's and the site's own are put there at first start, the gallery's by visitors.
-- Who may upload is decided by policies on storage.objects; a bucket without one takes files from the server only.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('catalogue', 'catalogue', true, 15728640, array['image/jpeg', 'image/png', 'image/webp', 'image/avif']),
  ('site', 'site', true, 52428800, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/svg+xml', 'video/mp4', 'video/webm']),
  ('gallery', 'gallery', true, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif', 'image/heic', 'image/heif'])
on conflict do nothing;
