-- From draft to live: by hand, or by the clock. A lure that waits for its hour is a draft (or hidden) until then.
alter table public.products
  add column publish_at timestamptz,
  add constraint live_lures_wait_for_nothing check (publish_at is null or status <> 'live');
comment on column public.products.publish_at is 'When it goes live by itself; null when it waits for a person.';
create index products_publish_at_idx on public.products (publish_at) where publish_at is not null;

create function private.forget_publish_time() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.publish_at := null;
    return new;
  end
  $$;
create trigger forget_publish_time before update of status on public.products
  for each row when (new.status = 'live' and old.status <> 'live')
  execute function private.forget_publish_time();

-- The job `publish_products`, every minute.
create function private.publish_products() returns integer
  language sql security definer
  set search_path = ''
  as $$
    with published as (
      update public.products p set status = 'live' where p.publish_at <= now() and p.status <> 'live' returning p.id
    )
    select count(*)::int from published
  $$;
comment on function private.publish_products() is 'Puts lures on the shelf whose hour has come; returns how many.';

-- A new lure that begins as a copy: a draft, so that nobody sees it before it is made its own, with the colours and their
-- pictures, and with nothing on the shelf.
create function public.duplicate_product(product_id uuid) returns uuid
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    original public.products;
    copied uuid;
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

    insert into public.products (name, description, price, price_with_hooks, images, category, model, length_mm, weight_grams,
      hook_size, specs, made_to_order, low_stock_at, position, status)
    values (copy_name, original.description, original.price, original.price_with_hooks, original.images, original.category,
      original.model, original.length_mm, original.weight_grams, original.hook_size, original.specs, original.made_to_order,
      original.low_stock_at, original.position, 'draft')
    returning id into copied;
    insert into public.product_variants (product_id, slug, name, image_url, image_alt, position)
    select copied, v.slug, v.name, v.image_url, v.image_alt, v.position
    from public.product_variants v where v.product_id = original.id;
    return copied;
  end
  $$;
grant execute on function public.duplicate_product(uuid) to authenticated;
comment on function public.duplicate_product(uuid) is 'Makes a draft that is a copy, and returns it.';
