-- The signed-in customer's cart. A line names its product and colour in words, because the browser's guest cart does; the
-- trigger below finds the variant, and from then on the catalogue decides price, names and picture.
create table public.cart_items (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null default auth.uid() references auth.users on delete cascade,
  product_name    text not null,
  product_variant text not null,
  price           numeric(10,2) not null constraint negative_price check (price >= 0),
  quantity        int not null default 1 constraint impossible_quantity check (quantity between 1 and 999),
  with_hooks      boolean not null,
  image_url       text,
  variant_id      uuid references public.product_variants on delete set null,
  created_at      timestamptz not null default now(),
  constraint line_twice unique (user_id, product_name, product_variant, with_hooks)
);
comment on table public.cart_items is 'Lines of the customers'' carts.';
comment on column public.cart_items.price is 'Rand for one, always the catalogue''s.';
comment on column public.cart_items.variant_id is 'Found by the names; null once the colour is no longer sold.';
create index cart_items_variant_id_idx on public.cart_items (variant_id);
alter table public.cart_items enable row level security;
alter table public.cart_items force row level security;

grant select, delete on public.cart_items to authenticated, service_role;
grant insert (user_id, product_name, product_variant, price, quantity, with_hooks, image_url)
  on public.cart_items to authenticated, service_role;
grant update (quantity) on public.cart_items to authenticated, service_role;
create policy select_own on public.cart_items
  for select to authenticated
  using (user_id = (select auth.uid()));
create policy insert_own on public.cart_items
  for insert to authenticated
  with check (user_id = (select auth.uid()));
create policy update_own on public.cart_items
  for update to authenticated
  using (user_id = (select auth.uid())) with check (user_id = (select auth.uid()));
create policy delete_own on public.cart_items
  for delete to authenticated
  using (user_id = (select auth.uid()));
-- NOTE: staff see no carts. Update covers the quantity only; another colour is another line.

-- What a line may say, in a cart or an order: a product and colour that are for sale, at the price they are for sale at.
create type private.sale as (product_id uuid, variant_id uuid, price numeric(10,2), image_url text);

create function private.check_sale(product_name text, product_variant text, with_hooks boolean, price numeric) returns private.sale
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    sale private.sale;
  begin
    select p.id, v.id, case when check_sale.with_hooks then p.price_with_hooks else p.price end,
      coalesce(nullif(v.image_url, ''), p.image_url)
    into sale
    from public.products p
    join public.product_variants v on v.product_id = p.id
    where p.name = check_sale.product_name and v.name = check_sale.product_variant and p.status = 'live';

    if sale.variant_id is null then
      perform private.refuse(422, 'unknown_product', 'We do not sell this lure in this colour.');
    elsif sale.price is null then
      perform private.refuse(422, 'hooks_not_offered', 'This lure is not sold with hooks.');
    elsif sale.price <> check_sale.price then
      perform private.refuse(409, 'price_changed', 'The price of this lure has changed. Reload the page to see it.',
        jsonb_build_object('price', sale.price));
    end if;
    return sale;
  end
  $$;
comment on function private.check_sale(text, text, boolean, numeric) is 'Finds what a line names, or refuses it.';

create function private.check_cart_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    sale private.sale := private.check_sale(new.product_name, new.product_variant, new.with_hooks, new.price);
  begin
    new.variant_id := sale.variant_id;
    new.image_url := sale.image_url;
    return new;
  end
  $$;
create trigger check_cart_item before insert on public.cart_items
  for each row when (new.with_hooks is not null and new.price is not null)
  execute function private.check_cart_item();

-- Carts follow the catalogue: a new price or name shows in every cart at the next look, and the order is still refused when
-- its total is not the one the buyer saw.
create function private.update_carts_of_product() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.cart_items c
    set product_name = new.name,
      price = coalesce(case when c.with_hooks then new.price_with_hooks else new.price end, c.price)
    from public.product_variants v
    where v.product_id = new.id and c.variant_id = v.id;
    return null;
  end
  $$;
create trigger update_carts after update of name, price, price_with_hooks on public.products
  for each row when ((old.name, old.price, old.price_with_hooks) is distinct from (new.name, new.price, new.price_with_hooks))
  execute function private.update_carts_of_product();

create function private.update_carts_of_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.cart_items c
    set product_variant = new.name, image_url = coalesce(nullif(new.image_url, ''), c.image_url)
    where c.variant_id = new.id;
    return null;
  end
  $$;
create trigger update_carts after update of name, image_url on public.product_variants
  for each row when ((old.name, old.image_url) is distinct from (new.name, new.image_url))
  execute function private.update_carts_of_variant();
