-- Search of the catalogue, with tolerance for typing mistakes.
--
-- search_texts has a text for each product and each variant, normalised as in domain/search.ts (a test compares both). Each word
-- of a term becomes a LIKE condition; a word that occurs nowhere is replaced by similar words of search_words. Terms are cut to
-- 200 characters and 16 words. Conditions are built from letters and digits only and quoted with %L.
-- The functions are security definer, because the private tables are not granted; they return live and announced products only.

comment on table private.search_texts is 'Normalised text of each product (variant_id null) and each variant. Written by triggers.';
comment on column private.search_texts.words is 'Normalised words, separated by spaces.';
comment on column private.search_texts.run is 'The same words without spaces: redhead finds Red Head.';
comment on column private.search_texts.variant_id is 'Null for the text of the product itself.';
comment on column private.search_texts.product_id is 'The product of the text.';
comment on table private.search_words is 'Vocabulary for correcting typing mistakes.';
comment on column private.search_words.word is 'A word of the catalogue, or two neighbouring words written as one.';

-- SQL for the products in which every word occurs, in name, category or a variant; or all words written as one.
create or replace function private.product_name_query(term text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    words text[] := private.split_words(private.search_term(term));
  begin
    return (
      select string_agg(format('select t.product_id from private.search_texts t where %s group by 1', condition), ' intersect ')
        || case when cardinality(words) > 1 or length(words[1]) <= 3
          then ' union select t.product_id from private.search_texts t where ' || private.run_condition(term) else '' end
      from unnest(private.search_conditions(term)) condition);
  end
  $$;
comment on function private.product_name_query is 'SQL text: a query for the ids of the products that match a term.';

-- Not granted: triggers write both tables, the functions of this file read them. search_words also gets pairs of neighbouring words
-- written as one. Words are never removed: an extra correction finds nothing.
create or replace function private.update_search_text(product public.products, variant_id uuid, colour text) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    words text[] := private.split_words(concat_ws(' ', colour, product.name, product.category, case when colour is null then 'lure' end));
  begin
    insert into private.search_texts (product_id, variant_id, words, run)
    values (product.id, update_search_text.variant_id, array_to_string(words, ' '), array_to_string(words, ''))
    on conflict on constraint text_twice do update set words = excluded.words, run = excluded.run;

    insert into private.search_words (word)
    select word from unnest(words) word where word ~ '^[a-z]{3,}$'
    union
    select words[n] || words[n + 1] from generate_series(1, cardinality(words) - 1) n where words[n] || words[n + 1] ~ '^[a-z]{3,}$'
    on conflict do nothing;
  end
  $$;
comment on function private.update_search_text is
  'Writes the search text of a product (variant_id null) or variant, and its words.';

-- A product's name is part of the texts of its variants.
create or replace function private.update_product_search_texts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_search_text(new, null, null);
    perform private.update_search_text(new, v.id, v.name) from public.product_variants v where v.product_id = new.id;
    return null;
  end
  $$;
comment on function private.update_product_search_texts is 'Trigger: writes the texts of a product and its variants.';

create trigger update_search_texts after insert on public.products
  for each row execute function private.update_product_search_texts();
create trigger update_search_texts_on_rename after update of name, category on public.products
  for each row when (old.name <> new.name or old.category is distinct from new.category)
  execute function private.update_product_search_texts();

-- Also when a variant is renamed.
create or replace function private.update_variant_search_text() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.update_search_text(p, new.id, new.name) from public.products p where p.id = new.product_id;
    return null;
  end
  $$;
comment on function private.update_variant_search_text is 'Trigger: writes the text of a variant.';

create trigger update_search_text after insert on public.product_variants
  for each row execute function private.update_variant_search_text();
create trigger update_search_text_on_rename after update of name on public.product_variants
  for each row when (old.name <> new.name)
  execute function private.update_variant_search_text();

-- Numbers and words of up to three letters are not corrected: one change makes them a different word.
create or replace function private.max_edit_distance(word text) returns int
  language sql immutable
  set search_path = ''
  as $$ select case when word ~ '\d' or length(word) < 4 then 0 when length(word) < 8 then 1 else 2 end $$;

-- Words of the catalogue within the edit distance of a typed word. Swapping two neighbouring letters counts as one change, and
-- beginnings of words match too, because people search while typing.
create or replace function private.similar_words(typed text) returns setof text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    slips int := private.max_edit_distance(typed);
  begin
    return query
      with spellings (word, slips_left) as (
        select typed, slips
        union
        select overlay(typed placing reverse(substr(typed, n, 2)) from n for 2), slips - 1 from generate_series(1, length(typed) - 1) n
      ), near as (
        -- A cheap filter: a swap is two changes for levenshtein, so twice the distance loses no match.
        select v.word, left(v.word, length(typed)) as beginning from private.search_words v
        where slips > 0 and extensions.levenshtein_less_equal(left(v.word, length(typed)), typed, 2 * slips) <= 2 * slips
      )
      select distinct n.word from near n, spellings s
      where extensions.levenshtein_less_equal(n.word, s.word, s.slips_left) <= s.slips_left
        or extensions.levenshtein_less_equal(n.beginning, s.word, s.slips_left) <= s.slips_left;
  end
  $$;
comment on function private.similar_words is 'Words of the catalogue that a typed word may mean.';
comment on function private.max_edit_distance is 'Changes that a word may be corrected by: 0, 1 or 2.';

-- The condition for one word. Words of up to three letters match within words only; longer ones also across the gap between two.
-- LIKE takes an eighth of the time of a regular expression.
create or replace function private.word_condition(word text) returns text
  language plpgsql stable
  set search_path = ''
  -- A custom plan, because it depends on the word whether the trigram index helps.
  set plan_cache_mode = 'force_custom_plan'
  as $$
  declare
    pattern text := '%' || word || '%';
    is_found boolean := case when length(word) > 3
      then exists (select from private.search_texts t where t.run like pattern)
      else exists (select from private.search_texts t where t.words like pattern) end;
    spellings text[] := word || case when not is_found then array(select private.similar_words(word)) end;
  begin
    return (
      select '(' || string_agg(format('t.%I like %L', case when length(word) > 3 then 'run' else 'words' end, '%' || spelling || '%'), ' or ') || ')'
      from unnest(spellings) spelling);
  end
  $$;
comment on function private.word_condition is 'SQL text: the condition on search_texts for one word.';

-- One condition for each of the first sixteen words; `false` for a term without letters and digits.
create or replace function private.search_conditions(term text) returns text[]
  language sql stable
  set search_path = ''
  as $$
    select coalesce(array_agg(private.word_condition(word)), '{false}')
    from unnest((private.split_words(private.search_term(term)))[1:16]) word
  $$;
comment on function private.search_conditions is 'SQL texts: the conditions for the words of a term.';

-- A page of the catalogue. It returns ids; the page reads the rows under its own policies. Dynamic SQL gives each combination of
-- filters its own plan, so unused filters cost nothing. `kind` is the category; all amounts are rand.
create or replace function public.search_products(term text default '', kind text default null, length_mm int default null, weight_grams int default null,
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
        select h.variant_id, sum(h.quantity) as bodies from public.stock_reservations h where $5 and h.expires_at > now() group by h.variant_id
      ), wanted as materialized (
        select p.id, p.position, p.created_at
        from public.products p %s
        where p.status in ('live', 'announced')
          and ($1 is null or coalesce(nullif(p.category, ''), private.product_kind(null)) = $1)
          and ($2 is null or p.length_mm = $2)
          and ($3 is null or p.weight_grams = $3)
          and ($4 is null or p.price <= $4)
          and (not $5 or p.status = 'live' and exists (
            select from public.product_variants v left join held on held.variant_id = v.id
            where v.product_id = p.id and v.stock_quantity > coalesce(held.bodies, 0)))
      )
      select jsonb_build_object(
        'count', (select count(*) from wanted),
        'ids', to_jsonb(array(select w.id from wanted w order by w.position, w.created_at desc, w.id offset greatest($6, 0) limit greatest($7, 0))))
      $query$,
      case when btrim(term) <> '' then 'join (' || private.product_name_query(term) || ') called on called.product_id = p.id' else '' end)
    into found using kind, length_mm, weight_grams, max_price, in_stock, skipped, at_most;
    return found;
  end
  $$;
