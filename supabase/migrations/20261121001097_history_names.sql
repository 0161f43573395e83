-- The history calls the making and unmaking of an admin by the person, not by the role.
create or replace view public.history with (security_invoker = true) as
  select c.*,
    coalesce(author.full_name, author.email) as actor_name,
    case when c.table_name = 'user_roles' then coalesce(person.full_name, person.email)
      else coalesce(c.row_label, person.full_name, person.email)
    end as row_name,
    private.device_of(c.session_id) as device,
    private.is_reversible(c) as is_reversible,
    (select u.id from public.changes u where u.undoes = c.id order by u.id limit 1) as undone_by
  from public.changes c
  left join public.profiles author on author.id = c.actor_id
  left join public.profiles person on person.id = case c.table_name
    when 'profiles' then c.row_id::uuid
    when 'user_roles' then (coalesce(c.after, c.before) ->> 'user_id')::uuid
  end;
