-- The photos behind the gallery. A browser uploads each to the bucket `gallery` and hands in the public address it gets for
-- it, as specified; but nobody has looked at the photo yet. So what arrives in `gallery` is put into `gallery-private`, which
-- has no public addresses. Approving a submission moves its photos to `gallery`, where that very address begins to work; taking
-- the approval back moves them away again. The bytes are named by their version and stay where they are.

insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('gallery', 'gallery', true, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/avif']),
  ('gallery-private', 'gallery-private', false, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;
-- NOTE: no HEIC, which nothing here can show, and no GIF or SVG, whose notes nothing here takes out.

-- Visitors upload; the name is one flat, harmless word (the specified one: random, time, extension). They neither list, read,
-- replace nor remove. Staff read, which is what a signed address for the review needs.
create policy insert_gallery_photo on storage.objects
  for insert to anon, authenticated
  with check (bucket_id = 'gallery-private' and name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{7,149}$');
create policy select_gallery_photo_as_admin on storage.objects
  for select to authenticated
  using (bucket_id in ('gallery', 'gallery-private') and (select private.is_admin()));

-- A name is taken once, in both buckets together and for good: else a photo could be replaced between the look and the yes.
create function private.receive_gallery_photo() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from storage.objects o where o.bucket_id in ('gallery', 'gallery-private') and o.name = new.name) then
      raise unique_violation using message = 'The resource already exists';
    end if;
    new.bucket_id := 'gallery-private';
    return new;
  end
  $$;
create trigger receive_gallery_photo before insert on storage.objects
  for each row when (new.bucket_id in ('gallery', 'gallery-private'))
  execute function private.receive_gallery_photo();

create function private.keep_gallery_photo() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise insufficient_privilege using message = 'A gallery photo is never replaced.';
  end
  $$;
create trigger keep_gallery_photo before update on storage.objects
  for each row when (old.bucket_id in ('gallery', 'gallery-private')
    and (new.version is distinct from old.version or new.name is distinct from old.name))
  execute function private.keep_gallery_photo();

-- Which lure took the fish; whoever sends the photo may say so, staff may correct it.
alter table public.gallery_submissions
  add column product_id uuid references public.products on delete set null,
  add column variant_id uuid references public.product_variants on delete set null;
comment on column public.gallery_submissions.product_id is 'The lure of the catch, where the sender or staff named it.';
comment on column public.gallery_submissions.variant_id is 'Its colour; always one of product_id''s.';
create index gallery_submissions_product_id_idx on public.gallery_submissions (product_id, created_at desc)
  where product_id is not null;
create index gallery_submissions_variant_id_idx on public.gallery_submissions (variant_id) where variant_id is not null;
grant insert (product_id, variant_id), update (product_id, variant_id) on public.gallery_submissions
  to authenticated, service_role;
grant insert (product_id, variant_id) on public.gallery_submissions to anon;

-- A colour names its lure; a colour of another lure is a mistake.
create function private.match_gallery_lure() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    lure_id uuid := (select v.product_id from public.product_variants v where v.id = new.variant_id);
  begin
    new.product_id := coalesce(new.product_id, lure_id);
    if lure_id <> new.product_id then
      new.variant_id := null;
    end if;
    return new;
  end
  $$;
create trigger match_lure before insert or update of product_id, variant_id on public.gallery_submissions
  for each row execute function private.match_gallery_lure();

-- The name of a photo in an address of this shop's gallery; null for every other address.
create function private.gallery_photo(url text) returns text
  language sql immutable
  set search_path = ''
  as $$ select (regexp_match(url, '^(?:https?://[^/?#]+)?/storage/v1/object/public/gallery/([A-Za-z0-9][A-Za-z0-9._-]{7,149})$'))[1] $$;

create function private.gallery_photos(urls text[]) returns text[]
  language sql immutable
  set search_path = ''
  as $$ select array_agg(private.gallery_photo(url)) from unnest(urls) as url $$;

-- What a visitor hands in is made of photos that wait here and belong to no other submission. Their addresses are kept without
-- the host, so that none can lead elsewhere. Staff and the process itself may hang the shop's own pictures.
create function private.require_own_photos() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    photos text[] := private.gallery_photos(new.image_urls);
  begin
    if current_setting('role') not in ('anon', 'authenticated') then
      return new;
    end if;
    if array_position(photos, null) is not null
      or (select count(*) from storage.objects o where o.bucket_id = 'gallery-private' and o.name = any (photos)) <> cardinality(photos)
      or private.gallery_photo(new.image_url) is distinct from photos[1] then
      perform private.refuse(422, 'unknown_photo', 'Please upload the photos first.');
    end if;
    if exists (select from public.gallery_submissions s where private.gallery_photos(s.image_urls) && photos) then
      perform private.refuse(409, 'photo_already_sent', 'These photos have been sent already.');
    end if;
    new.image_urls := (select array_agg('/storage/v1/object/public/gallery/' || photo) from unnest(photos) as photo);
    new.image_url := new.image_urls[1];
    return new;
  end
  $$;
create trigger require_own_photos before insert on public.gallery_submissions
  for each row execute function private.require_own_photos();

-- The address that a submission was sent with works while it is approved, and at no other time.
create function private.move_gallery_photos() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update storage.objects o
      set bucket_id = case new.status when 'approved' then 'gallery' else 'gallery-private' end
      where o.bucket_id in ('gallery', 'gallery-private') and o.name = any (private.gallery_photos(new.image_urls));
    return null;
  end
  $$;
create trigger move_photos after insert or update of status on public.gallery_submissions
  for each row execute function private.move_gallery_photos();
