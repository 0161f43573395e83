-- The range, read as far as it is shown: a page of it, what there is to choose between, and what answers a search. With three lures the
-- pages could read all of it; with three thousand they may not.
create extension if not exists pg_trgm with schema extensions;
create extension if not exists fuzzystrmatch with schema extensions;

create index products_choices_idx on public.products (category, length_mm, weight_grams, price, position) where status = 'live';

-- What a lure or a colour is found by, prepared as domain/search.ts prepares it (domain/search.database.test.ts holds the two together):
-- small letters without marks, one form for one and many.
create function private.words_of(searched text) returns text[]
  language sql immutable
  set search_path = ''
  as $$
    select coalesce(array_agg(case when length(word) > 3 and word like '%s' then left(word, -1) else word end order by n), '{}')
    from regexp_split_to_table(
      lower(regexp_replace(normalize(searched, nfd), '[\u0300-\u036f]', '', 'g')), '[^a-z0-9]+') with ordinality as w (word, n)
    where word <> ''
  $$;

create table private.range_texts (
  product_id uuid not null references public.products on delete cascade,
  variant_id uuid references public.product_variants on delete cascade,
  words      text not null,
  run        text not null,
  constraint text_twice unique nulls not distinct (product_id, variant_id)
);
comment on table private.range_texts is 'What each lure (variant_id null) and each colour is searched by; written by triggers.';
comment on column private.range_texts.words is 'Parted by spaces.';
comment on column private.range_texts.run is 'The same without spaces: redhead finds Red Head.';
create index range_texts_idx on private.range_texts using gin (words extensions.gin_trgm_ops, run extensions.gin_trgm_ops);
create index range_texts_variant_id_idx on private.range_texts (variant_id);
alter table private.range_texts enable row level security;
alter table private.range_texts force row level security;

-- Every word that ever stood in the range, and every two neighbours as one, for who types with a slip. It only grows: a word too many
-- finds nothing by itself.
create table private.range_vocabulary (word text primary key);
comment on table private.range_vocabulary is 'Words a slip may have been meant for.';
alter table private.range_vocabulary enable row level security;
alter table private.range_vocabulary force row level security;
-- NOTE: nothing is granted on either: triggers write, the functions below read.

