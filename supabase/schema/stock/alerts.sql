-- Stock alerts: a request for one mail when a sold-out variant can be bought again.
--
-- Visitors and customers request them with any address, so the answer must not reveal whether the address is known or
-- has requested alerts before. The request is the consent (POPIA section 11) and keeps its wording. Every mail contains
-- a link that ends all alerts of the address. One waiting alert for each variant and address, 20 for each mailbox.
-- Ended alerts are deleted after 90 days.

comment on table public.stock_alerts is
  'Requests for one mail when a variant is back in stock. Waiting: mailed_at and withdrawn_at are null.';
comment on column public.stock_alerts.email is 'The address, in lower case.';
comment on column public.stock_alerts.wording is 'The sentence on the page that the person agreed to.';
comment on column public.stock_alerts.mailed_at is 'When the mail was queued; the request has ended.';
comment on column public.stock_alerts.withdrawn_at is
  'When the recipient followed the link in a mail; the request has ended.';
comment on column public.stock_alerts.variant_id is 'The sold-out variant that the customer waits for.';

-- Not granted: insert, update, delete. Rows come from request_stock_alert() and end through the job or the link.
grant select on public.stock_alerts to authenticated, service_role;

create policy select_as_admin on public.stock_alerts for select to authenticated
  using ((select private.is_admin()));

-- Security definer: visitors can neither read nor write alerts. Open to everyone, so it checks the address only; the
-- server limits the calls of an address (docs/security.md).
create or replace function public.request_stock_alert(variant uuid, email text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    recipient text := lower(btrim(request_stock_alert.email));
    is_buyable boolean;
  begin
    if private.is_email(recipient) is not true then
      perform private.refuse(422, 'invalid_email', 'Invalid email address');
    end if;
    select s.available > 0 or p.made_to_order into is_buyable
    from public.product_availability s
    join public.products p on p.id = s.product_id
    where s.variant_id = request_stock_alert.variant;
    if is_buyable is null then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    elsif is_buyable then
      return jsonb_build_object('outcome', 'available');
    end if;

    -- Further requests are dropped silently: a refusal would tell that the address has requested alerts.
    if (select count(*) from public.stock_alerts a
        where auth.mailbox_of(a.email) = auth.mailbox_of(recipient)
          and a.mailed_at is null and a.withdrawn_at is null) < 20 then
      insert into public.stock_alerts (variant_id, email, wording)
        values (request_stock_alert.variant, recipient, 'E-mail me once when it is back in stock.')
        on conflict do nothing;
    end if;
    return jsonb_build_object('outcome', 'noted');
  end
  $$;
comment on function public.request_stock_alert is
  'Requests one mail when a variant is back in stock: {outcome: noted, or available when it can be bought now}. '
  'The same answer for every address. For everyone. Refuses invalid_email, variant_not_found.';
grant execute on function public.request_stock_alert to anon, authenticated, service_role;

-- The job, every minute. It looks at availability and not at the event that changed it, so that it needs no hook in
-- counting, producing, refunds, expiring reservations, publishing and made to order. An alert that another run has locked is skipped.
-- Not granted: the jobs run as the owner.
create or replace function private.queue_stock_alerts() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    waiting record;
    queued integer := 0;
  begin
    for waiting in
      select a.id, a.email, p.name as product_name, v.name as variant_name,
        coalesce(nullif(v.image_url, ''), p.image_url) as image_url,
        p.slug || '/' || v.slug as address, stock.is_available
      from public.stock_alerts a
      join public.product_variants v on v.id = a.variant_id
      join public.products p on p.id = v.product_id and p.status = 'live'
      cross join lateral (select v.stock_quantity > private.reserved_quantity(v.id) as is_available) as stock
      where a.mailed_at is null and a.withdrawn_at is null and (stock.is_available or p.made_to_order)
      order by a.created_at, a.id limit 500
      for update of a skip locked
    loop
      update public.stock_alerts a set mailed_at = now() where a.id = waiting.id;
      perform private.queue_mail('back-in-stock:' || waiting.id, 'back-in-stock', waiting.email, jsonb_build_object(
        'alertId', waiting.id, 'productName', waiting.product_name, 'variantName', waiting.variant_name,
        'imageUrl', waiting.image_url, 'address', waiting.address, 'mustBeMade', not waiting.is_available));
      queued := queued + 1;
    end loop;
    delete from public.stock_alerts a where coalesce(a.mailed_at, a.withdrawn_at) < now() - interval '90 days';
    return queued;
  end
  $$;
comment on function private.queue_stock_alerts is
  'Queues the mails of alerts whose variant can be bought again, at most 500 a run, and deletes alerts that ended '
  '90 days ago. Returns the number of mails.';

-- Idempotent. Ends alerts whose mail is queued too: the mail is then not sent (reason_not_to_send).
-- Not granted: the server calls it as the owner for POST /mail/stock-alerts/:id. Knowing the alert's id is the right to
-- follow the link, which works without signing in.
create or replace function private.cancel_stock_alerts(alert_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    alert_email text := (select a.email from public.stock_alerts a where a.id = cancel_stock_alerts.alert_id);
  begin
    update public.stock_alerts a set withdrawn_at = now() where a.email = alert_email and a.withdrawn_at is null;
    return alert_email is not null;
  end
  $$;
comment on function private.cancel_stock_alerts is
  'Ends all alerts of the address of this alert. False when the alert does not exist.';

-- Closing an account deletes the alerts of its address, but only if the account has proved that the address is its own:
-- otherwise an unverified account could delete another person's alerts.
-- On auth.users and before the deletion: the proof is deleted with the account, and the profile only after it.
-- Security definer: fired by the deletion of an account, whose role has no rights here.
create or replace function private.delete_stock_alerts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.has_verified_mailbox(old.id) then
      delete from public.stock_alerts a where a.email = lower(old.email);
    end if;
    return old;
  end
  $$;

create trigger delete_stock_alerts before delete on auth.users
  for each row execute function private.delete_stock_alerts();
