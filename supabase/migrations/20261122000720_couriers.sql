-- Couriers can be renamed, archived and given a tracking address. A courier is never deleted: shipped orders, their mails and the customer's
-- page name it. An archived one is not offered for new shipments and keeps what it has.
create function private.is_tracking_url(value text) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select value is null
      or length(value) <= 2048 and value ~ '^https://[A-Za-z0-9.-]+(:\d+)?[/?][^\s"<>\\]*$' and value like '%{number}%'
  $$;
comment on function private.is_tracking_url(text) is
  'An https address whose path or query holds {number} for the tracking number, or null.';
grant execute on function private.is_tracking_url(text) to authenticated, service_role;

-- Addresses of the past: http becomes https where nothing else is wrong; an address without the number led to a home page and goes.
update public.courier_companies c set tracking_url = 'https://' || substr(c.tracking_url, 8) where c.tracking_url like 'http://%';
update public.courier_companies c set tracking_url = null where not private.is_tracking_url(c.tracking_url);

alter table public.courier_companies
  drop constraint malformed_tracking_url,
  add constraint malformed_tracking_url check (private.is_tracking_url(tracking_url)),
  add column is_archived boolean not null default false,
  add column updated_at timestamptz not null default now();
comment on column public.courier_companies.is_archived is 'Not offered for new shipments; orders that went with it keep it.';
create trigger touch_updated_at before update on public.courier_companies
  for each row execute function private.touch_updated_at();

-- Helpers may add a courier while they ship; only admins change one, because its address stands in mails that went out before.
grant insert (tracking_url) on public.courier_companies to authenticated, service_role;
grant update (name, contact_person, contact_phone, tracking_url, is_archived) on public.courier_companies to authenticated;
create policy update_as_admin on public.courier_companies
  for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));
-- NOTE: no delete: shipped orders point here.

create function private.refuse_archived_courier() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from public.courier_companies c where c.id = new.courier_company_id and c.is_archived) then
      perform private.refuse(409, 'courier_archived', 'This courier is archived. Choose another one, or restore it in the settings.');
    end if;
    return new;
  end
  $$;
create trigger refuse_archived_courier before update of courier_company_id on public.orders
  for each row when (new.courier_company_id is distinct from old.courier_company_id and new.courier_company_id is not null)
  execute function private.refuse_archived_courier();

create or replace function public.guess_courier(waybill text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    wanted text := private.waybill_form(waybill);
    letters text := substring(wanted from '^[A-Z]{2,}');
  begin
    perform private.require_staff();
    return (
      select s.courier_company_id
      from (
        select o.courier_company_id, o.created_at, private.waybill_form(o.tracking_number) as form
        from public.orders o
        where o.courier_company_id is not null and o.tracking_number <> ''
        order by o.created_at desc limit 500) s
      join public.courier_companies c on c.id = s.courier_company_id and not c.is_archived
      where length(wanted) >= 5 and (s.form = wanted or s.form like letters || '%')
      order by (s.form = wanted) desc, s.created_at desc limit 1);
  end
  $$;
comment on function public.guess_courier(text) is
  'The courier, not archived, whose newest waybills look like this one; null when none does.';
