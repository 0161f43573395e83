-- Pictures of products that admins upload to the bucket `catalogue` under uploads/.
--
-- A name is a random UUID and is never reused, so a URL never changes its content and derivatives are cached for ever. A picture
-- removed from a product stays, because orders and mails show it.

-- Not granted: update and delete of files.
create policy insert_catalogue_picture_as_admin on storage.objects for insert to authenticated
  with check (bucket_id = 'catalogue' and name ~ '^uploads/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.(jpg|png|webp|avif)$'
    and (select private.is_admin()));

-- The names of uploads in a text.
create or replace function private.uploads_in(content text) returns setof text
  language sql immutable
  set search_path = ''
  as $$
    select found[1] from pg_catalog.regexp_matches(content, 'uploads/[0-9a-f-]{36}\.[a-z]+', 'g') as found
  $$;
comment on function private.uploads_in is 'Names of uploads in a text: uploads/<uuid>.<type>.';

-- Products, carts, orders, and the history, because an undo may bring a picture back.
create or replace function private.used_uploads() returns setof text
  language sql stable
  set search_path = ''
  as $$
    select private.uploads_in(concat_ws(' ', p.image_url, p.images)) from public.products p
    union
    select private.uploads_in(v.image_url) from public.product_variants v
    union
    select private.uploads_in(c.image_url) from public.cart_items c
    union
    select private.uploads_in(i.image_url) from public.order_items i
    union
    select private.uploads_in(concat_ws(' ', c.before, c.after)) from public.changes c
      where c.table_name in ('products', 'product_variants')
  $$;
comment on function private.used_uploads is
  'Names of uploads that something shows, showed, or would show after an undo.';

-- A picture is uploaded before its product is saved; leaving the page in between leaves a file that nothing shows. The daily job of
-- the same name deletes such files after a week.
create or replace function private.delete_unused_pictures() returns setof text
  language plpgsql
  set search_path = ''
  as $$
  declare
    old uuid[];
  begin
    select array_agg(o.id) into old from (
      select id from storage.objects
      where bucket_id = 'catalogue' and name like 'uploads/%' and created_at < now() - interval '7 days'
      order by id for update skip locked
    ) o;
    if old is null then
      return;
    end if;
    -- The storage schema refuses deletes in SQL unless this is set: the caller removes the bytes.
    perform set_config('storage.allow_delete_query', 'true', true);
    return query
      delete from storage.objects o
      where o.id = any (old) and o.name not in (select shown from private.used_uploads() as shown)
      returning o.version;
  end
  $$;
comment on function private.delete_unused_pictures is
  'Deletes unused uploads older than a week. Returns the versions whose bytes the caller must remove.';
