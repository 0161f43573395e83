-- Products and their variants (the colours of a lure).
--
-- Everyone reads live and announced products; admins read and write all. Only live ones can be bought (match_variant, priced_cart). A product always has a variant: one is created at the end of the
-- transaction if there is none. Its stock_quantity is the sum of its variants. Addresses (slugs) come from names and stay when
-- the name changes; former ones lead on (former_addresses.sql). Prices are rand, for the lure without or with hooks.

-- Visitors see live and announced products. Writes are granted to all signed-in users, and the policies restrict them to admins.
grant select on public.products to anon;
grant select, insert, update, delete on public.products to authenticated, service_role;

create policy select_listed on public.products for select to anon, authenticated
  using (status in ('live', 'announced'));

create policy select_as_admin on public.products for select to authenticated
  using ((select private.is_admin()));

create policy insert_as_admin on public.products for insert to authenticated
  with check ((select private.is_admin()));

create policy update_as_admin on public.products for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy delete_as_admin on public.products for delete to authenticated
  using ((select private.is_admin()));

comment on table public.product_variants is 'A colour of a product, with its stock.';
comment on column public.product_variants.stock_quantity is
  'Units in stock, reserved ones included. Every change writes a stock_movement.';
comment on column public.product_variants.slug is 'Last part of the address /products/<product>/<variant>.';
comment on column public.product_variants.sku is 'The shop''s own stock number. Unique, optional.';
comment on column public.product_variants.position is 'Order within the product.';
comment on column public.product_variants.name is 'The colour. Unique within the product.';
comment on column public.product_variants.image_url is 'Picture of this colour.';
comment on column public.product_variants.image_alt is 'What the picture shows, for screen readers.';
grant select on public.product_variants to anon;
grant select, insert, update, delete on public.product_variants to authenticated, service_role;

create policy select_listed on public.product_variants for select to anon, authenticated
  using (exists (select from public.products p where p.id = product_id and p.status in ('live', 'announced')));

create policy select_as_admin on public.product_variants for select to authenticated
  using ((select private.is_admin()));

create policy insert_as_admin on public.product_variants for insert to authenticated
  with check ((select private.is_admin()));

create policy update_as_admin on public.product_variants for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

create policy delete_as_admin on public.product_variants for delete to authenticated
  using ((select private.is_admin()));

-- "Chisel Nose Popper 150mm/30G" → chisel-nose-popper-150mm-30g. A name without letters or digits becomes `lure`.
create or replace function private.slug_from(name text) returns text
  language sql immutable
  set search_path = ''
  as $$ select coalesce(nullif(btrim(left(regexp_replace(lower(name), '[^a-z0-9]+', '-', 'g'), 100), '-'), ''), 'lure') $$;

-- Appends -2, -3 … when the address is taken. The unique constraint decides between simultaneous inserts.
create or replace function private.fill_product_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    wanted text := private.slug_from(new.name);
  begin
    new.slug := wanted;
    for attempt in 2..50 loop
      exit when not exists (select from public.products where slug = new.slug);
      new.slug := wanted || '-' || attempt;
    end loop;
    return new;
  end
  $$;
comment on function private.fill_product_slug is 'Trigger: gives a new product without a slug a free one.';
comment on function private.slug_from is
  'Address part made from a name: lower case letters, digits and single hyphens, at most 100 characters.';

create trigger fill_slug before insert on public.products
  for each row when (new.slug is null)
  execute function private.fill_product_slug();

-- The same within the product: a renamed colour keeps the address of its former name.
create or replace function private.fill_variant_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    wanted text := private.slug_from(new.name);
  begin
    new.slug := wanted;
    for attempt in 2..50 loop
      exit when not exists (select from public.product_variants v where v.product_id = new.product_id and v.slug = new.slug);
      new.slug := wanted || '-' || attempt;
    end loop;
    return new;
  end
  $$;
comment on function private.fill_variant_slug is 'Trigger: gives a new variant without a slug a free one.';

create trigger fill_slug before insert on public.product_variants
  for each row when (new.slug is null)
  execute function private.fill_variant_slug();

-- The main picture is in two columns: image_url, which the specified form writes, and images[0], which the product page writes.
-- The column that is written sets the other.
create or replace function private.keep_main_picture() returns trigger
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
comment on function private.keep_main_picture is 'Trigger: keeps image_url and images[0] equal.';

create trigger keep_main_picture before insert or update of image_url, images on public.products
  for each row execute function private.keep_main_picture();

-- Each process calls it at the time of the next launch; the job of the same name runs every minute in case none did.
create or replace function private.publish_products() returns integer
  language sql security definer
  set search_path = ''
  as $$
    with due as (
      select p.id from public.products p
      where p.publish_at <= now() and p.status <> 'live' order by p.id for no key update
    ), published as (
      update public.products p set status = 'live' from due where p.id = due.id returning p.id
    )
    select count(*)::int from published
  $$;
comment on function private.publish_products is 'Sets products live whose publish_at has passed. Returns their number.';

-- A past time means that the product waits for publish_products().
create or replace function private.next_launch() returns timestamptz
  language sql stable
  set search_path = ''
  as $$ select min(p.publish_at) from public.products p $$;
