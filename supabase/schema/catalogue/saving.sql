-- Saving a product with its variants: only changed cells, all or nothing, without overwriting others' changes.
--
-- A save carries the value that the editor saw and the new one for each cell. save_product() locks the variants and then the
-- product (the order of a sale), refuses when a cell holds neither that nor the new value, writes, and reports problems by cell. The
-- rules are the constraints of the tables; cell_error() has their texts. The import uses the same functions.

-- Writes cells and returns problems by column, {} when all are valid. After a failure each cell is tried alone to find the invalid
-- ones; the caller then refuses, which rolls these attempts back.
create or replace function private.validate_cells(target regclass, row_id uuid, cells jsonb) returns jsonb
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
      perform private.update_cells(target, row_id, cells);
      return '{}';
    exception when integrity_constraint_violation or data_exception then
      null;
    end;
    for cell in select key, value from jsonb_each(cells) loop
      begin
        perform private.update_cells(target, row_id, jsonb_build_object(cell.key, cell.value));
      exception when integrity_constraint_violation or data_exception then
        get stacked diagnostics broken = constraint_name;
        problems := problems || jsonb_build_object(cell.key, private.cell_error(sqlstate, broken));
      end;
    end loop;
    return case when problems = '{}'
      then jsonb_build_object((select key from jsonb_each(cells) limit 1), private.cell_error('', '')) else problems end;
  end
  $$;
comment on function private.validate_cells is 'Writes cells. Returns problems by column, {} for none.';

-- The cells that hold neither what the editor saw nor what the editor wants: {"column": present value}. A save whose response was
-- lost is sent again, and its cells hold what it wants.
create or replace function private.changed_cells(standing jsonb, seen jsonb, wanted jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(was.key, standing -> was.key), '{}')
    from jsonb_each(seen) as was
    where standing -> was.key is distinct from was.value and not private.is_same_cell(standing -> was.key, wanted -> was.key)
  $$;
comment on function private.changed_cells is 'Cells that hold neither what was seen nor what is wanted, with their present values.';

create or replace function private.is_moment(cell text) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select cell ~ '^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-][\d:]+)$' $$;
comment on function private.is_moment is 'Whether a text is a time with its offset from UTC. Null for null.';

