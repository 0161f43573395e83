-- A photo is uploaded before the words about it are handed in. Whoever turns away in between leaves one that nobody will ever
-- look at, with its place and its people in it. After a day it goes.

-- A photo is held while a submission takes it, so that it cannot be forgotten at that moment: the submission either finds it
-- gone and says so, or has it.
create or replace function private.require_own_photos() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    photos text[] := private.gallery_photos(new.image_urls);
    waiting integer;
  begin
    if current_setting('role') not in ('anon', 'authenticated') then
      return new;
    end if;
    with held as (
      select from storage.objects o where o.bucket_id = 'gallery-private' and o.name = any (photos)
      order by o.id for key share
    )
    select count(*) into waiting from held;
    if array_position(photos, null) is not null
      or waiting <> cardinality(photos)
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

create function private.forget_unsent_photos() returns setof text
  language plpgsql
  set search_path = ''
  as $$
  declare
    old uuid[];
  begin
    -- First held, then judged: a submission that took one of them meanwhile is seen by the second statement.
    select array_agg(o.id) into old from (
      select id from storage.objects
      where bucket_id = 'gallery-private' and created_at < now() - interval '1 day'
      order by id for update skip locked
    ) o;
    -- Rows of files go together with their bytes, which the caller removes.
    perform set_config('storage.allow_delete_query', 'true', true);
    return query
      delete from storage.objects o
      where o.id = any (old)
        and not exists (
          select from public.gallery_submissions s
          where private.gallery_photos(s.image_urls) @> array[o.name]
        )
      returning o.version;
  end
  $$;
comment on function private.forget_unsent_photos() is
  'Removes photos that were uploaded a day ago and never handed in; returns the versions whose bytes are to go with them.';
