-- Former addresses of products and variants, so that old links lead to the present page or say that the product is gone.
--
-- Triggers record each slug that a change or a deletion frees. A slug that is used again is no longer a former one. Addresses of
-- drafts were never public, so they are not recorded.

-- Not granted: triggers write, find_former_address() reads.
comment on table private.former_product_slugs is 'Slugs of products that were changed or deleted.';
comment on column private.former_product_slugs.product_id is 'The product that had this slug. It may be deleted.';
comment on column private.former_product_slugs.name is
  'The product''s name at that time, for the page that says it is gone.';
comment on column private.former_product_slugs.slug is 'Never also the slug of a present product.';
comment on column private.former_product_slugs.retired_at is 'When the slug was last given up.';
comment on table private.former_variant_slugs is 'Slugs of variants that were changed or deleted.';
comment on column private.former_variant_slugs.variant_id is 'The variant that had this slug. It may be deleted.';
comment on column private.former_variant_slugs.retired_at is 'When the slug was last given up.';
comment on column private.former_variant_slugs.product_id is 'The product of the variant. It may be deleted.';
comment on column private.former_variant_slugs.slug is 'Never also the slug of a present variant of the product.';

-- Records the old slug and frees the new one.
create or replace function private.remember_product_slug() returns trigger
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
comment on function private.remember_product_slug is
  'Trigger: records a product''s former slug and frees the present one.';

create trigger remember_slug after insert or delete on public.products
  for each row execute function private.remember_product_slug();
create trigger remember_changed_slug after update of slug on public.products
  for each row when (old.slug <> new.slug)
  execute function private.remember_product_slug();

-- The same for variants, within their product.
create or replace function private.remember_variant_slug() returns trigger
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
comment on function private.remember_variant_slug is
  'Trigger: records a variant''s former slug and frees the present one.';

create trigger remember_slug after insert or delete on public.product_variants
  for each row execute function private.remember_variant_slug();
create trigger remember_changed_slug after update of slug on public.product_variants
  for each row when (old.slug <> new.slug)
  execute function private.remember_variant_slug();

-- A deleted variant leads to its product. A hidden or deleted product is `is_gone`, with its name for the page. An unknown address
-- returns no row.
create or replace function public.find_former_address(product_slug text, variant_slug text default null)
  returns table (slug text, colour text, name text, is_gone boolean)
  language sql stable security definer
  set search_path = ''
  as $$
    with lures as (
      select p.id, p.slug, p.name, p.status, p.status in ('live', 'announced') as is_listed from public.products p where p.slug = find_former_address.product_slug
      union all
      select f.product_id, p.slug, coalesce(p.name, f.name), coalesce(p.status, 'hidden'), coalesce(p.status in ('live', 'announced'), false)
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
    select case when l.is_listed then l.slug end, case when l.is_listed then c.slug end, l.name, not l.is_listed
    from lures l
    left join colours c on c.product_id = l.id
    where l.status <> 'draft'
      and (find_former_address.variant_slug is null or c.product_id is not null or not l.is_listed)
    limit 1
  $$;
comment on function public.find_former_address is 'The present slugs for an old address of a product or variant, or is_gone. No row for an unknown address.';
grant execute on function public.find_former_address to anon, authenticated, service_role;
