-- The range again, for thousands of lures. A function that pins its search path is called anew for each row, so the name of the lures that have
-- no kind is asked for once; letters that stand in a row are looked for by LIKE, which takes an eighth of what a regular expression takes; and
-- of the lures that are wanted only those that are shown are put in order.
create or replace function private.word_condition(word text) returns text
  language plpgsql stable
  set search_path = ''
  -- Whether an index serves depends on the word.
  set plan_cache_mode = 'force_custom_plan'
  as $$
  declare
    pattern text := '%' || word || '%';
    is_found boolean := case when length(word) > 3
      then exists (select from private.range_texts t where t.run like pattern)
      else exists (select from private.range_texts t where t.words like pattern) end;
    spellings text[] := word || case when not is_found then array(select private.meant_by(word)) end;
  begin
    return (
      select '(' || string_agg(format('t.%I like %L', case when length(word) > 3 then 'run' else 'words' end, '%' || spelling || '%'), ' or ') || ')'
      from unnest(spellings) spelling);
  end
  $$;

-- The query for the lures of which each word stands in the name, the kind or one of the colours. One long word is looked for across the gap
-- between two anyway; several are also looked for written as one.
drop function private.lures_called(text);
create function private.query_of_lures_called(term text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    words text[] := private.words_of(term);
  begin
    return (
      select string_agg(format('select t.product_id from private.range_texts t where %s group by 1', condition), ' intersect ')
        || case when cardinality(words) > 1 or length(words[1]) <= 3
          then ' union select t.product_id from private.range_texts t where ' || private.run_condition(term) else '' end
      from unnest(private.search_conditions(term)) condition);
  end
  $$;

-- Planned for what is asked: a condition that nobody makes costs nothing then, and the planner knows how many lures a word finds.
create or replace function public.find_lures(term text default '', kind text default null, length_mm int default null, weight_grams int default null,
    max_price numeric default null, in_stock boolean default false, skipped int default 0, at_most int default 24)
  returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    found jsonb;
  begin
    execute format($query$
      with held as (
        select h.variant_id, sum(h.quantity) as bodies from public.stock_holds h where $5 and h.expires_at > now() group by h.variant_id
      ), wanted as materialized (
        select p.id, p.position, p.created_at
        from public.products p %s
        where p.status = 'live'
          and ($1 is null or coalesce(nullif(p.category, ''), private.kind_of(null)) = $1)
          and ($2 is null or p.length_mm = $2)
          and ($3 is null or p.weight_grams = $3)
          and ($4 is null or p.price <= $4)
          and (not $5 or exists (
            select from public.product_variants v left join held on held.variant_id = v.id
            where v.product_id = p.id and v.stock_quantity > coalesce(held.bodies, 0)))
      )
      select jsonb_build_object(
        'count', (select count(*) from wanted),
        'ids', to_jsonb(array(select w.id from wanted w order by w.position, w.created_at desc, w.id offset greatest($6, 0) limit greatest($7, 0))))
      $query$,
      case when btrim(term) <> '' then 'join (' || private.query_of_lures_called(term) || ') called on called.product_id = p.id' else '' end)
    into found using kind, length_mm, weight_grams, max_price, in_stock, skipped, at_most;
    return found;
  end
  $$;

-- What was found is looked up one by one: the planner, who takes a look into an index for a look at the disk, would read the whole range.
create or replace function public.suggest_lures(term text, at_most int default 40)
  returns table (slug text, name text, category text, colour_slug text, colour text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return query execute format($query$
      select p.slug, p.name, p.category, v.slug, v.name
      from (
        (select t.* from private.range_texts t where t.variant_id is null and (%1$s) limit 120)
        union all
        (select t.* from private.range_texts t where t.variant_id is not null and (%1$s) limit 120)
      ) as t
      cross join lateral (
        select p.slug, p.name, p.category, p.position, p.created_at from public.products p
        where p.id = t.product_id and p.status = 'live' offset 0) p
      left join lateral (
        select v.slug, v.name, v.position from public.product_variants v where v.id = t.variant_id offset 0) v on true
      order by t.variant_id is not null, p.position, p.created_at desc, v.position
      limit least($1, 100)
    $query$, array_to_string(private.search_conditions(term), ' and ') || ' or ' || private.run_condition(term)) using at_most;
  end
  $$;

create or replace function public.range_choices() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      with alike as materialized (
        select coalesce(nullif(p.category, ''), private.kind_of(null)) as kind, p.length_mm, p.weight_grams, p.price,
          count(*) as lures, min(p.position) as place
        from public.products p where p.status = 'live' group by p.category, p.length_mm, p.weight_grams, p.price
      )
      select jsonb_build_object(
        'lures', (select coalesce(sum(a.lures), 0) from alike a),
        'kinds', (
          select coalesce(jsonb_agg(to_jsonb(k) - 'place' order by k.place, k.kind), '[]')
          from (
            select a.kind, sum(a.lures) as lures, min(a.price) as from_price, min(a.place) as place,
              coalesce(array_agg(distinct a.length_mm) filter (where a.length_mm is not null), '{}') as lengths_mm
            from alike a group by a.kind) k),
        'lengths_mm', (select coalesce(jsonb_agg(distinct a.length_mm order by a.length_mm) filter (where a.length_mm is not null), '[]') from alike a),
        'weights_grams', (
          select coalesce(jsonb_agg(distinct a.weight_grams order by a.weight_grams) filter (where a.weight_grams is not null), '[]') from alike a),
        'prices', (select coalesce(jsonb_agg(distinct a.price order by a.price), '[]') from alike a)));
  end
  $$;
