-- Who carries the parcels. Staff choose one when an order ships and add new ones on the way.
create table public.courier_companies (
  id             uuid primary key default gen_random_uuid(),
  name           text not null constraint malformed_name check (private.is_line(name, 1, 100)) constraint courier_twice unique,
  contact_person text constraint malformed_contact_person check (private.is_line(contact_person, 0, 100)),
  contact_phone  text constraint malformed_contact_phone check (private.is_line(contact_phone, 0, 40)),
  tracking_url   text constraint malformed_tracking_url check (private.is_link(tracking_url)),
  created_at     timestamptz not null default now()
);
comment on table public.courier_companies is 'Courier companies the shop sends with.';
comment on column public.courier_companies.tracking_url is
  'Where a parcel is followed; {number} stands for the tracking number.';
alter table public.courier_companies enable row level security;
alter table public.courier_companies force row level security;

grant select, insert (name, contact_person, contact_phone) on public.courier_companies to authenticated, service_role;
create policy select_as_admin on public.courier_companies
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.courier_companies
  for insert to authenticated
  with check ((select private.is_admin()));
-- NOTE: no update and no delete: shipped orders point here.