comment on function public.search_products is
  '{count, ids}: live and announced products that match a term and filters, in catalogue order, from `skipped`, at most `at_most`.';
grant execute on function public.search_products to anon, authenticated, service_role;

-- Suggestions while typing: products first, then variants. At most 120 matches of each are considered. `offset 0` keeps the look-ups
-- as index scans for these rows; the planner would otherwise read the whole table.
create or replace function public.suggest_products(term text, at_most int default 40)
  returns table (slug text, name text, category text, colour_slug text, colour text)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return query execute format($query$
      select p.slug, p.name, p.category, v.slug, v.name
      from (
        (select t.* from private.search_texts t where t.variant_id is null and (%1$s) limit 120)
        union all
        (select t.* from private.search_texts t where t.variant_id is not null and (%1$s) limit 120)
      ) as t
      cross join lateral (
        select p.slug, p.name, p.category, p.position, p.created_at from public.products p
        where p.id = t.product_id and p.status in ('live', 'announced') offset 0) p
      left join lateral (
        select v.slug, v.name, v.position from public.product_variants v where v.id = t.variant_id offset 0) v on true
      order by t.variant_id is not null, p.position, p.created_at desc, v.position, t.variant_id
      limit least($1, 100)
    $query$, array_to_string(private.search_conditions(term), ' and ') || ' or ' || private.run_condition(term)) using at_most;
  end
  $$;
comment on function public.suggest_products is
  'Suggestions for a search term: live and announced products, then their variants.';
grant execute on function public.suggest_products to anon, authenticated, service_role;

-- The category, or Others for products without one.
create or replace function private.product_kind(category text) returns text
  language sql immutable
  set search_path = ''
  as $$ select coalesce(nullif(category, ''), 'Others') $$;

-- The choices of the filter, read from one index without the rows. product_kind(null) is constant here, so it is evaluated once
-- instead of for each row.
create or replace function public.catalogue_filters() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    return (
      with alike as materialized (
        select coalesce(nullif(p.category, ''), private.product_kind(null)) as kind, p.length_mm, p.weight_grams, p.price,
          count(*) as lures, min(p.position) as place
        from public.products p where p.status in ('live', 'announced') group by p.category, p.length_mm, p.weight_grams, p.price
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
comment on function private.product_kind is 'Category, or Others.';
comment on function public.catalogue_filters is
  'Filter choices of the live and announced products: {lures, kinds: [{kind, lures, from_price, lengths_mm}], lengths_mm, weights_grams, prices}; prices in rand.';
grant execute on function public.catalogue_filters to anon, authenticated, service_role;

-- The condition for all words written as one.
create or replace function private.run_condition(term text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select format('t.run like %L', '%' || nullif(array_to_string(private.split_words(private.search_term(term)), ''), '') || '%')
  $$;
comment on function private.run_condition is 'SQL text: the condition for all words of a term written as one.';
