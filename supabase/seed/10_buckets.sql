-- Where pictures live: the catalogue's and the site's own are put there at first start. The buckets of the gallery, which
-- visitors fill, come with their rules in the migrations. A bucket without a policy on storage.objects takes files from the
-- server only.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('catalogue', 'catalogue', true, 15728640, array['image/jpeg', 'image/png', 'image/webp', 'image/avif']),
  ('site', 'site', true, 52428800, array['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/svg+xml', 'video/mp4', 'video/webm'])
on conflict do nothing;
