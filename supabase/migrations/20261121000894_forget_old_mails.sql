-- A mail about an order is kept as it was sent, name and address included: it goes when its order loses them.
create or replace function private.forget_old_customers() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    forgotten int;
  begin
    update public.orders o
    set customer_name = null, customer_email = null, customer_phone = null, notes = null, locker_location = null,
      shipping_address = 'Erased', shipping_city = 'Erased', shipping_state = 'Erased', shipping_zip = '0000'
    where o.customer_id is null and o.updated_at < now() - interval '5 years' and o.shipping_address <> 'Erased';
    get diagnostics forgotten = row_count;
    delete from public.mails m where m.created_at < now() - interval '5 years';
    return forgotten;
  end
  $$;
