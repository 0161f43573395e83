-- How each of the brothers likes a list: the views he has named, the columns he does without, and how close the rows stand. A row is its
-- owner's alone and follows him from the desk to the phone.
create table public.saved_views (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null default auth.uid() references auth.users on delete cascade,
  list       text not null constraint malformed_list check (list ~ '^[a-z_-]{1,40}$'),
  name       text not null constraint malformed_name check (private.is_line(name, 1, 40)),
  address    text not null constraint malformed_address check (private.is_line(address, 0, 500)),
  created_at timestamptz not null default now(),
  constraint view_named_twice unique (user_id, list, name)
);
comment on table public.saved_views is 'Searches and filters of a list of the admin area that somebody has given a name.';
comment on column public.saved_views.address is 'The query string of the list: ?status=new&province=Gauteng.';
alter table public.saved_views enable row level security;
alter table public.saved_views force row level security;

grant select, insert (list, name, address), delete on public.saved_views to authenticated;
create policy select_own on public.saved_views
  for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_admin()));
create policy insert_own on public.saved_views
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_admin()));
create policy delete_own on public.saved_views
  for delete to authenticated
  using (user_id = (select auth.uid()) and (select private.is_admin()));
create policy all_once_proven on public.saved_views as restrictive
  for all to authenticated using ((select private.is_proven()));
-- NOTE: no update: a view that is saved anew is another view.

create table public.list_settings (
  user_id        uuid not null default auth.uid() references auth.users on delete cascade,
  list           text not null constraint malformed_list check (list ~ '^[a-z_-]{1,40}$'),
  hidden_columns text[] not null default '{}' constraint too_many_columns check (cardinality(hidden_columns) <= 30),
  density        text not null default 'comfortable' constraint unknown_density check (density in ('comfortable', 'compact')),
  primary key (user_id, list)
);
comment on table public.list_settings is 'Which columns of a list somebody does without, and how close its rows stand.';
alter table public.list_settings enable row level security;
alter table public.list_settings force row level security;

grant select, insert (list, hidden_columns, density), update (list, hidden_columns, density) on public.list_settings to authenticated;
create policy select_own on public.list_settings
  for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_admin()));
create policy insert_own on public.list_settings
  for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_admin()));
create policy update_own on public.list_settings
  for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_admin()))
  with check (user_id = (select auth.uid()) and (select private.is_admin()));
create policy all_once_proven on public.list_settings as restrictive
  for all to authenticated using ((select private.is_proven()));