comment on function private.next_launch is 'When the next product goes live by itself; null: none will.';

-- Pages and API responses may not be cached beyond this moment: nothing else announces it in time.
create or replace function private.next_catalogue_change() returns timestamptz
  language sql stable
  set search_path = ''
  as $$ select least(private.next_launch(), private.next_reservation_end()) $$;
comment on function private.next_catalogue_change is
  'When the catalogue changes next without a statement: a launch, or the end of a reservation. Null: never.';

create or replace function private.launch_of(product_name text) returns timestamptz
  language sql stable
  set search_path = ''
  as $$
    select p.publish_at from public.products p where p.name = launch_of.product_name and p.status = 'announced'
  $$;
comment on function private.launch_of is 'When an announced product goes live; null for every other product.';

-- Explains a refused line; the callers refuse every product that is not live.
create or replace function private.refuse_before_launch(product_name text) returns void
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    launch_at timestamptz := private.launch_of(product_name);
  begin
    if launch_at is not null then
      perform private.refuse(409, 'not_launched',
        'This lure is not on sale yet. Sales start on '
          || to_char(launch_at at time zone 'Africa/Johannesburg', 'FMDD FMMonth "at" HH24:MI') || '.',
        jsonb_build_object('launch_at', launch_at));
    end if;
  end
  $$;
comment on function private.refuse_before_launch is 'Refuses not_launched with {launch_at} for an announced product.';

-- A live product has no publish_at (constraint live_product_with_publish_time). A product that is hidden keeps no earlier one, which
-- would put it on sale again.
create or replace function private.clear_publish_time() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.publish_at := null;
    return new;
  end
  $$;
comment on function private.clear_publish_time is 'Trigger: a product that goes live or is hidden keeps no publish_at.';

create trigger clear_publish_time before update of status on public.products
  for each row when (new.status <> old.status
    and (new.status = 'live' or new.status = 'hidden' and new.publish_at is not distinct from old.publish_at))
  execute function private.clear_publish_time();

-- The copy is a draft with all variants and pictures and without stock.
create or replace function public.duplicate_product(product_id uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    original public.products;
    copied uuid := gen_random_uuid();
    copy_name text;
  begin
    perform private.require_admin();
    select * into original from public.products p where p.id = duplicate_product.product_id;
    if not found then
      perform private.refuse(404, 'product_not_found', 'There is no such product.');
    end if;
    for attempt in 1..50 loop
      copy_name := left(original.name, 108) || case attempt when 1 then ' (copy)' else ' (copy ' || attempt || ')' end;
      exit when not exists (select from public.products p where p.name = copy_name);
    end loop;

    insert into public.products
    select copy.* from jsonb_populate_record(original, jsonb_build_object(
      'id', copied, 'slug', null, 'name', copy_name, 'status', 'draft', 'publish_at', null, 'stock_quantity', 0,
      'created_at', now(), 'updated_at', now())) as copy;
    insert into public.product_variants (product_id, slug, name, image_url, image_alt, position)
    select copied, v.slug, v.name, v.image_url, v.image_alt, v.position
    from public.product_variants v where v.product_id = original.id;
    return copied;
  end
  $$;
comment on function public.duplicate_product is 'Copies a product as a draft and returns the id of the copy. Admins only. Error: product_not_found.';
grant execute on function public.duplicate_product to authenticated;

-- What the question before a deletion says. Carts of visitors are in their browsers, so only those of customers count.
-- Security definer: admins may not read the carts of others. require_admin() comes first.
create or replace function public.preview_product_removal(product_id uuid) returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'stock', coalesce(sum(v.stock_quantity), 0),
        'carts', (
          select count(distinct c.user_id) from public.cart_items c
          join public.product_variants chosen on chosen.id = c.variant_id and chosen.product_id = preview_product_removal.product_id),
        'waiting', (
          select count(distinct a.email) from public.stock_alerts a
          join public.product_variants missed on missed.id = a.variant_id and missed.product_id = preview_product_removal.product_id
          where a.mailed_at is null and a.withdrawn_at is null))
      from public.product_variants v where v.product_id = preview_product_removal.product_id);
  end
  $$;
comment on function public.preview_product_removal is
  'What deleting a product would end: {stock, carts (of customers), waiting (people with a stock alert)}. Changes nothing. Admins only.';
grant execute on function public.preview_product_removal to authenticated;

-- The specified form creates products without variants. The trigger is deferred, so that a transaction that adds its own variants
-- gets no extra one.
create or replace function private.create_default_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from public.products p where p.id = new.id)
      and not exists (select from public.product_variants v where v.product_id = new.id) then
      insert into public.product_variants (product_id, slug, name, image_url, image_alt, stock_quantity)
      values (new.id, 'standard', 'Standard', new.image_url, new.name, new.stock_quantity);
    end if;
    return null;
  end
  $$;
comment on function private.create_default_variant is
  'Trigger: gives a new product without variants the variant Standard.';

create constraint trigger create_default_variant after insert on public.products
  deferrable initially deferred
  for each row execute function private.create_default_variant();
