-- Staff accounts are not clients: the clients list, its search and the dashboard's Total Clients leave them out. user_roles is readable to
-- its owner only, so the ids come from a function; it is evaluated once per statement and answers admins alone.
create function private.staff_ids() returns uuid[]
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    if not private.is_admin() then
      return '{}';
    end if;
    return array(select distinct r.user_id from public.user_roles r where r.role in ('admin', 'helper'));
  end
  $$;
comment on function private.staff_ids() is 'The accounts of admins and helpers, for an admin; empty for everybody else.';
grant execute on function private.staff_ids() to authenticated;

create view public.clients with (security_invoker = true) as
  select p.* from public.profiles p
  where p.id <> all ((select private.staff_ids())::uuid[]) and (select private.is_admin());
comment on view public.clients is 'The profiles of customers, for admins: every account without a role in the shop.';
grant select on public.clients to authenticated;

create or replace function public.search_clients(term text, at_most int default 1000) returns setof public.profiles
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted text := lower(btrim(term));
    digits text := regexp_replace(wanted, '\D', '', 'g');
    typed_phone text := case when length(digits) >= 9 then private.normal_phone(wanted) end;
    typed_email text := case when private.is_email(wanted) then private.normal_email(wanted) end;
    staff uuid[] := private.staff_ids();
  begin
    perform private.require_admin();
    if typed_email is not null then
      return query select * from public.profiles p
        where private.normal_email(p.email) = typed_email and p.id <> all (staff) order by p.created_at desc limit at_most;
      if found then
        return;
      end if;
    end if;
    return query
      select * from public.profiles p
      where p.id in (
        select w.id from public.profiles w where private.client_words(w) like '%' || private.like_pattern(wanted) || '%'
        union select n.id from public.profiles n where private.normal_phone(n.phone) = typed_phone
        union select d.id from public.profiles d
          where private.client_words(d) like case when length(digits) >= 9 then '%' || right(digits, 9) || '%' end)
        and p.id <> all (staff)
      order by p.created_at desc limit at_most;
  end
  $$;
