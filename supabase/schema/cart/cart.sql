-- The cart of a signed-in customer. (A visitor's cart is kept in the browser.)
--
-- A line names its product and variant in words, as the browser's cart does, which also knows the ids. A trigger finds the variant when
-- the line is inserted and refuses what is not for sale; from then on the catalogue decides name, price and picture of the line.
-- A line whose variant is no longer sold, or not yet again, stays in the cart, is quoted without a price (unavailable,
-- not_launched) and keeps the cart from being ordered until the customer removes it.
-- Customers read, insert and delete their own lines and change quantities. Nothing is reserved by a cart.

comment on table public.cart_items is 'Lines in the carts of customers.';
comment on column public.cart_items.price is 'Rand for one unit, equal to the catalogue''s while the variant is sold.';
comment on column public.cart_items.product_name is
  'Follows the product''s name while the variant is sold; with product_variant and with_hooks it is unique in a '
  'cart.';
comment on column public.cart_items.quantity is '1 to 999 units.';
comment on column public.cart_items.variant_id is
  'Set by the trigger from the names. Null once the variant was deleted.';
comment on column public.cart_items.product_variant is
  'The colour by name, as the specified client writes it. variant_id is the reference.';
comment on column public.cart_items.image_url is 'Picture of the variant, for the cart without a further query.';
comment on column public.cart_items.merged_line is
  'The id of the line that merge_cart() last added here. Null for lines that were inserted.';
comment on column public.cart_items.merged_quantity is 'How many units of merged_line are included in quantity.';

-- Not granted: update of anything but the quantity, insert of variant_id. The catalogue and merge_cart() decide them.
grant select, delete on public.cart_items to authenticated, service_role;
grant insert (user_id, product_name, product_variant, price, quantity, with_hooks, image_url)
  on public.cart_items to authenticated, service_role;
grant update (quantity) on public.cart_items to authenticated, service_role;

create policy select_own on public.cart_items for select to authenticated
  using (user_id = (select auth.uid()));

create policy insert_own on public.cart_items for insert to authenticated
  with check (user_id = (select auth.uid()));

create policy update_own on public.cart_items for update to authenticated
  using (user_id = (select auth.uid()))
  with check (user_id = (select auth.uid()));

create policy delete_own on public.cart_items for delete to authenticated
  using (user_id = (select auth.uid()));

-- Restrictive: narrows the policies above and opens nothing.
create policy all_with_aal2 on public.cart_items as restrictive for all to authenticated
  using ((select private.has_aal2()));

-- Every addition by the shop's own pages: a visitor's lines at sign-in, and each line that a customer adds. The browser
-- makes the ids, so a call whose response was lost can be repeated, even with a raised quantity: only the difference is
-- added. Lines that are not for sale are left out, and lines are stored under today's names and price; the caller compares the
-- returned cart with what it sent. The id of a variant decides before its names, which may belong to another one by now. A line whose
-- variant was deleted follows the one that has its name now: otherwise the addition would succeed and the line stay unavailable.
-- The rows are written in the order of their key, so that two calls wait for each other instead of deadlocking.
-- Security definer: customers update nothing but quantities.
create or replace function public.merge_cart(lines jsonb) returns setof public.cart_items
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    insert into public.cart_items as c (user_id, product_name, product_variant, with_hooks, price, quantity,
      merged_line, merged_quantity, created_at)
    select (select auth.uid()), v.product_name, v.product_variant, l.with_hooks,
      min(case when l.with_hooks then v.price_with_hooks else v.price end),
      -- Two lines become one when the second was added under the variant's new names. A single line keeps its quantity, which the table checks.
      least(greatest(999, max(l.quantity)), sum(l.quantity)),
      left((array_agg(l.id order by l.position))[1], 100), least(greatest(999, max(l.quantity)), sum(l.quantity)),
      statement_timestamp() + min(l.position) * interval '1 microsecond'
    from rows from (jsonb_to_recordset(merge_cart.lines)
        as (id text, variant_id uuid, product_name text, product_variant text, with_hooks boolean, quantity int))
      with ordinality as l (id, variant_id, product_name, product_variant, with_hooks, quantity, position)
    -- Two index scans: one condition with "or" would read every variant.
    cross join lateral (
      select p.name as product_name, v.name as product_variant, p.price, p.price_with_hooks, 1 as rank
      from public.product_variants v join public.products p on p.id = v.product_id
      where v.id = l.variant_id and p.status = 'live'
      union all
      select p.name, v.name, p.price, p.price_with_hooks, 2
      from public.products p join public.product_variants v on v.product_id = p.id
      where p.name = l.product_name and v.name = l.product_variant and p.status = 'live'
      order by rank limit 1) v
    where not l.with_hooks or v.price_with_hooks is not null
    group by v.product_name, v.product_variant, l.with_hooks
    order by v.product_name, v.product_variant, l.with_hooks
    on conflict on constraint line_twice do update set
      variant_id = excluded.variant_id,
      price = excluded.price,
      image_url = excluded.image_url,
      quantity = least(999, c.quantity + greatest(0, excluded.quantity
        - case when c.merged_line = excluded.merged_line then c.merged_quantity else 0 end)),
      merged_line = excluded.merged_line,
      merged_quantity = greatest(excluded.quantity,
        case when c.merged_line = excluded.merged_line then c.merged_quantity else 0 end);
    return query
      select * from public.cart_items c where c.user_id = (select auth.uid()) order by c.created_at desc, c.id;
  end
  $$;
comment on function public.merge_cart is
  'Adds lines, each {id, variant_id, product_name, product_variant, with_hooks, quantity}, oldest first, and returns the cart, '
  'newest line first. Without a variant_id of a live product the names decide. Repeating a call changes nothing. For '
  'signed-in customers. Refuses not_signed_in.';
grant execute on function public.merge_cart to authenticated;

-- The price of the cart page. A line that is sold out counts for nothing, neither for shipping nor for a code's minimum: it can
-- only be removed. A line with too many units counts until its quantity is changed, as on the page. Lines with and without hooks share the stock of their variant, so their quantities are
-- added up before they are compared with it.
-- Security definer: reads promo codes, rules and other orders of the customer. It checks the second factor first:
-- with a stolen password alone a caller would otherwise see the cart, and learn from the answer about a promo code
-- whether the account, its e-mail address or its phone number has bought here.
-- Volatile, because find_promo() counts unknown codes.
create or replace function public.quote_cart(promo_code text default null) returns jsonb
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
    promo public.promo_codes;
    problem text;
    price private.price;
    cart_subtotal numeric;
    lines jsonb;
  begin
    if not private.has_aal2() then
      perform private.require_aal2();
    end if;
    select * into buyer from public.profiles p where p.id = (select auth.uid());
    select coalesce(sum(l.price * l.quantity) filter (where l.made_to_order or l.available > 0), 0), coalesce(jsonb_agg(to_jsonb(l) || jsonb_build_object('problem', case
        when l.launch_at is not null then 'not_launched'
        when l.price is null then 'unavailable'
        when not l.made_to_order and l.available < l.wanted then 'sold_out'
      end) order by l.created_at desc, l.id), '[]')
    into cart_subtotal, lines
    from (
      select c.*, sum(c.quantity) over (partition by c.variant_id) as wanted,
        case when c.price is null then private.launch_of(c.product_name) end as launch_at
      from private.cart_lines(buyer.id) c) l;

    if btrim(quote_cart.promo_code) <> '' then
      promo := private.find_promo(quote_cart.promo_code);
      problem := private.promo_problem(promo, buyer.id, buyer.email, buyer.phone);
      if problem is null and cart_subtotal < promo.min_order_amount then
        problem := 'below_minimum';
      end if;
    end if;
    price := private.calculate_price(cart_subtotal, case when problem is null then promo end);

    return to_jsonb(price) || jsonb_build_object('lines', lines, 'promo', case
      when btrim(quote_cart.promo_code) <> '' then jsonb_build_object(
        'code', upper(btrim(quote_cart.promo_code)),
        'problem', problem,
        'message', private.promo_sentence(problem, promo.min_order_amount),
        'free_shipping', problem is null and promo.free_shipping)
    end);
  end
  $$;
comment on function public.quote_cart is
  '{subtotal, shipping, discount, total, lines, promo} of the caller''s cart, in rand. lines have available '
  '(units), problem (not_launched, unavailable, sold_out or null) and launch_at; promo has code, problem, message, free_shipping, or is '
  'null without a code. For signed-in customers. Refuses not_signed_in, too_many_codes, promo_needs_post.';
grant execute on function public.quote_cart to authenticated, service_role;

-- Units that the customer's own unpaid order has reserved count as available, because placing again replaces it.
create or replace function private.cart_lines(customer uuid)
  returns table (id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, price numeric,
    variant_id uuid, image_url text, available int, made_to_order boolean, created_at timestamptz)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select l.id, l.product_name, l.product_variant, l.with_hooks, l.quantity, l.price,
        l.variant_id, l.image_url, coalesce(private.available_stock(l.variant_id, own.id), 0),
        l.made_to_order, l.created_at
      from unnest(private.priced_cart(customer)) l
      left join lateral (
        select o.id from public.orders o
        where private.unpaid_by(o) = customer and o.expires_at is not null
        limit 1
      ) as own on true;
  end
  $$;
comment on function private.cart_lines is
  'Lines of a customer''s cart with price (rand; null when no longer sold), available units and made_to_order.';

-- Shared by carts and orders. Names are compared exactly.
create or replace function private.match_variant(
    product_name text, product_variant text, with_hooks boolean, price numeric)
  returns private.matched_variant
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    matched private.matched_variant;
  begin
    select p.id, v.id, case when match_variant.with_hooks then p.price_with_hooks else p.price end,
      coalesce(nullif(v.image_url, ''), p.image_url)
    into matched
    from public.products p
    join public.product_variants v on v.product_id = p.id
    where p.name = match_variant.product_name and v.name = match_variant.product_variant and p.status = 'live';

    if matched.variant_id is null then
      perform private.refuse_before_launch(match_variant.product_name);
      perform private.refuse(422, 'unknown_product', 'We do not sell this lure in this colour.');
    elsif matched.price is null then
      perform private.refuse(422, 'hooks_not_offered', 'This lure is not sold with hooks.');
    elsif matched.price <> match_variant.price then
      perform private.refuse(409, 'price_changed', 'The price of this lure has changed. Reload the page to see it.',
        jsonb_build_object('price', matched.price));
    end if;
    return matched;
  end
  $$;
comment on function private.match_variant is
  'The live variant that a line names, with product, price in rand and picture. Refuses unknown_product, '
  'not_launched with {launch_at}, hooks_not_offered, price_changed with {price}.';

-- Security definer: customers cannot read every column that match_variant() needs. The insert policy checks the caller.
-- Lines without a price or hook choice are left to the not-null constraints, which name the column.
create or replace function private.check_cart_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    matched private.matched_variant := private.match_variant(
      new.product_name, new.product_variant, new.with_hooks, new.price);
  begin
    new.variant_id := matched.variant_id;
    new.image_url := matched.image_url;
    return new;
  end
  $$;

create trigger check_cart_item before insert on public.cart_items
  for each row when (new.with_hooks is not null and new.price is not null)
  execute function private.check_cart_item();

-- Carts follow the catalogue, so that a new name or price shows at the next look. An order is still refused when its
-- total is not the one that the buyer saw. A variant that is no longer sold with hooks keeps the price of the line.
-- A line of a deleted product that already has the new names goes: a cart cannot hold the same words twice.
-- Security definer: admins who edit products cannot write carts.
create or replace function private.update_carts_of_product() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.cart_items gone
    using public.cart_items c, public.product_variants v
    where v.product_id = new.id and c.variant_id = v.id and gone.variant_id is null
      and (gone.user_id, gone.product_name, gone.product_variant, gone.with_hooks)
        = (c.user_id, new.name, c.product_variant, c.with_hooks);

    update public.cart_items c
    set product_name = new.name,
      price = coalesce(case when c.with_hooks then new.price_with_hooks else new.price end, c.price)
    from public.product_variants v
    where v.product_id = new.id and c.variant_id = v.id;
    return null;
  end
  $$;

create trigger update_carts after update of name, price, price_with_hooks on public.products
  for each row when (
    (old.name, old.price, old.price_with_hooks) is distinct from (new.name, new.price, new.price_with_hooks))
  execute function private.update_carts_of_product();

-- The same for the name and the picture of a variant. A variant without a picture keeps the one of the line.
-- Security definer: admins who edit variants cannot write carts.
create or replace function private.update_carts_of_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.cart_items gone
    using public.cart_items c
    where c.variant_id = new.id and gone.variant_id is null
      and (gone.user_id, gone.product_name, gone.product_variant, gone.with_hooks)
        = (c.user_id, c.product_name, new.name, c.with_hooks);

    update public.cart_items c
    set product_variant = new.name, image_url = coalesce(nullif(new.image_url, ''), c.image_url)
    where c.variant_id = new.id;
    return null;
  end
  $$;

create trigger update_carts after update of name, image_url on public.product_variants
  for each row when ((old.name, old.image_url) is distinct from (new.name, new.image_url))
  execute function private.update_carts_of_variant();

-- A line whose variant was deleted follows the one that is made again under its name, for example by a save that replaces a colour.
-- Security definer: admins who add variants cannot write carts.
create or replace function private.link_carts_to_variant() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.cart_items c
    set variant_id = new.id,
      price = case when c.with_hooks then p.price_with_hooks else p.price end,
      image_url = coalesce(nullif(new.image_url, ''), p.image_url)
    from public.products p
    where p.id = new.product_id and c.variant_id is null
      and c.product_name = p.name and c.product_variant = new.name
      and (not c.with_hooks or p.price_with_hooks is not null);
    return null;
  end
  $$;

create trigger link_carts after insert on public.product_variants
  for each row execute function private.link_carts_to_variant();
