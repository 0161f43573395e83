-- How long the shop keeps what names a person. docs/operations.md has the same periods as a table, with the laws.
--
-- Every rule looks at the age of a row and not at the day of the run, so a run after months of downtime erases all that is due.
-- The ledger of payments stays, without the person: forbid_ledger_change() allows exactly these three updates.

-- The nightly job of the same name. Accounts first, because their orders are erased once they belong to no account.
create or replace function private.erase_inactive_customers() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    erased int;
  begin
    perform private.end_inactive_accounts();
    erased := private.erase_old_orders();
    perform private.erase_old_payments();
    perform private.erase_old_visitors();
    delete from public.mails m where m.created_at < now() - private.mail_period(m);
    return erased;
  end
  $$;
comment on function private.erase_inactive_customers is
  'Erases personal data that no law requires any more. Returns the number of orders that lost their name.';

-- A mail repeats what it is about: it is kept as long as that. Mails of the newsletter prove that the subscriber agreed, and their keys
-- prevent that one is sent again.
create or replace function private.mail_period(mail public.mails) returns interval
  language sql immutable
  set search_path = ''
  as $$
    select case
      when mail.props ? 'orderId' or mail.template like 'newsletter-%' then interval '5 years'
      when mail.template in ('contact-notification', 'contact-received', 'admin-email') then interval '3 years'
      when mail.template = 'back-in-stock' then interval '90 days'
      when mail.confidential then interval '30 days'
      else interval '1 year'
    end
  $$;
comment on function private.mail_period is 'How long a mail is kept after it was queued.';

-- An account without a sign-in or an order for five years is deleted with its subscription. Its owner is not mailed: the address
-- would be stored again, and may belong to another person by now.
create or replace function private.end_inactive_accounts() returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    inactive public.profiles;
  begin
    for inactive in
      select p.* from public.profiles p join auth.users u on u.id = p.id
      where greatest(u.created_at, u.last_sign_in_at) < now() - interval '5 years'
        and not exists (select from public.user_roles r where r.user_id = p.id and r.role in ('admin', 'packer'))
        and not exists (
          select from auth.sessions s
          where s.user_id = p.id and greatest(s.created_at, s.updated_at, s.refreshed_at at time zone 'utc') >= now() - interval '5 years')
        and not exists (
          select from public.orders o where o.customer_id = p.id and o.updated_at >= now() - interval '5 years')
    loop
      perform private.lock_customer(inactive.id);
      delete from public.orders o where o.customer_id = inactive.id and o.placed_at is null;
      delete from public.newsletter_signups s
      where s.email = lower(inactive.email) or s.email in (select c.email from private.agreed_consents(inactive.id) c);
      delete from public.marketing_consents c where c.customer_id = inactive.id or c.email = lower(inactive.email);
      delete from auth.users u where u.id = inactive.id;
    end loop;
  end
  $$;
comment on function private.end_inactive_accounts is 'Deletes accounts of customers who did not use them for five years.';

-- An order handed over in person has no address, so its name shows whether it was erased.
create or replace function private.erase_old_orders() returns int
  language plpgsql
  set search_path = ''
  as $$
  declare
    erased uuid[];
  begin
    with emptied as (
      update public.orders o
      set customer_name = null, customer_email = null, customer_phone = null, notes = null, locker_location = null,
        shipping_address = case when o.shipping_method <> 'hand-over' then 'Erased' end,
        shipping_city = case when o.shipping_method <> 'hand-over' then 'Erased' end,
        shipping_state = case when o.shipping_method <> 'hand-over' then 'Erased' end,
        shipping_zip = case when o.shipping_method <> 'hand-over' then '0000' end
      where o.customer_id is null and o.updated_at < now() - interval '5 years'
        and case when o.shipping_method = 'hand-over' then o.customer_name is not null else o.shipping_address <> 'Erased' end
      returning o.id
    )
    select coalesce(array_agg(e.id), '{}') into erased from emptied e;
    -- Earlier addresses, recipients of mails, and references of payments.
    update public.order_events e set detail = e.detail - '{before,after,to,reference}'::text[] where e.order_id = any (erased);
    delete from public.order_notes n where n.order_id = any (erased);
    -- The use still counts; it no longer says whose it was.
    update public.promo_redemptions r set customer_id = null, email = null, phone = null where r.order_id = any (erased);
    return cardinality(erased);
  end
  $$;
comment on function private.erase_old_orders is
  'Removes the person from orders without an account that have not changed for five years. Returns their number.';

create or replace function private.erase_old_payments() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    update public.payment_notices n set raw_body = 'Erased', headers = '{}', source_address = null
    where n.received_at < now() - interval '5 years' and n.raw_body <> 'Erased';
    -- Where a notice came from, when that was no address of PayFast.
    update public.payment_notice_checks c set detail = null
    where c.check_name = 'source' and c.checked_at < now() - interval '5 years' and c.detail is not null;
    update public.payments p set reference = null
    where p.created_at < now() - interval '5 years' and p.reference is not null;
    delete from simulator.payments s where s.created_at < now() - interval '1 year';
  end
  $$;
comment on function private.erase_old_payments is 'Removes what PayFast and admins recorded about the person, after five years; the amounts stay.';

-- A subscriber who has confirmed and not left stays, and so does the consent that proves it.
create or replace function private.erase_old_visitors() returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    delete from public.contact_submissions c where c.created_at < now() - interval '3 years';
    delete from public.gallery_contacts c using public.gallery_submissions s
    where s.id = c.submission_id and s.created_at < now() - interval '1 year';
    -- The hourly job delete_unsent_photos removes the files of deleted submissions.
    delete from public.gallery_submissions s where s.status <> 'approved' and s.created_at < now() - interval '5 years';
    update public.gallery_submissions s set customer_name = 'A customer'
    where s.created_at < now() - interval '5 years' and s.customer_name <> 'A customer';
    delete from public.stock_alerts a where a.created_at < now() - interval '2 years';
    delete from private.texts t where t.created_at < now() - interval '30 days';
    delete from public.newsletter_signups s
    where coalesce(s.unsubscribed_at, s.created_at) < now() - interval '5 years' and not private.accepts_marketing(s.id);
    delete from public.marketing_consents c
    where c.created_at < now() - interval '5 years'
      and not exists (select from public.newsletter_signups s where s.email = c.email);
  end
  $$;
comment on function private.erase_old_visitors is 'Removes messages, photos'' names, alerts and subscriptions that ended, each after its period.';
