-- Who is staff. A row with role `admin` opens the admin area; everybody else has the row `customer`. The browser asks
-- for its own row only, and policies everywhere ask private.is_admin(), so a revoked admin is out with the next request.
create table public.user_roles (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  role       text not null constraint unknown_role check (role in ('admin', 'customer')),
  created_at timestamptz not null default now(),
  constraint same_role_twice unique (user_id, role)
);
comment on table public.user_roles is 'What a user may be: customer, admin.';
alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;

create function private.is_admin() returns boolean
  language sql stable security definer
  set search_path = ''
  as $$ select exists (select from public.user_roles where user_id = (select auth.uid()) and role = 'admin') $$;
comment on function private.is_admin() is 'Whether the caller is staff, as of this statement.';
grant execute on function private.is_admin() to anon, authenticated, service_role;

grant select on public.user_roles to authenticated;
grant select, insert, update, delete on public.user_roles to service_role;
create policy select_own on public.user_roles
  for select to authenticated
  using (user_id = (select auth.uid()));
-- NOTE: nobody who is signed in may write roles, not even an admin: `npm run admin -- grant` does, on the server.

-- The customer's name, phone and address. The row comes with the account and its e-mail follows the account's.
create table public.profiles (
  id         uuid primary key references auth.users on delete cascade,
  email      text constraint malformed_email check (private.is_email(email)),
  full_name  text constraint malformed_full_name check (private.is_line(full_name, 0, 100)),
  phone      text constraint malformed_phone check (private.is_line(phone, 0, 20)),
  address    text constraint malformed_address check (private.is_line(address, 0, 200)),
  city       text constraint malformed_city check (private.is_line(city, 0, 50)),
  state      text constraint malformed_state check (private.is_line(state, 0, 50)),
  zip_code   text constraint malformed_zip_code check (private.is_line(zip_code, 0, 10)),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table public.profiles is 'One row for each account: how to reach the customer and where to send.';
comment on column public.profiles.email is 'The account''s address; changed there, never here.';
create index profiles_created_at_idx on public.profiles (created_at desc);
create trigger touch_updated_at before update on public.profiles
  for each row execute function private.touch_updated_at();
alter table public.profiles enable row level security;
alter table public.profiles force row level security;

grant select, update (full_name, phone, address, city, state, zip_code) on public.profiles to authenticated, service_role;
create policy select_own on public.profiles
  for select to authenticated
  using (id = (select auth.uid()));
create policy select_as_admin on public.profiles
  for select to authenticated
  using ((select private.is_admin()));
create policy update_own on public.profiles
  for update to authenticated
  using (id = (select auth.uid())) with check (id = (select auth.uid()));
create policy update_as_admin on public.profiles
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
-- NOTE: insert and delete are not granted: a profile lives and dies with its account. Update of email is not granted either.

-- A new account brings its profile and its role with it, in the sign-up's own transaction. Nothing a person writes into
-- the sign-up's metadata may make the sign-up fail, so the name is cut to what the profile holds.
create function private.welcome_user() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.profiles (id, email, full_name)
    values (
      new.id,
      case when private.is_email(new.email) then new.email end,
      nullif(btrim(left(regexp_replace(coalesce(new.raw_user_meta_data ->> 'full_name', ''), '[[:cntrl:]]', ' ', 'g'), 100)), '')
    );
    insert into public.user_roles (user_id, role) values (new.id, 'customer');
    return null;
  end
  $$;
create trigger welcome_user after insert on auth.users
  for each row execute function private.welcome_user();

create function private.follow_account_email() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update public.profiles set email = case when private.is_email(new.email) then new.email end where id = new.id;
    return null;
  end
  $$;
create trigger follow_account_email after update of email on auth.users
  for each row when (old.email is distinct from new.email)
  execute function private.follow_account_email();
