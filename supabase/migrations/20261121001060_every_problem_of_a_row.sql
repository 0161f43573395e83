-- A row that contradicts an earlier one about its lure is judged in everything else as well: all that is wrong with a file is told at
-- once. Where an address is left empty it is made from the name, as everywhere else, so that rows of one new lure find each other.
create or replace function private.import_rows(file_rows jsonb) returns jsonb
  language plpgsql
  set search_path = ''
  as $$
  declare
    entry record;
    file_row jsonb;
    told jsonb;
    report jsonb := '[]';
    said jsonb := '{}';
    lure text;
    contradicted text[];
  begin
    for entry in select value from jsonb_array_elements(file_rows) with ordinality as r (value, number) order by number loop
      lure := coalesce(nullif(entry.value ->> 'lure', ''), private.slug_from(entry.value ->> 'name'));
      file_row := entry.value || jsonb_build_object('lure', lure, 'colour',
        coalesce(nullif(entry.value ->> 'colour', ''), private.slug_from(entry.value ->> 'colour_name')));
      contradicted := array(
        select cell.key from jsonb_each(private.lure_cells(file_row)) as cell
        where said -> lure ? cell.key and said -> lure -> cell.key <> cell.value);
      told := private.import_row(file_row - contradicted);
      if contradicted <> '{}' then
        told := told || jsonb_build_object('outcome', 'wrong', 'problems', told -> 'problems' || (
          select jsonb_object_agg(cell, 'An earlier row says something else about this lure.') from unnest(contradicted) as cell));
      end if;
      said := jsonb_build_object(lure, private.lure_cells(file_row)) || said;
      report := report || jsonb_build_array(told);
    end loop;
    return report;
  end
  $$;
