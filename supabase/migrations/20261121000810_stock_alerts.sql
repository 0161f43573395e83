-- "Tell me when it is back." One mail, once, about one colour: asked for by whoever types an address, so the request itself is
-- the consent (POPIA s11), kept in its words, and every mail carries a link that ends all that still wait for the address.
create table public.stock_alerts (
  id            uuid primary key default gen_random_uuid(),
  variant_id    uuid not null references public.product_variants on delete cascade,
  email         text not null constraint malformed_email check (private.is_email(email) and email = lower(email)),
  wording       text not null,
  created_at    timestamptz not null default now(),
  mailed_at     timestamptz,
  withdrawn_at  timestamptz
);
comment on table public.stock_alerts is 'Who wants to hear once that a colour is back in stock.';
comment on column public.stock_alerts.wording is 'What the person agreed to, as the page says it.';
comment on column public.stock_alerts.mailed_at is 'When the one mail was written; the request is then used up.';
create unique index stock_alerts_wait_once on public.stock_alerts (variant_id, email)
  where mailed_at is null and withdrawn_at is null;
create index stock_alerts_variant_id_idx on public.stock_alerts (variant_id);
create index stock_alerts_email_idx on public.stock_alerts (email);
alter table public.stock_alerts enable row level security;
alter table public.stock_alerts force row level security;

grant select on public.stock_alerts to authenticated, service_role;
create policy select_as_admin on public.stock_alerts
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: nobody writes or reads more: an address that waits is nobody's business but the shop's.


-- request_stock_alert(variant, email) → {"outcome": "noted"} or, when there is something to buy right now, {"outcome": "available"}.
-- The answer follows from the colour alone, so it tells nothing about the address; asking again changes nothing. 422
-- invalid_email, 404 variant_not_found; the process counts calls for each network address (429 too_many_sent).
create function public.request_stock_alert(variant uuid, email text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    asked_by text := lower(btrim(request_stock_alert.email));
    is_buyable boolean;
  begin
    if private.is_email(asked_by) is not true then
      perform private.refuse(422, 'invalid_email', 'Invalid email address');
    end if;
    select s.available > 0 or p.made_to_order into is_buyable
    from private.available_stock() s
    join public.product_variants v on v.id = s.variant_id
    join public.products p on p.id = v.product_id
    where s.variant_id = request_stock_alert.variant;
    if is_buyable is null then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    elsif is_buyable then
      return jsonb_build_object('outcome', 'available');
    end if;

    -- Twenty are more than anybody waits for; what is beyond is dropped without a word, as the answer tells nothing.
    if (select count(*) from public.stock_alerts a
        where a.email = asked_by and a.mailed_at is null and a.withdrawn_at is null) < 20 then
      insert into public.stock_alerts (variant_id, email, wording)
        values (request_stock_alert.variant, asked_by, 'Mail me once when it is back in stock.')
        on conflict do nothing;
    end if;
    return jsonb_build_object('outcome', 'noted');
  end
  $$;
grant execute on function public.request_stock_alert(uuid, text) to anon, authenticated, service_role;
comment on function public.request_stock_alert(uuid, text) is
  'Notes that an address wants one mail when a colour is back. Says the same for every address.';


-- The job `announce_stock`, every minute: whatever made a colour available again (made, counted, returned, a hold that ended or
-- ran out, a product that is live again), who waits for it is told, and the request is used up. Requests that ended
-- three months ago are forgotten.
create function private.announce_stock() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    waiting record;
    told integer := 0;
  begin
    for waiting in
      select a.id, a.email, p.name as product_name, v.name as variant_name, coalesce(v.image_url, p.image_url) as image_url,
        p.slug || '/' || v.slug as address
      from public.stock_alerts a
      join private.available_stock() s on s.variant_id = a.variant_id and s.available > 0
      join public.product_variants v on v.id = a.variant_id
      join public.products p on p.id = v.product_id
      where a.mailed_at is null and a.withdrawn_at is null
      order by a.created_at, a.id limit 500
      for update of a skip locked
    loop
      update public.stock_alerts a set mailed_at = now() where a.id = waiting.id;
      perform private.queue_mail('back-in-stock:' || waiting.id, 'back-in-stock', waiting.email, jsonb_build_object(
        'alertId', waiting.id, 'productName', waiting.product_name, 'variantName', waiting.variant_name,
        'imageUrl', waiting.image_url, 'address', waiting.address));
      told := told + 1;
    end loop;
    delete from public.stock_alerts a where coalesce(a.mailed_at, a.withdrawn_at) < now() - interval '90 days';
    return told;
  end
  $$;
comment on function private.announce_stock() is 'Mails who waits for what is available again; returns how many.';


-- The link in the mail: no more of these to this address, whatever it still waits for. Following it twice is following it once.
create function private.withdraw_stock_alerts(alert_id uuid) returns boolean
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    leaving text := (select a.email from public.stock_alerts a where a.id = withdraw_stock_alerts.alert_id);
  begin
    update public.mails m set status = 'failed', last_error = 'The recipient does not want such mail.'
      where m.status = 'queued' and m.template = 'back-in-stock' and m.recipient = leaving;
    update public.stock_alerts a set withdrawn_at = now()
      where a.email = leaving and a.mailed_at is null and a.withdrawn_at is null;
    return leaving is not null;
  end
  $$;
comment on function private.withdraw_stock_alerts(uuid) is 'False when the link is not known.';


-- Whoever closes the account waits for nothing any more.
create function private.forget_stock_alerts() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from public.stock_alerts a where a.email = lower(old.email);
    return null;
  end
  $$;
create trigger forget_stock_alerts after delete on public.profiles
  for each row execute function private.forget_stock_alerts();
