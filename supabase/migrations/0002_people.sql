-- People: accounts and their roles.

-- One row for each account. Triggers on auth.users create it and keep its e-mail address current.
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
alter table public.profiles enable row level security;
alter table public.profiles force row level security;

-- What admins search clients by. Indexed below.
create function private.client_search_text(searched public.profiles) returns text
  language sql immutable
  set search_path = ''
  as $$
    select lower(coalesce(searched.full_name, '') || ' ' || coalesce(searched.email, '') || ' '
      || coalesce(searched.phone, '') || ' ' || coalesce(searched.city, ''))
  $$;
grant execute on function private.client_search_text to authenticated, service_role;

create index profiles_created_at_idx on public.profiles (created_at desc);

-- Find further accounts of one person, however address and phone are written.
create index profiles_normalised_email_idx on public.profiles (private.normalise_email(email));
create index profiles_normalised_phone_idx on public.profiles (private.normalise_phone(phone));
create index profiles_search_text_idx on public.profiles using gin (private.client_search_text(profiles) extensions.gin_trgm_ops);

-- Every account has the row `customer`. A second row makes it an admin or a packer.
create table public.user_roles (
  id         uuid primary key default gen_random_uuid(),
  user_id    uuid not null references auth.users on delete cascade,
  role       text not null,
  created_at timestamptz not null default now(),
  constraint same_role_twice unique (user_id, role),
  constraint unknown_role check (role in ('admin', 'packer', 'customer'))
);
alter table public.user_roles enable row level security;
alter table public.user_roles force row level security;
