-- A search term may be 200 characters long; the rest is ignored, as words after the sixteenth are. Normalising and splitting
-- a term takes time that grows with its length, so one call with a megabyte of letters would occupy a connection for
-- seconds. Every function that visitors search with reads its term through these three.
create function private.search_term(term text) returns text
  language sql immutable
  set search_path = ''
  as $$ select left(term, 200) $$;
comment on function private.search_term(text) is 'The part of a search term that counts: its first 200 characters.';

create or replace function private.search_conditions(term text) returns text[]
  language sql stable
  set search_path = ''
  as $$
    select coalesce(array_agg(private.word_condition(word)), '{false}')
    from unnest((private.words_of(private.search_term(term)))[1:16]) word
  $$;

create or replace function private.run_condition(term text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select format('t.run like %L', '%' || nullif(array_to_string(private.words_of(private.search_term(term)), ''), '') || '%')
  $$;

create or replace function private.query_of_lures_called(term text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    words text[] := private.words_of(private.search_term(term));
  begin
    return (
      select string_agg(format('select t.product_id from private.range_texts t where %s group by 1', condition), ' intersect ')
        || case when cardinality(words) > 1 or length(words[1]) <= 3
          then ' union select t.product_id from private.range_texts t where ' || private.run_condition(term) else '' end
      from unnest(private.search_conditions(term)) condition);
  end
  $$;
