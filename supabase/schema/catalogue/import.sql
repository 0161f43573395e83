-- Import of the catalogue from a file, in two calls: a report that changes nothing, then the same rows with that report.
--
-- Each row names a variant and its product by their slugs. The first call writes inside a subtransaction and rolls it back, so the
-- report is exactly what writing would do. The second call refuses if the report is no longer the same. Rows and columns are
-- validated as when saving a product. A row may say what the stock was when the file was made (`exported_stock`); then it changes
-- only a stock that was edited.

-- The cells of a row that belong to the product, and those of the variant, under the names of the tables.
create or replace function private.product_cells(file_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(file_row)
    where key = any (private.product_fields())
  $$;

create or replace function private.variant_cells(file_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(field, value), '{}')
    from jsonb_each(file_row - 'name') cross join lateral (select case key when 'colour_name' then 'name' else key end) as cell (field)
    where field = any (private.variant_fields())
  $$;

-- Back from the names of the table to those of the file.
create or replace function private.import_columns(cells jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(case key when 'name' then 'colour_name' else key end, value), '{}') from jsonb_each(cells)
  $$;

-- The cells of a row that change anything. An empty text equals null.
create or replace function private.different_cells(standing jsonb, wanted jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(wanted)
    where not private.is_same_cell(coalesce(nullif(standing -> key, '""'), 'null'), coalesce(nullif(value, '""'), 'null'))
  $$;

-- Creates the product of a row if it does not exist, and writes the cells that differ. Returns {id, isNew, problems, changes:
-- {column: [was, now]}}.
create or replace function private.import_product(file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    existing public.products;
    cells jsonb := private.product_cells(file_row);
    problems jsonb;
    broken text;
    is_new boolean := false;
  begin
    select * into existing from public.products p where p.slug = file_row ->> 'lure' for update;
    if not found then
      insert into public.products (slug, name, status)
        values (nullif(file_row ->> 'lure', ''), coalesce(file_row ->> 'name', ''), 'draft') returning * into existing;
      is_new := true;
    end if;
    cells := private.different_cells(to_jsonb(existing), cells);
    problems := private.validate_cells('public.products', existing.id, cells);
    -- Hiding ends the launch, but the file still has it: the next import would set it again, which is right only for a new launch.
    if cells ->> 'status' = 'hidden' and existing.publish_at is not null
      and file_row ->> 'publish_at' is not null and not cells ? 'publish_at' then
      problems := problems || '{"publish_at": "Empty Launch, or it goes on sale again then."}';
    end if;
    -- The status may have ended the launch (clear_publish_time).
    select cells || private.different_cells(to_jsonb(existing), jsonb_build_object('publish_at', p.publish_at)) into cells
      from public.products p where p.id = existing.id;
    return jsonb_build_object('id', existing.id, 'isNew', is_new, 'problems', problems,
      'changes', (select coalesce(jsonb_object_agg(key, jsonb_build_array(to_jsonb(existing) -> key, value)), '{}') from jsonb_each(cells)));
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('changes', '{}'::jsonb, 'problems', jsonb_build_object(
      case when broken in ('malformed_slug', 'slug_taken') then 'lure' else 'name' end, private.cell_error(sqlstate, broken)));
  end
  $$;

-- A file has the stock of the moment when it was made. Writing that figure again would put back what was sold since, so an edited
-- figure is accepted only while the present stock is the exported one (or already the edited one).
create or replace function private.stock_problems(present_stock int, file_row jsonb) returns jsonb
  language sql stable
  set search_path = ''
  as $$
    select case
      when jsonb_typeof(file_row -> 'exported_stock') <> 'number' then
        jsonb_build_object('exported_stock', private.cell_error('22P02', ''))
      when jsonb_typeof(file_row -> 'stock_quantity') = 'number' and file_row -> 'stock_quantity' <> file_row -> 'exported_stock'
        and to_jsonb(present_stock) not in (file_row -> 'stock_quantity', file_row -> 'exported_stock') then
        jsonb_build_object('stock_quantity',
          'Stock was ' || (file_row ->> 'exported_stock') || ' in the file and is ' || present_stock || ' now.')
      else '{}' end
  $$;
comment on function private.stock_problems is 'Problems by column of a row that says what the stock was when the file was made.';

-- The same for the variant, at the end of the product's order. A new variant had no stock when the file was made: its row has the
-- exported stock of the row that it was copied from, if any.
create or replace function private.import_variant(product_id uuid, file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    existing public.product_variants;
    cells jsonb := private.variant_cells(file_row);
    stock_problems jsonb := '{}';
    broken text;
    is_new boolean := false;
  begin
    select * into existing from public.product_variants v
      where v.product_id = import_variant.product_id and v.slug = file_row ->> 'colour';
    if not found then
      insert into public.product_variants (product_id, slug, name, position)
        values (import_variant.product_id, nullif(file_row ->> 'colour', ''), coalesce(cells ->> 'name', ''),
          private.next_position(import_variant.product_id))
        returning * into existing;
      is_new := true;
    elsif file_row ->> 'exported_stock' is not null then
      stock_problems := private.stock_problems(existing.stock_quantity, file_row);
      if stock_problems <> '{}' or file_row -> 'stock_quantity' = file_row -> 'exported_stock' then
        cells := cells - 'stock_quantity';
      end if;
    end if;
    cells := private.different_cells(to_jsonb(existing), cells);
    return jsonb_build_object('id', existing.id, 'isNew', is_new,
      'problems', private.import_columns(private.validate_cells('public.product_variants', existing.id, cells)) || stock_problems,
      'changes', private.import_columns((select coalesce(jsonb_object_agg(key, jsonb_build_array(to_jsonb(existing) -> key, value)), '{}') from jsonb_each(cells))));
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('changes', '{}'::jsonb, 'problems', jsonb_build_object(
      case when broken in ('malformed_slug', 'variant_slug_taken') then 'colour' else 'colour_name' end, private.cell_error(sqlstate, broken)));
  end
  $$;

-- The report of a row: {problems, changes, outcome: wrong, new, changed or same}, and the id of its variant, null if there is none.
create or replace function private.import_row(file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    lure jsonb := private.import_product(file_row);
    colour jsonb := '{"problems": {}, "changes": {}}';
    problems jsonb;
    changes jsonb;
  begin
    if lure ? 'id' then
      colour := private.import_variant((lure ->> 'id')::uuid, file_row);
    end if;
    problems := (lure -> 'problems') || (colour -> 'problems');
    changes := (lure -> 'changes') || (colour -> 'changes');
    return jsonb_build_object('variant', colour -> 'id', 'problems', problems, 'changes', changes, 'outcome', case
      when problems <> '{}' then 'wrong'
      when (lure ->> 'isNew')::boolean or (colour ->> 'isNew')::boolean then 'new'
      when changes <> '{}' then 'changed'
      else 'same' end);
  end
  $$;
comment on function private.import_row is 'Imports one row. Returns its report with the id of its variant.';

-- Without `judged` it is a dry run. With a report as `judged` it writes, unless the report has changed since.
create or replace function public.import_catalogue(rows jsonb, judged jsonb default null) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    report jsonb;
  begin
    perform private.require_admin();
    if jsonb_typeof(rows) <> 'array' or jsonb_array_length(rows) not between 1 and 2000 then
      perform private.refuse(422, 'too_many_rows', 'A file must have between 1 and 2000 rows.');
    end if;
    -- Variants before products, each by id, as a sale locks them.
    perform from public.product_variants v order by v.id for update;
    perform from public.products p order by p.id for update;
    begin
      report := private.import_rows(rows);
      if judged is null then
        -- Rolls back everything but the variable.
        raise exception using errcode = 'DRYRN';
      end if;
    exception when sqlstate 'DRYRN' then
      return report;
    end;
    if report @> '[{"outcome": "wrong"}]' then
      perform private.refuse(422, 'invalid_catalogue', 'Some rows have errors. Nothing was saved.', report);
    elsif report <> judged then
      perform private.refuse(409, 'catalogue_changed', 'The catalogue has changed in the meantime. Please check the rows again.', report);
    end if;
    return report;
  end
  $$;
comment on function public.import_catalogue is 'Reports on the rows of a catalogue file, or writes all of them. Admins only. Errors: too_many_rows (over 2000), invalid_catalogue, catalogue_changed.';
grant execute on function public.import_catalogue to authenticated;

-- The columns of a row whose cells differ from those of an earlier row.
create or replace function private.contradicting_cells(earlier jsonb, cells jsonb) returns text[]
  language sql immutable
  set search_path = ''
  as $$
    select array(
      select cell.key from jsonb_each(cells) as cell
      where earlier ? cell.key and earlier -> cell.key <> cell.value)
  $$;

create or replace function private.same_problem(columns text[], problem text) returns jsonb
  language sql immutable
  set search_path = ''
  as $$ select coalesce(jsonb_object_agg(name, problem), '{}') from unnest(columns) as name $$;
comment on function private.same_problem is 'One problem for each of these columns.';

-- Processes all rows in order. A row without slugs is about the product and the variant of its names, so that rows of one new product
-- find each other; a slug that was made from a former name would find another one. A cell that contradicts an earlier row about the
-- same product or variant is a problem: otherwise a copied row with the address of the first would rename its colour, also in carts.
-- The rest of the row is still checked, so that one report lists everything wrong with a file. Only a product's first row sets its
-- launch: if that row hides the product, which ends the launch, the next one would set it again.
create or replace function private.import_rows(file_rows jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    entry record;
    file_row jsonb;
    row_report jsonb;
    report jsonb := '[]';
    earlier_cells jsonb := '{}';
    -- The slug of the row's product; for a new one without a slug, the one of its name, marked as new.
    lure text;
    made text;
    -- By row.
    variants uuid[] := '{}';
    variant uuid;
    earlier_row jsonb;
    contradicted text[];
    contradicted_of_variant text[];
  begin
    for entry in select value from jsonb_array_elements(file_rows) with ordinality as r (value, number) order by number loop
      file_row := entry.value || jsonb_build_object('lure', coalesce(nullif(entry.value ->> 'lure', ''), (
        select p.slug from public.products p where private.slug_from(p.name) = private.slug_from(entry.value ->> 'name')
        order by p.name <> entry.value ->> 'name', p.slug limit 1)));
      file_row := file_row || jsonb_build_object('colour', coalesce(nullif(entry.value ->> 'colour', ''), (
        select v.slug from public.product_variants v join public.products p on p.id = v.product_id
        where p.slug = file_row ->> 'lure' and private.slug_from(v.name) = private.slug_from(entry.value ->> 'colour_name')
        order by v.name <> entry.value ->> 'colour_name', v.slug limit 1)));
      lure := coalesce(file_row ->> 'lure', 'new ' || private.slug_from(entry.value ->> 'name'));
      variant := (
        select v.id from public.product_variants v join public.products p on p.id = v.product_id
        where p.slug = file_row ->> 'lure' and v.slug = file_row ->> 'colour');
      earlier_row := case when variant is not null then file_rows -> array_position(variants, variant) - 1 end;
      contradicted := private.contradicting_cells(earlier_cells -> lure, private.product_cells(file_row));
      contradicted_of_variant := private.contradicting_cells(
        private.import_columns(private.variant_cells(earlier_row)), private.import_columns(private.variant_cells(file_row)));
      row_report := private.import_row(
        file_row - contradicted - contradicted_of_variant - case when earlier_cells ? lure then 'publish_at' else '' end);
      if contradicted || contradicted_of_variant <> '{}' then
        row_report := row_report || jsonb_build_object('outcome', 'wrong', 'problems', row_report -> 'problems'
          || private.same_problem(contradicted, 'An earlier row has a different value for this lure.')
          || private.same_problem(contradicted_of_variant, 'An earlier row has a different value for this colour.'));
      end if;
      earlier_cells := jsonb_build_object(lure, private.product_cells(file_row)) || earlier_cells;
      -- The next row of a product that this one has made finds it by name.
      made := (
        select p.slug from public.product_variants v join public.products p on p.id = v.product_id
        where v.id = (row_report ->> 'variant')::uuid);
      if made <> lure then
        earlier_cells := jsonb_build_object(made, private.product_cells(file_row)) || earlier_cells;
      end if;
      variants := variants || (row_report ->> 'variant')::uuid;
      report := report || jsonb_build_array(row_report - 'variant');
    end loop;
    return report;
  end
  $$;
comment on function private.import_rows is 'Imports rows in order. Returns a report for each.';