create function private.write_range_text(product public.products, variant_id uuid, colour text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    words text[] := private.words_of(concat_ws(' ', colour, product.name, product.category, case when colour is null then 'lure' end));
  begin
    insert into private.range_texts (product_id, variant_id, words, run)
    values (product.id, write_range_text.variant_id, array_to_string(words, ' '), array_to_string(words, ''))
    on conflict on constraint text_twice do update set words = excluded.words, run = excluded.run;

    insert into private.range_vocabulary (word)
    select word from unnest(words) word where word ~ '^[a-z]{3,}$'
    union
    select words[n] || words[n + 1] from generate_series(1, cardinality(words) - 1) n where words[n] || words[n + 1] ~ '^[a-z]{3,}$'
    on conflict do nothing;
  end
  $$;

-- A lure's name stands in the texts of its colours as well.
create function private.write_lure_texts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.write_range_text(new, null, null);
    perform private.write_range_text(new, v.id, v.name) from public.product_variants v where v.product_id = new.id;
    return null;
  end
  $$;
create trigger write_range_texts after insert on public.products
  for each row execute function private.write_lure_texts();
create trigger rewrite_range_texts after update of name, category on public.products
  for each row when (old.name <> new.name or old.category is distinct from new.category)
  execute function private.write_lure_texts();

create function private.write_colour_text() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.write_range_text(p, new.id, new.name) from public.products p where p.id = new.product_id;
    return null;
  end
  $$;
create trigger write_range_text after insert on public.product_variants
  for each row execute function private.write_colour_text();
create trigger rewrite_range_text after update of name on public.product_variants
  for each row when (old.name <> new.name)
  execute function private.write_colour_text();

select private.write_range_text(p, null, null) from public.products p;
select private.write_range_text(p, v.id, v.name) from public.products p join public.product_variants v on v.product_id = p.id;

-- A figure with a slip in it is another figure, and three letters with one are another word.
create function private.allowed_slips(word text) returns int
  language sql immutable
  set search_path = ''
  as $$ select case when word ~ '\d' or length(word) < 4 then 0 when length(word) < 8 then 1 else 2 end $$;

-- What may have been meant by a word that stands nowhere in the range: words with a letter left out, added, swapped for another or with
-- its neighbour, and beginnings of words.
create function private.meant_by(typed text) returns setof text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    slips int := private.allowed_slips(typed);
  begin
    return query
      with spellings (word, slips_left) as (
        select typed, slips
        union
        select overlay(typed placing reverse(substr(typed, n, 2)) from n for 2), slips - 1 from generate_series(1, length(typed) - 1) n
      ), near as (
        -- Two neighbours swapped are two letters changed, so this lets through all that the exact question below can.
        select v.word, left(v.word, length(typed)) as beginning from private.range_vocabulary v
        where slips > 0 and extensions.levenshtein_less_equal(left(v.word, length(typed)), typed, 2 * slips) <= 2 * slips
      )
      select distinct n.word from near n, spellings s
      where extensions.levenshtein_less_equal(n.word, s.word, s.slips_left) <= s.slips_left
        or extensions.levenshtein_less_equal(n.beginning, s.word, s.slips_left) <= s.slips_left;
  end
  $$;

-- The condition on range_texts that a word makes. Words hold letters and figures only, so the pattern needs no escaping. A short word is
-- looked for inside words, a longer one also across the gap between two; by LIKE, which takes an eighth of what a regular expression takes.
create function private.word_condition(word text) returns text
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

-- The conditions of a search, one for each word. At most sixteen: nobody types more of a lure's name. What holds no letter or figure that
-- could stand here finds nothing.
create function private.search_conditions(term text) returns text[]
  language sql stable
  set search_path = ''
  as $$
    select coalesce(array_agg(private.word_condition(word)), '{false}') from unnest((private.words_of(term))[1:16]) word
  $$;

-- All words written as one, which is how some write a name of two.
create function private.run_condition(term text) returns text
  language sql immutable
  set search_path = ''
  as $$ select format('t.run like %L', '%' || nullif(array_to_string(private.words_of(term), ''), '') || '%') $$;

-- The query for the lures of which each word stands in the name, the kind or one of the colours. One long word is looked for across the gap
-- between two anyway; several are also looked for written as one.
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

-- A page of the range: how many lures are wanted in all, and the ids of those from `skipped` on. It answers ids so that the rows
-- themselves are read as every other reader reads them. Planned for what is asked: a condition that nobody makes costs nothing then, and the
-- planner knows how many lures a word finds; only those that are shown are put in order.
create function public.find_lures(term text default '', kind text default null, length_mm int default null, weight_grams int default null,
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
comment on function public.find_lures(text, text, int, int, numeric, boolean, int, int) is
  '{count, ids}: the live lures that answer a search and a filter, in the shop''s order, a page of them.';
grant execute on function public.find_lures(text, text, int, int, numeric, boolean, int, int) to anon, authenticated, service_role;

-- Answers while somebody types: lures first, then colours. Enough are looked at to choose from, not all that a common word finds. They are
-- looked up one by one: the planner, who takes a look into an index for a look at the disk, would read the whole range.
create function public.suggest_lures(term text, at_most int default 40)
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
comment on function public.suggest_lures(text, int) is 'Live lures and their colours that answer a search, for answers while somebody types.';
grant execute on function public.suggest_lures(text, int) to anon, authenticated, service_role;

create function private.kind_of(category text) returns text
  language sql immutable
  set search_path = ''
  as $$ select coalesce(nullif(category, ''), 'Others') $$;

-- What there is to choose between, and the kinds of lure in the order of the range. Read from one index, without the lures themselves. A
-- function that pins its search path is called anew for each row, so the name of the lures that have no kind is asked for once.
create function public.range_choices() returns jsonb
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
comment on function public.range_choices() is
  '{lures, kinds: [{kind, lures, from_price, lengths_mm}], lengths_mm, weights_grams, prices}: what the live lures differ in.';
grant execute on function public.range_choices() to anon, authenticated, service_role;
