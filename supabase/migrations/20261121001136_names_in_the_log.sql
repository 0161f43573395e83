-- Whom a change is about stands in it as text. Under row-level security a comparison with a cast may not use an index, because a cast that
-- fails could tell of rows one may not see; so the id is worked out first and handed to a function, which reads as its caller.
create function private.name_of(person uuid) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  begin
    return (select coalesce(p.full_name, p.email) from public.profiles p where p.id = person);
  end
  $$;
grant execute on function private.name_of(uuid) to authenticated, service_role;

create or replace view public.history with (security_invoker = true) as
  select c.*, names.actor_name, coalesce(case when c.table_name <> 'user_roles' then c.row_label end, names.person_name) as row_name,
    private.device_of(c.session_id) as device,
    private.is_reversible(c) as is_reversible,
    (select u.id from public.changes u where u.undoes = c.id order by u.id limit 1) as undone_by
  from public.changes c
  cross join lateral (
    select private.name_of(c.actor_id) as actor_name, private.name_of(case c.table_name
      when 'profiles' then c.row_id::uuid
      when 'user_roles' then (coalesce(c.after, c.before) ->> 'user_id')::uuid
    end) as person_name
  ) as names;
