-- Behind the Undo of a toast. A save that changed nothing has no entry, and an older one of the row is not meant.
create function public.my_last_change(table_name text, row_id text) returns bigint
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select c.id from public.changes c
      where c.table_name = my_last_change.table_name and c.row_id = my_last_change.row_id
        and c.actor_id = auth.uid() and c.changed_at > now() - interval '20 seconds'
      order by c.id desc limit 1);
  end
  $$;
comment on function public.my_last_change(text, text) is 'The entry of what the caller has just done to this row; null when nothing changed.';
grant execute on function public.my_last_change(text, text) to authenticated;
