-- The catalogue from a spreadsheet: a row for each colour, with its lure's columns repeated. First it is only judged, and each row
-- is told as new, changed, the same or wrong; the same call then writes it, all or nothing, if the catalogue is still what
-- was judged. A row finds its lure and colour by their addresses (the columns `lure` and `colour`); what the file does not
-- have stays as it is.

-- A row's part that belongs to a lure, and the part that belongs to a colour, under the tables' names.
create function private.lure_cells(file_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(file_row)
    where key in ('name', 'category', 'description', 'price', 'price_with_hooks', 'model', 'length_mm', 'weight_grams', 'hook_size',
      'made_to_order', 'status', 'low_stock_at')
  $$;
create function private.colour_cells(file_row jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(case key when 'colour_name' then 'name' else key end, value), '{}') from jsonb_each(file_row)
    where key in ('colour_name', 'sku', 'stock_quantity', 'image_url', 'image_alt')
  $$;
create function private.file_columns(cells jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(case key when 'name' then 'colour_name' else key end, value), '{}') from jsonb_each(cells)
  $$;

create function private.cells_that_differ(standing jsonb, wanted jsonb) returns jsonb
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(jsonb_object_agg(key, value), '{}') from jsonb_each(wanted)
    where coalesce(nullif(standing -> key, '""'), 'null') is distinct from coalesce(nullif(value, '""'), 'null')
  $$;

-- Makes the row's lure if it is not there, and writes what differs: {"problems": {…}, "changes": {column: [was, now]}, "id": …}.
create function private.import_lure(file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    standing public.products;
    wanted jsonb := private.lure_cells(file_row);
    broken text;
    is_new boolean := false;
  begin
    select * into standing from public.products p where p.slug = file_row ->> 'lure' for update;
    if not found then
      insert into public.products (slug, name, status)
        values (nullif(file_row ->> 'lure', ''), coalesce(file_row ->> 'name', ''), 'draft') returning * into standing;
      is_new := true;
    end if;
    wanted := private.cells_that_differ(to_jsonb(standing), wanted);
    return jsonb_build_object('id', standing.id, 'isNew', is_new,
      'problems', private.try_cells('public.products', standing.id, wanted),
      'changes', (select coalesce(jsonb_object_agg(key, jsonb_build_array(to_jsonb(standing) -> key, value)), '{}') from jsonb_each(wanted)));
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('changes', '{}'::jsonb, 'problems', jsonb_build_object(
      case when broken in ('malformed_slug', 'slug_taken') then 'lure' else 'name' end, private.cell_problem(sqlstate, broken)));
  end
  $$;

create function private.import_colour(product_id uuid, file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    standing public.product_variants;
    wanted jsonb := private.colour_cells(file_row);
    broken text;
    is_new boolean := false;
  begin
    select * into standing from public.product_variants v
      where v.product_id = import_colour.product_id and v.slug = file_row ->> 'colour';
    if not found then
      insert into public.product_variants (product_id, slug, name, position)
        values (import_colour.product_id, nullif(file_row ->> 'colour', ''), coalesce(wanted ->> 'name', ''),
          (select coalesce(max(v.position), 0) + 1 from public.product_variants v where v.product_id = import_colour.product_id))
        returning * into standing;
      is_new := true;
    end if;
    wanted := private.cells_that_differ(to_jsonb(standing), wanted);
    return jsonb_build_object('isNew', is_new,
      'problems', private.file_columns(private.try_cells('public.product_variants', standing.id, wanted)),
      'changes', private.file_columns((select coalesce(jsonb_object_agg(key, jsonb_build_array(to_jsonb(standing) -> key, value)), '{}') from jsonb_each(wanted))));
  exception when integrity_constraint_violation then
    get stacked diagnostics broken = constraint_name;
    return jsonb_build_object('changes', '{}'::jsonb, 'problems', jsonb_build_object(
      case when broken in ('malformed_slug', 'variant_slug_taken') then 'colour' else 'colour_name' end, private.cell_problem(sqlstate, broken)));
  end
  $$;

create function private.import_row(file_row jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    lure jsonb := private.import_lure(file_row);
    colour jsonb := '{"problems": {}, "changes": {}}';
    problems jsonb;
    changes jsonb;
  begin
    if lure ? 'id' then
      colour := private.import_colour((lure ->> 'id')::uuid, file_row);
    end if;
    problems := (lure -> 'problems') || (colour -> 'problems');
    changes := (lure -> 'changes') || (colour -> 'changes');
    return jsonb_build_object('problems', problems, 'changes', changes, 'outcome', case
      when problems <> '{}' then 'wrong'
      when (lure ->> 'isNew')::boolean or (colour ->> 'isNew')::boolean then 'new'
      when changes <> '{}' then 'changed'
      else 'same' end);
  end
  $$;

-- Writes every row and answers what became of each. Rows of one lure that disagree about it are wrong: the later one would win in
-- silence.
create function private.import_rows(file_rows jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    entry record;
    told jsonb;
    report jsonb := '[]';
    said jsonb := '{}';
    contradicted text[];
  begin
    for entry in select value as file_row from jsonb_array_elements(file_rows) with ordinality as r (value, number) order by number loop
      contradicted := array(
        select cell.key from jsonb_each(private.lure_cells(entry.file_row)) as cell
        where said -> (entry.file_row ->> 'lure') ? cell.key and said -> (entry.file_row ->> 'lure') -> cell.key <> cell.value);
      told := case when contradicted = '{}' then private.import_row(entry.file_row)
        else jsonb_build_object('outcome', 'wrong', 'changes', '{}'::jsonb, 'problems', (
          select jsonb_object_agg(cell, 'An earlier row says something else about this lure.') from unnest(contradicted) as cell)) end;
      said := jsonb_build_object(coalesce(entry.file_row ->> 'lure', ''), private.lure_cells(entry.file_row)) || said;
      report := report || jsonb_build_array(told);
    end loop;
    return report;
  end
  $$;

-- import_catalogue(rows) → a report for each row, with nothing written; import_catalogue(rows, judged) writes, if the report is still
-- `judged`. 409 catalogue_changed when it is not, 422 invalid_catalogue when a row is wrong, 422 too_many_rows beyond 2000.
create function public.import_catalogue(rows jsonb, judged jsonb default null) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    report jsonb;
  begin
    perform private.require_admin();
    if jsonb_typeof(rows) <> 'array' or jsonb_array_length(rows) not between 1 and 2000 then
      perform private.refuse(422, 'too_many_rows', 'A file has between 1 and 2000 rows.');
    end if;
    -- The shelf before the lures, as a sale takes them.
    perform from public.product_variants v order by v.id for update;
    begin
      report := private.import_rows(rows);
      if judged is null then
        -- What was tried is taken back; the report outlives it.
        raise exception using errcode = 'DRYRN';
      end if;
    exception when sqlstate 'DRYRN' then
      return report;
    end;
    if report @> '[{"outcome": "wrong"}]' then
      perform private.refuse(422, 'invalid_catalogue', 'Some rows are wrong. Nothing was written.', report);
    elsif report <> judged then
      perform private.refuse(409, 'catalogue_changed', 'The catalogue was changed in the meantime. Look at the rows again.', report);
    end if;
    return report;
  end
  $$;
grant execute on function public.import_catalogue(jsonb, jsonb) to authenticated;
comment on function public.import_catalogue(jsonb, jsonb) is 'Judges a file of the catalogue row by row, or writes it all.';
