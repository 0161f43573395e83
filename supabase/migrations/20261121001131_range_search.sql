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
-- looked for inside words, a longer one also across the gap between two.
create function private.word_condition(word text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    pattern text := '%' || word || '%';
    is_found boolean := case when length(word) > 3
      then exists (select from private.range_texts t where t.run like pattern)
      else exists (select from private.range_texts t where t.words like pattern) end;
    spellings text[] := word || case when not is_found then array(select private.meant_by(word)) end;
  begin
    return format('t.%I ~ %L', case when length(word) > 3 then 'run' else 'words' end, array_to_string(spellings, '|'));
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

-- A lure is found when each word stands in its name, its kind or one of its colours.
create function private.lures_called(term text) returns uuid[]
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    found_ids uuid[];
  begin
    execute (
      select format('select array(%s union select t.product_id from private.range_texts t where %s)',
        string_agg('select t.product_id from private.range_texts t where ' || condition, ' intersect '), private.run_condition(term))
      from unnest(private.search_conditions(term)) condition
    ) into found_ids;
    return found_ids;
  end
  $$;

-- A page of the range: how many lures are wanted in all, and the ids of those from `skipped` on. It answers ids so that the rows
-- themselves are read as every other reader reads them.
create function public.find_lures(term text default '', kind text default null, length_mm int default null, weight_grams int default null,
    max_price numeric default null, in_stock boolean default false, skipped int default 0, at_most int default 24)
  returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    is_called boolean := btrim(term) <> '';
    called uuid[] := case when btrim(term) <> '' then private.lures_called(term) end;
  begin
    return (
      with held as (
        select h.variant_id, sum(h.quantity) as bodies from public.stock_holds h
        where find_lures.in_stock and h.expires_at > now() group by h.variant_id
      ), wanted as (
        select p.id, row_number() over (order by p.position, p.created_at desc, p.id) as place
        from public.products p
        where p.status = 'live'
          and (not is_called or p.id = any (called))
          and (find_lures.kind is null or private.kind_of(p.category) = find_lures.kind)
          and (find_lures.length_mm is null or p.length_mm = find_lures.length_mm)
          and (find_lures.weight_grams is null or p.weight_grams = find_lures.weight_grams)
          and (find_lures.max_price is null or p.price <= find_lures.max_price)
          and (not find_lures.in_stock or exists (
            select from public.product_variants v left join held on held.variant_id = v.id
            where v.product_id = p.id and v.stock_quantity > coalesce(held.bodies, 0)))
      )
      select jsonb_build_object(
        'count', count(*),
        'ids', coalesce(jsonb_agg(w.id order by w.place) filter (where w.place > skipped and w.place <= skipped + at_most), '[]'))
      from wanted w);
  end
  $$;
comment on function public.find_lures(text, text, int, int, numeric, boolean, int, int) is
  '{count, ids}: the live lures that answer a search and a filter, in the shop''s order, a page of them.';
grant execute on function public.find_lures(text, text, int, int, numeric, boolean, int, int) to anon, authenticated, service_role;

-- Answers while somebody types: lures first, then colours. Enough are looked at to choose from, not all that a common word finds.
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
      join public.products p on p.id = t.product_id and p.status = 'live'
      left join public.product_variants v on v.id = t.variant_id
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

-- What there is to choose between, and the kinds of lure in the order of the range. Read from one index, without the lures themselves.
create function public.range_choices() returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    with lures as (
      select private.kind_of(p.category) as kind, p.length_mm, p.weight_grams, p.price, p.position
      from public.products p where p.status = 'live'
    )
    select jsonb_build_object(
      'lures', (select count(*) from lures),
      'kinds', (
        select coalesce(jsonb_agg(to_jsonb(k) - 'place' order by k.place, k.kind), '[]')
        from (
          select l.kind, count(*) as lures, min(l.price) as from_price, min(l.position) as place,
            coalesce(array_agg(distinct l.length_mm) filter (where l.length_mm is not null), '{}') as lengths_mm
          from lures l group by l.kind) k),
      'lengths_mm', (select coalesce(jsonb_agg(distinct l.length_mm order by l.length_mm) filter (where l.length_mm is not null), '[]') from lures l),
      'weights_grams', (
        select coalesce(jsonb_agg(distinct l.weight_grams order by l.weight_grams) filter (where l.weight_grams is not null), '[]') from lures l),
      'prices', (select coalesce(jsonb_agg(distinct l.price order by l.price), '[]') from lures l))
  $$;
comment on function public.range_choices() is
  '{lures, kinds: [{kind, lures, from_price, lengths_mm}], lengths_mm, weights_grams, prices}: what the live lures differ in.';
grant execute on function public.range_choices() to anon, authenticated, service_role;
