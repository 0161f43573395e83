-- "Every admin must have a second factor", as the database enforces it (decision 0012): while the switch is on, nobody is an admin in a
-- session that has not shown one. Whoever has none yet can still sign in and add one, so no admin is locked out for good.
create or replace function private.is_staff(user_id uuid, aal text) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select private.has_shown_factors(is_staff.user_id, is_staff.aal)
      and exists (select from public.user_roles r where r.user_id = is_staff.user_id and r.role = 'admin')
      and (coalesce(is_staff.aal, 'aal1') = 'aal2' or not (select s.requires_second_factor from public.shop_settings s))
  $$;

-- Only who has shown one may ask it of everybody: else the one who turns it on would be the first to stand outside.
create function private.guard_second_factor() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if auth.uid() is not null and coalesce(auth.jwt() ->> 'aal', 'aal1') <> 'aal2' then
      perform private.refuse(409, 'no_second_factor', 'Add a second step to your own sign-in first, then ask it of everybody.');
    end if;
    return new;
  end
  $$;
create trigger guard_second_factor before update on public.shop_settings
  for each row when (new.requires_second_factor and not old.requires_second_factor)
  execute function private.guard_second_factor();

-- The admin panel asks it before it says that there is nothing to see.
create function public.must_add_second_factor() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select exists (select from public.user_roles r where r.user_id = auth.uid() and r.role = 'admin')
      and not private.is_admin()
  $$;
comment on function public.must_add_second_factor() is 'Whether the caller would be an admin with a second factor shown.';
grant execute on function public.must_add_second_factor() to authenticated;