-- The text of a time depends on the time zone of the database, which only an embedded one has from the shop.
create or replace function private.is_same_cell(one jsonb, other jsonb) returns boolean
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    if private.is_moment(one #>> '{}') and private.is_moment(other #>> '{}') then
      return (one #>> '{}')::timestamptz = (other #>> '{}')::timestamptz;
    end if;
    return one is not distinct from other;
  end
  $$;
comment on function private.is_same_cell is 'Whether two cells of a row as JSON hold one value, or one moment.';

-- {"price": {"was": 110, "now": 120}} → {"price": 110} or {"price": 120}.
create or replace function private.side_of(changes jsonb, side text) returns jsonb
  language sql immutable
  set search_path = ''
  as $$ select coalesce(jsonb_object_agg(key, value -> side), '{}') from jsonb_each(coalesce(changes, '{}')) $$;

-- update_cells() builds SQL from column names, so only known ones may pass.
create or replace function private.require_columns(changes jsonb, allowed text[]) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if coalesce(changes, '{}') - allowed <> '{}' then
      raise exception 'unknown columns in %', changes - allowed using errcode = '22023';
    end if;
  end
  $$;
comment on function private.require_columns is 'Raises 22023 for a column that is not in the list.';
comment on function private.side_of is 'The `was` or the `now` of each changed cell.';

-- All cells of a save that others changed meanwhile: {"<row>": {"column": present value}}; {"<row>": null} for a deleted variant.
create or replace function private.save_conflicts(product public.products, changes jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(conflict.row_key, conflict.cells), '{}')
    from (
      select 'product' as row_key,
        private.changed_cells(to_jsonb(product),
          to_jsonb(jsonb_populate_record(product, private.side_of(changes -> 'product', 'was'))),
          private.side_of(changes -> 'product', 'now')) as cells
      union all
      select changed.key, case when v.id is not null
        then private.changed_cells(to_jsonb(v), private.side_of(changed.value, 'was'), private.side_of(changed.value, 'now')) end
      from jsonb_each(coalesce(changes -> 'variants', '{}')) as changed
      left join public.product_variants v on v.id = changed.key::uuid and v.product_id = product.id
    ) as conflict
    where conflict.cells is distinct from '{}'
  $$;
comment on function private.save_conflicts is 'Cells of a save that others changed, by row.';

-- Writes columns of a row: {"column": value}. Names are quoted with %I. A launch without its offset would be read in the time zone of
-- the session, hours away from the time that an admin wrote.
create or replace function private.update_cells(target regclass, row_id uuid, cells jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not private.is_moment(cells ->> 'publish_at') then
      raise exception 'publish_at has no offset' using errcode = '22007';
    end if;
    execute (
      select format('update %s set %s where id = $1', target,
        string_agg(format('%1$I = (jsonb_populate_record(null::%2$s, $2)).%1$I', cell, target), ', '))
      from jsonb_object_keys(cells) as cell
    ) using row_id, cells;
  end
  $$;
comment on function private.update_cells is 'Writes columns of one row.';

-- The position of a new variant: after the last one.
create or replace function private.next_position(product_id uuid) returns int
  language sql stable
  set search_path = ''
  as $$
    select coalesce(max(v.position), 0) + 1 from public.product_variants v where v.product_id = next_position.product_id
  $$;
comment on function private.next_position is 'Position after a product''s last variant.';

-- Adds a variant with this id and returns the problems of its cells. Does nothing if an earlier save, whose response was lost, has added
-- it with the same cells.
create or replace function private.add_variant(product_id uuid, variant_id uuid, cells jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    broken text;
  begin
    if exists (
      select from public.product_variants v
      where v.id = add_variant.variant_id and v.product_id = add_variant.product_id
        and private.changed_cells(to_jsonb(v), cells, '{}') = '{}'
    ) then
      return '{}';
    end if;
    insert into public.product_variants (id, product_id, name, position)
      values (add_variant.variant_id, add_variant.product_id, cells ->> 'name', private.next_position(add_variant.product_id));
    return private.validate_cells('public.product_variants', add_variant.variant_id, cells - 'name');
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('name', private.cell_error(sqlstate, broken));
  end
  $$;
comment on function private.add_variant is 'Adds a variant. Returns problems by column.';

-- Refused while an order that is not shipped yet contains the variant. Returns problems like the others.
create or replace function private.remove_variant(product_id uuid, variant_id uuid) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    problem text := private.removal_problem(remove_variant.variant_id);
  begin
    if problem is not null then
      return jsonb_build_object('name', problem);
    end if;
    delete from public.product_variants v where v.id = remove_variant.variant_id and v.product_id = remove_variant.product_id;
    return '{}';
  end
  $$;
comment on function private.remove_variant is 'Deletes a variant. Returns problems by column.';

-- Two colours that exchange their names would each find the other's name taken, because rows are written one by one. A renamed colour
-- whose name another one gets first receives a temporary name without letters, which adds no words to the search. The rename is a
-- plain update, so that carts follow it; the history leaves it out (record_change reads the setting shop.freed_names).
create or replace function private.free_names(product_id uuid, variants jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    freed jsonb := (
      select jsonb_object_agg(hashtextextended(v.id::text, 0), v.name)
      from public.product_variants v
      where v.product_id = free_names.product_id and variants #>> array[v.id::text, 'name', 'now'] <> v.name
        and exists (select from jsonb_each(variants) as other where other.value #>> '{name,now}' = v.name));
  begin
    if freed is null then
      return;
    end if;
    perform set_config('shop.freed_names', freed::text, true);
    update public.product_variants v set name = f.temporary from jsonb_each_text(freed) as f (temporary, name)
      where v.product_id = free_names.product_id and v.name = f.name;
  end
  $$;
comment on function private.free_names is 'Gives temporary names to the variants of a save whose names other variants of it get.';

-- Writes all parts of a save and returns the problems by row. Removes first, because another colour may take the name.
create or replace function private.save_cells(product_id uuid, changes jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    piece record;
    wrong jsonb := jsonb_build_object('product',
      private.validate_cells('public.products', product_id, private.side_of(changes -> 'product', 'now')));
  begin
    for piece in select value as id from jsonb_array_elements_text(coalesce(changes -> 'removed', '[]')) loop
      wrong := wrong || jsonb_build_object(piece.id, private.remove_variant(product_id, piece.id::uuid));
    end loop;
    perform private.free_names(product_id, changes -> 'variants');
    for piece in select key, value from jsonb_each(coalesce(changes -> 'variants', '{}')) loop
      wrong := wrong || jsonb_build_object(piece.key,
        private.validate_cells('public.product_variants', piece.key::uuid, private.side_of(piece.value, 'now')));
    end loop;
    perform set_config('shop.freed_names', '', true);
    for piece in select key, value from jsonb_each(coalesce(changes -> 'added', '{}')) loop
      wrong := wrong || jsonb_build_object(piece.key, private.add_variant(product_id,
        case when piece.key ~ '^[0-9a-f-]{36}$' then piece.key::uuid else gen_random_uuid() end, piece.value));
    end loop;
    if changes -> 'removed' ->> -1 is not null
      and not exists (select from public.product_variants v where v.product_id = save_cells.product_id) then
      wrong := wrong || jsonb_build_object(changes -> 'removed' ->> -1, '{"name": "A lure needs at least one colour."}'::jsonb);
    end if;
    return (select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(wrong) where value <> '{}');
  end
  $$;
comment on function private.save_cells is 'Writes a whole save. Returns problems by row and column.';

-- `changes` is {
--   "product":  {"price": {"was": 110, "now": 120}},
--   "variants": {"<id>": {"stock_quantity": {"was": 5, "now": 7}}},
--   "added":    {"<any key; a UUID becomes the id>": {"name": "Zebra", "sku": null, "stock_quantity": 3}},
--   "removed":  ["<id>"],
--   "order":    ["<name of a colour>", …]
-- }. A changed stock figure is recorded as a count. The hints of product_changed and invalid_product name rows and columns.
create or replace function public.save_product(product_id uuid, changes jsonb) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    saved public.products;
    found_wrong jsonb;
  begin
    perform private.require_admin();
    perform private.require_columns(changes -> 'product', private.product_fields());
    perform private.require_columns(part.value, private.variant_fields())
      from jsonb_each(coalesce(changes -> 'variants', '{}') || coalesce(changes -> 'added', '{}')) as part;

    -- Variants before the product, as a sale locks them.
    perform from public.product_variants v where v.product_id = save_product.product_id order by v.id for update;
    select * into saved from public.products p where p.id = save_product.product_id for update;
    if not found then
      perform private.refuse(404, 'product_not_found', 'There is no such product.');
    end if;

    found_wrong := private.save_conflicts(saved, changes);
    if found_wrong <> '{}' then
      perform private.refuse(409, 'product_changed', 'Someone else has changed this product in the meantime.', found_wrong);
    end if;
    found_wrong := private.save_cells(saved.id, changes);
    if found_wrong <> '{}' then
      perform private.refuse(422, 'invalid_product', 'Some values are not valid.', found_wrong);
    end if;
    update public.product_variants v set position = wanted.position
      from jsonb_array_elements_text(changes -> 'order') with ordinality as wanted (name, position)
      where v.product_id = saved.id and v.name = wanted.name and v.position <> wanted.position;
  end
  $$;
comment on function public.save_product is 'Saves changed cells of a product and its variants, all or nothing. Admins only. Errors: product_not_found, product_changed, invalid_product.';
grant execute on function public.save_product to authenticated;
