-- Courier companies, and which one a waybill number belongs to.
--
-- Staff choose a courier when an order ships; only admins add and edit couriers, because name, phone and tracking link
-- go into mails to customers, and a packer could otherwise send customers to any https address.
-- Couriers are archived and not deleted: shipped orders refer to them. An archived one cannot be chosen for an order.

comment on table public.courier_companies is 'Courier companies that the shop sends with.';
comment on column public.courier_companies.contact_person is
  'For staff only, as is contact_phone. Null when not known.';
comment on column public.courier_companies.tracking_url is
  'The courier''s page for one parcel; {number} stands for the tracking number. Null without one.';
comment on column public.courier_companies.is_archived is
  'True: not offered for new shipments. Orders that were sent with it keep it.';
comment on column public.courier_companies.contact_phone is 'For the shop and for mails to customers.';

-- Not granted: delete. Orders refer to couriers; archiving takes one off the list.
grant select on public.courier_companies to authenticated, service_role;
grant insert (name, contact_person, contact_phone, tracking_url)
  on public.courier_companies to authenticated, service_role;
grant update (name, contact_person, contact_phone, tracking_url, is_archived)
  on public.courier_companies to authenticated;

create policy select_as_staff on public.courier_companies for select to authenticated
  using ((select private.is_staff()));

create policy insert_as_admin on public.courier_companies for insert to authenticated
  with check ((select private.is_admin()));

create policy update_as_admin on public.courier_companies for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

-- Guesses from the newest 500 shipments of the shop itself: first a courier whose numbers have the same form
-- (TCG00000000 for TCG12345678), else one whose numbers begin with the same letters. No courier's numbering scheme is
-- written down here, so none can become outdated. Fewer than five characters match nothing.
-- Security definer: one plan for all staff, without the row policies of orders. require_staff() comes first.
create or replace function public.guess_courier(waybill text) returns uuid
  language plpgsql stable security definer
  set search_path = ''
  as $$
  declare
    given_form text := private.waybill_form(waybill);
    letters text := substring(given_form from '^[A-Z]{2,}');
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
      where length(given_form) >= 5 and (s.form = given_form or s.form like letters || '%')
      order by (s.form = given_form) desc, s.created_at desc limit 1);
  end
  $$;
comment on function public.guess_courier is
  'Id of the courier, not archived, whose newest waybills look like this one; null when none does. For staff.';
grant execute on function public.guess_courier to authenticated;

create or replace function private.waybill_form(waybill text) returns text
  language sql immutable
  set search_path = ''
  as $$ select regexp_replace(upper(regexp_replace(waybill, '\s', '', 'g')), '\d', '0', 'g') $$;
comment on function private.waybill_form is
  'The form of a waybill number: upper case, without white space, every digit 0.';

-- Only a new choice is checked: orders that went with a courier keep it when it is archived.
-- Security definer: a packer's update must see the courier whatever the policies say. Refuses courier_archived.
create or replace function private.refuse_archived_courier() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from public.courier_companies c where c.id = new.courier_company_id and c.is_archived) then
      perform private.refuse(409, 'courier_archived',
        'This courier is archived. Choose another one, or restore it in the settings.');
    end if;
    return new;
  end
  $$;

create trigger refuse_archived_courier before update of courier_company_id on public.orders
  for each row when (
    new.courier_company_id is distinct from old.courier_company_id and new.courier_company_id is not null)
  execute function private.refuse_archived_courier();
