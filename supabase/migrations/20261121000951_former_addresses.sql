-- Addresses that once led to a lure. Links to them are out in the world: in search engines, messages and mails. Whoever
-- follows one is sent on to where the lure is now, or is told that it is no longer made. Rows outlive what they name, so
-- there are no foreign keys. A lure that was never for sale leaves no trace.
create table private.former_product_slugs (
  slug       text primary key,
  product_id uuid not null,
  name       text not null,
  retired_at timestamptz not null default now()
);
comment on table private.former_product_slugs is 'Addresses of lures that were renamed or deleted.';
alter table private.former_product_slugs enable row level security;
alter table private.former_product_slugs force row level security;

create table private.former_variant_slugs (
  product_id uuid not null,
  slug       text not null,
  variant_id uuid not null,
  retired_at timestamptz not null default now(),
  primary key (product_id, slug)
);
comment on table private.former_variant_slugs is 'Addresses of colours that were renamed or deleted.';
alter table private.former_variant_slugs enable row level security;
alter table private.former_variant_slugs force row level security;
-- NOTE: nothing is granted: triggers write, find_former_address() reads.

create function private.remember_product_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op <> 'INSERT' and old.status <> 'draft' then
      insert into private.former_product_slugs (slug, product_id, name) values (old.slug, old.id, old.name)
      on conflict (slug) do update set product_id = excluded.product_id, name = excluded.name, retired_at = now();
    end if;
    if tg_op <> 'DELETE' then
      delete from private.former_product_slugs f where f.slug = new.slug;
    end if;
    return null;
  end
  $$;
create trigger remember_slug after insert or delete on public.products
  for each row execute function private.remember_product_slug();
create trigger remember_changed_slug after update of slug on public.products
  for each row when (old.slug <> new.slug)
  execute function private.remember_product_slug();

create function private.remember_variant_slug() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if tg_op <> 'INSERT' then
      insert into private.former_variant_slugs (product_id, slug, variant_id) values (old.product_id, old.slug, old.id)
      on conflict (product_id, slug) do update set variant_id = excluded.variant_id, retired_at = now();
    end if;
    if tg_op <> 'DELETE' then
      delete from private.former_variant_slugs f where f.product_id = new.product_id and f.slug = new.slug;
    end if;
    return null;
  end
  $$;
create trigger remember_slug after insert or delete on public.product_variants
  for each row execute function private.remember_variant_slug();
create trigger remember_changed_slug after update of slug on public.product_variants
  for each row when (old.slug <> new.slug)
  execute function private.remember_variant_slug();

-- A colour that is no longer made sends on to its lure; a lure that is hidden or deleted is gone, by name. An address that
-- never led anywhere answers no row.
create function public.find_former_address(product_slug text, variant_slug text default null)
  returns table (slug text, colour text, name text, is_gone boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    with lures as (
      select p.id, p.slug, p.name, p.status from public.products p where p.slug = find_former_address.product_slug
      union all
      select f.product_id, p.slug, coalesce(p.name, f.name), coalesce(p.status, 'hidden')
      from private.former_product_slugs f
      left join public.products p on p.id = f.product_id
      where f.slug = find_former_address.product_slug
    ), colours as (
      select v.product_id, v.slug from public.product_variants v where v.slug = find_former_address.variant_slug
      union all
      select f.product_id, v.slug
      from private.former_variant_slugs f
      left join public.product_variants v on v.id = f.variant_id
      where f.slug = find_former_address.variant_slug
    )
    select case when l.status = 'live' then l.slug end, case when l.status = 'live' then c.slug end, l.name, l.status <> 'live'
    from lures l
    left join colours c on c.product_id = l.id
    where l.status <> 'draft'
      and (find_former_address.variant_slug is null or c.product_id is not null or l.status <> 'live')
    limit 1
  $$;
comment on function public.find_former_address(text, text) is 'Where an old address of a lure leads now, or that the lure is gone.';
grant execute on function public.find_former_address(text, text) to anon, authenticated, service_role;
