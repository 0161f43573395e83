-- Whoever has set up a second factor has shown it before the database answers: a stolen password alone opens neither
-- orders nor addresses, and least of all the admin area. The token says how far the session is proven (aal); what the account
-- asks for stands in auth.mfa_factors.
create function private.has_shown_factors(user_id uuid, aal text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(has_shown_factors.aal, 'aal1') = 'aal2' or not exists (
      select from auth.mfa_factors f where f.user_id = has_shown_factors.user_id and f.status = 'verified')
  $$;
comment on function private.has_shown_factors(uuid, text) is
  'Whether a session of this assurance level is as proven as its account asks for.';

create function private.is_proven() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select private.has_shown_factors((select auth.uid()), (select auth.jwt()) ->> 'aal') $$;
comment on function private.is_proven() is 'Whether the caller''s session has shown the second factor, where there is one.';
grant execute on function private.is_proven() to anon, authenticated, service_role;

create function private.is_staff(user_id uuid, aal text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.has_shown_factors(is_staff.user_id, is_staff.aal)
      and exists (select from public.user_roles r where r.user_id = is_staff.user_id and r.role = 'admin')
  $$;
comment on function private.is_staff(uuid, text) is 'The question of private.is_admin(), for callers that hold the claims themselves.';

create or replace function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select private.is_staff((select auth.uid()), (select auth.jwt()) ->> 'aal') $$;
comment on function private.is_admin() is 'Whether the caller is staff, as of this statement, and has shown the second factor if there is one.';

-- Restrictive: these narrow what the other policies allow and open nothing.
create policy all_once_proven on public.cart_items as restrictive
  for all to authenticated using ((select private.is_proven()));
create policy all_once_proven on public.marketing_consents as restrictive
  for all to authenticated using ((select private.is_proven()));
create policy all_once_proven on public.order_items as restrictive
  for all to authenticated using ((select private.is_proven()));
create policy all_once_proven on public.orders as restrictive
  for all to authenticated using ((select private.is_proven()));
create policy all_once_proven on public.profiles as restrictive
  for all to authenticated using ((select private.is_proven()));
create policy all_once_proven on public.user_roles as restrictive
  for all to authenticated using ((select private.is_proven()));

-- place_order() writes as its owner, past the policies.
create function private.refuse_unproven_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and not private.is_proven() then
      raise exception 'the second factor has not been shown' using errcode = '42501';
    end if;
    return new;
  end
  $$;
create trigger refuse_unproven_order before insert on public.orders
  for each row execute function private.refuse_unproven_order();
