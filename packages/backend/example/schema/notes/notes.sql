-- Everyone reads and writes only their own notes.
grant select, insert on public.notes to authenticated;

create policy own_notes on public.notes to authenticated using (author = auth.uid());

create or replace function public.count_notes() returns bigint
  language sql stable
  set search_path = ''
as $$
  select count(*) from public.notes
$$;

grant execute on function public.count_notes to authenticated;
