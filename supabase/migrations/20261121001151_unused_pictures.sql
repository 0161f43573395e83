-- A picture is uploaded before the page that shows it is saved. Whoever turns away in between, or uploads a better one, leaves a file that
-- nothing ever shows. After a week it goes. What was shown once stays: orders and mails show it still, and an undo may bring it back.

create function private.uploads_in(content text) returns setof text
  language sql immutable
  set search_path = ''
  as $$
    select found[1] from pg_catalog.regexp_matches(content, 'uploads/[0-9a-f-]{36}\.[a-z]+', 'g') as found
  $$;

create function private.shown_uploads() returns setof text
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
comment on function private.shown_uploads() is 'Pictures, by their names in the bucket, that something shows, showed, or would show after an undo.';

create function private.forget_unused_pictures() returns setof text
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
    -- Rows of files go together with their bytes, which the caller removes.
    perform set_config('storage.allow_delete_query', 'true', true);
    return query
      delete from storage.objects o
      where o.id = any (old) and o.name not in (select shown from private.shown_uploads() as shown)
      returning o.version;
  end
  $$;
comment on function private.forget_unused_pictures() is
  'Removes pictures that staff uploaded a week ago and that nothing shows; returns the versions whose bytes are to go with them.';
