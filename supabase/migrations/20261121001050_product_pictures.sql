-- Pictures that staff upload. They lie beside the ones that came with the shop, under `uploads/`, each with a name that is
-- drawn once and never given again: the address of a picture therefore never changes what it shows, and everything made from it
-- may be kept for ever. A picture that is taken off a lure stays where it is, because old orders and mails show it.
create policy insert_catalogue_picture_as_admin on storage.objects
  for insert to authenticated
  with check (
    bucket_id = 'catalogue' and name ~ '^uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|png|webp|avif)$'
    and (select private.is_admin()));
-- NOTE: no update and no delete: what was uploaded is neither replaced nor removed by anybody.

-- A lure's pictures: each an address and what it shows, for those who cannot see it.
create function private.are_pictures(pictures jsonb) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select jsonb_typeof(pictures) = 'array' and not exists (
      select from jsonb_array_elements(case jsonb_typeof(pictures) when 'array' then pictures else '[]' end) as picture
      where jsonb_typeof(picture) <> 'object'
        or coalesce(picture ->> 'url', '') = '' or not private.is_link(picture ->> 'url')
        or not coalesce(private.is_line(picture ->> 'alt', 0, 300), true))
  $$;
grant execute on function private.are_pictures(jsonb) to anon, authenticated, service_role;
alter table public.products add constraint malformed_images check (private.are_pictures(images));

-- The main picture stands in two columns: `image_url`, which the specified form writes, and first in `images`, which the product
-- page writes. Whichever is written, the other follows.
create function private.keep_main_picture() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    if tg_op = 'UPDATE' and new.images <> old.images or tg_op = 'INSERT' and new.images <> '[]' then
      new.image_url := new.images -> 0 ->> 'url';
    elsif tg_op = 'INSERT' or new.image_url is distinct from old.image_url then
      new.images := case when coalesce(new.image_url, '') = '' then '[]'
        else jsonb_build_array(jsonb_build_object('url', new.image_url, 'alt', new.name)) end || (new.images - 0);
      new.image_url := coalesce(new.images -> 0 ->> 'url', new.image_url);
    end if;
    return new;
  end
  $$;
create trigger keep_main_picture before insert or update of image_url, images on public.products
  for each row execute function private.keep_main_picture();
