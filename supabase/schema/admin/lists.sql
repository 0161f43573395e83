-- Personal settings of lists in the admin area. Staff read and write their own rows.

-- Not granted: update. A view is deleted and saved again.
comment on table public.saved_views is 'Named searches and filters of a list in the admin area.';
comment on column public.saved_views.address is 'The query string of the list: ?status=new&province=Gauteng.';
comment on column public.saved_views.list is 'The page of the list, such as orders.';
comment on column public.saved_views.user_id is 'The person who saved the view.';
comment on column public.saved_views.name is 'As shown in the menu of the list. Unique for the person and list.';
grant select, delete on public.saved_views to authenticated;
grant insert (list, name, address) on public.saved_views to authenticated;

create policy select_own on public.saved_views for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_staff()));

create policy insert_own on public.saved_views for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_staff()));

create policy delete_own on public.saved_views for delete to authenticated
  using (user_id = (select auth.uid()) and (select private.is_staff()));

create policy all_with_aal2 on public.saved_views as restrictive for all to authenticated
  using ((select private.has_aal2()));

-- Not granted: delete. The defaults are written instead.
comment on table public.list_settings is 'Hidden columns and row density of a list, for each person.';
comment on column public.list_settings.list is 'The page of the list, such as orders.';
comment on column public.list_settings.hidden_columns is 'Keys of the columns that are switched off.';
comment on column public.list_settings.density is 'comfortable or compact.';
comment on column public.list_settings.user_id is 'The person whose settings these are.';
grant select on public.list_settings to authenticated;
grant insert (list, hidden_columns, density) on public.list_settings to authenticated;
grant update (list, hidden_columns, density) on public.list_settings to authenticated;

create policy select_own on public.list_settings for select to authenticated
  using (user_id = (select auth.uid()) and (select private.is_staff()));

create policy insert_own on public.list_settings for insert to authenticated
  with check (user_id = (select auth.uid()) and (select private.is_staff()));

create policy update_own on public.list_settings for update to authenticated
  using (user_id = (select auth.uid()) and (select private.is_staff()))
  with check (user_id = (select auth.uid()) and (select private.is_staff()));

create policy all_with_aal2 on public.list_settings as restrictive for all to authenticated
  using ((select private.has_aal2()));
