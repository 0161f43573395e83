-- A lure is edited like a sheet: words, prices and pictures of the lure, and a row for each colour, saved in one go, all of it or
-- nothing. The browser sends only what was changed, each cell with what stood there when the sheet was opened. A cell that
-- somebody else has changed since (the other brother, or a buyer who took the last one) refuses the save and is told, with
-- what stands there now; what the two changed side by side goes together.

-- Writes some columns of a row. `cells` is {"column": value}.
create function private.write_cells(target regclass, row_id uuid, cells jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    execute (
      select format('update %s set %s where id = $1', target,
        string_agg(format('%1$I = (jsonb_populate_record(null::%2$s, $2)).%1$I', cell, target), ', '))
      from jsonb_object_keys(cells) as cell
    ) using row_id, cells;
  end
  $$;

-- What is wrong with a cell, in a sentence for it. The rules are the tables' own constraints; here they get their words.
create function private.cell_problem(code text, broken text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when broken in ('name_taken') then 'Another lure has this name.'
      when broken in ('slug_taken') then 'Another lure has this address.'
      when broken in ('variant_name_taken', 'variant_slug_taken') then 'Another colour of this lure has this name.'
      when broken in ('sku_taken') then 'Another colour has this SKU.'
      when broken in ('malformed_slug') then 'Small letters, figures and single hyphens only.'
      when broken in ('malformed_name') then 'One line of 1 to 120 characters.'
      when broken in ('malformed_sku') then 'One line of 1 to 60 characters.'
      when broken in ('malformed_category', 'malformed_model') then 'One line of at most 60 characters.'
      when broken in ('malformed_hook_size') then 'One line of at most 40 characters.'
      when broken in ('description_too_long') then 'At most 5000 characters.'
      when broken in ('impossible_price', 'impossible_price_with_hooks') then 'Between R0 and R1 000 000.'
      when broken in ('negative_stock', 'impossible_stock') then 'A whole number from 0 to 1 000 000.'
      when broken in ('impossible_length') then 'Between 1 and 2000 mm.'
      when broken in ('impossible_weight') then 'Between 1 and 20 000 g.'
      when broken in ('impossible_threshold') then 'A whole number from 0 to 1000.'
      when broken in ('malformed_image_url', 'malformed_images', 'images_not_a_list') then 'A picture needs an address, and its words fit into one line of 300 characters.'
      when broken in ('malformed_image_alt') then 'One line of at most 300 characters.'
      when broken in ('unknown_status') then 'draft, live or hidden.'
      when code = '23502' then 'This cannot be empty.'
      when code in ('22P02', '22003') then 'This is not a possible figure.'
      else 'This is not possible here.'
    end
  $$;

-- Writes the cells of a row and answers what is wrong with which: {} when nothing is. Where something is wrong each cell is tried
-- alone to find it; what that leaves behind is undone by the refusal which must follow.
create function private.try_cells(target regclass, row_id uuid, cells jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    cell record;
    broken text;
    problems jsonb := '{}';
  begin
    if cells = '{}' then
      return '{}';
    end if;
    begin
      perform private.write_cells(target, row_id, cells);
      return '{}';
    exception when integrity_constraint_violation or data_exception then
      null;
    end;
    for cell in select key, value from jsonb_each(cells) loop
      begin
        perform private.write_cells(target, row_id, jsonb_build_object(cell.key, cell.value));
      exception when integrity_constraint_violation or data_exception then
        get stacked diagnostics broken = constraint_name;
        problems := problems || jsonb_build_object(cell.key, private.cell_problem(sqlstate, broken));
      end;
    end loop;
    return case when problems = '{}'
      then jsonb_build_object((select key from jsonb_each(cells) limit 1), private.cell_problem('', '')) else problems end;
  end
  $$;

-- Which of the changed cells no longer hold what the editor saw: {"column": what stands there now}.
create function private.cells_changed_since(standing jsonb, seen jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(was.key, standing -> was.key), '{}')
    from jsonb_each(seen) as was
    where standing -> was.key is distinct from was.value
  $$;

-- {"price": {"was": 110, "now": 120}} → {"price": 110} or {"price": 120}.
create function private.side_of(changes jsonb, side text) returns jsonb
  language sql immutable
  set search_path = ''
  as $$ select coalesce(jsonb_object_agg(key, value -> side), '{}') from jsonb_each(coalesce(changes, '{}')) $$;

create function private.require_columns(changes jsonb, allowed text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if coalesce(changes, '{}') - allowed <> '{}' then
      raise exception 'a sheet has no column for %', changes - allowed using errcode = '22023';
    end if;
  end
  $$;

-- What another editor or a buyer changed meanwhile, for all cells of a save: {"<row>": {"column": now}}; a colour that was removed
-- is {"<row>": null}.
create function private.sheet_conflicts(product public.products, changes jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(conflict.row_key, conflict.cells), '{}')
    from (
      select 'product' as row_key,
        private.cells_changed_since(to_jsonb(product), to_jsonb(jsonb_populate_record(product, private.side_of(changes -> 'product', 'was')))) as cells
      union all
      select changed.key, case when v.id is not null then private.cells_changed_since(to_jsonb(v), private.side_of(changed.value, 'was')) end
      from jsonb_each(coalesce(changes -> 'variants', '{}')) as changed
      left join public.product_variants v on v.id = changed.key::uuid and v.product_id = product.id
    ) as conflict
    where conflict.cells is distinct from '{}'
  $$;

-- One colour's part of a save; answers the problems of its cells.
create function private.add_variant(product_id uuid, cells jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    added uuid;
    broken text;
  begin
    insert into public.product_variants (product_id, name) values (add_variant.product_id, cells ->> 'name') returning id into added;
    return private.try_cells('public.product_variants', added, cells - 'name');
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('name', private.cell_problem(sqlstate, broken));
  end
  $$;

create function private.remove_variant(product_id uuid, variant_id uuid) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  begin
    if exists (select from public.stock_holds h where h.variant_id = remove_variant.variant_id and h.expires_at > now()) then
      return jsonb_build_object('name', 'Somebody is paying for this colour right now. Try again in half an hour.');
    end if;
    delete from public.product_variants v where v.id = remove_variant.variant_id and v.product_id = remove_variant.product_id;
    if not exists (select from public.product_variants v where v.product_id = remove_variant.product_id) then
      return jsonb_build_object('name', 'A lure has at least one colour.');
    end if;
    return '{}';
  end
  $$;

create function private.write_sheet(product_id uuid, changes jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    piece record;
    wrong jsonb := jsonb_build_object('product',
      private.try_cells('public.products', product_id, private.side_of(changes -> 'product', 'now')));
  begin
    for piece in select key, value from jsonb_each(coalesce(changes -> 'variants', '{}')) loop
      wrong := wrong || jsonb_build_object(piece.key,
        private.try_cells('public.product_variants', piece.key::uuid, private.side_of(piece.value, 'now')));
    end loop;
    for piece in select key, value from jsonb_each(coalesce(changes -> 'added', '{}')) loop
      wrong := wrong || jsonb_build_object(piece.key, private.add_variant(product_id, piece.value));
    end loop;
    for piece in select value as id from jsonb_array_elements_text(coalesce(changes -> 'removed', '[]')) loop
      wrong := wrong || jsonb_build_object(piece.id, private.remove_variant(product_id, piece.id::uuid));
    end loop;
    return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(wrong) where value <> '{}');
  end
  $$;

-- save_product(product, changes) with changes = {
--   "product":  {"price": {"was": 110, "now": 120}},
--   "variants": {"<id>": {"stock_quantity": {"was": 5, "now": 7}}},
--   "added":    {"<any key>": {"name": "Zebra", "sku": null, "stock_quantity": 3}},
--   "removed":  ["<id>"],
--   "order":    ["<name of a colour>", …]
-- }. A changed stock figure counts as counted. 409 product_changed and 422 invalid_product name row and column in the hint.
create function public.save_product(product_id uuid, changes jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    saved public.products;
    found_wrong jsonb;
    product_columns constant text[] := array['name', 'slug', 'description', 'category', 'price', 'price_with_hooks', 'model', 'length_mm',
      'weight_grams', 'hook_size', 'specs', 'images', 'made_to_order', 'status', 'publish_at', 'low_stock_at'];
    variant_columns constant text[] := array['name', 'sku', 'stock_quantity', 'image_url', 'image_alt'];
  begin
    perform private.require_admin();
    perform private.require_columns(changes -> 'product', product_columns);
    perform private.require_columns(part.value, variant_columns)
      from jsonb_each(coalesce(changes -> 'variants', '{}') || coalesce(changes -> 'added', '{}')) as part;

    -- The shelf before the lure, as a sale takes them.
    perform from public.product_variants v where v.product_id = save_product.product_id order by v.id for update;
    select * into saved from public.products p where p.id = save_product.product_id for update;
    if not found then
      perform private.refuse(404, 'product_not_found', 'There is no such product.');
    end if;

    found_wrong := private.sheet_conflicts(saved, changes);
    if found_wrong <> '{}' then
      perform private.refuse(409, 'product_changed', 'Somebody else has changed this product in the meantime.', found_wrong);
    end if;
    found_wrong := private.write_sheet(saved.id, changes);
    if found_wrong <> '{}' then
      perform private.refuse(422, 'invalid_product', 'Some cells cannot be saved as they are.', found_wrong);
    end if;
    update public.product_variants v set position = wanted.position
      from jsonb_array_elements_text(changes -> 'order') with ordinality as wanted (name, position)
      where v.product_id = saved.id and v.name = wanted.name and v.position <> wanted.position;
  end
  $$;
grant execute on function public.save_product(uuid, jsonb) to authenticated;
comment on function public.save_product(uuid, jsonb) is 'Saves the changed cells of a product and its colours, all or nothing.';
