-- What runs every minute, and what the dashboard asks first, looks at what is unfinished and passes over the years of what is done. Each
-- of these once read a whole table: harmless with a thousand orders, half a second with a million.
create index orders_drafts_idx on public.orders (expires_at) where placed_at is null;
create index mails_unsent_idx on public.mails (status) where status <> 'sent';
create index payment_notices_received_at_idx on public.payment_notices (received_at);
create index stock_alerts_waiting_idx on public.stock_alerts (created_at, id) where mailed_at is null and withdrawn_at is null;
create index product_variants_stock_idx on public.product_variants (stock_quantity);
create index products_low_stock_at_idx on public.products (low_stock_at) where low_stock_at is not null;

-- The highest figure at which any colour is low: above it none is.
create function private.highest_low_stock_at() returns int
  language sql stable
  set search_path = ''
  as $$ select greatest((select r.low_stock_at from private.shop_rules r), (select max(p.low_stock_at) from public.products p)) $$;

-- Low are colours of which little is on the shelf, and colours of which buyers hold the rest. Only those are looked at.
create or replace function private.low_variants() returns table (variant_id uuid, available int, low_stock_at int)
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    -- A value, not a sub-query: the planner then knows how few colours lie below it.
    highest int := private.highest_low_stock_at();
  begin
    return query
      with candidates as (
        select v.id from public.product_variants v where v.stock_quantity <= highest
        union
        select h.variant_id from public.stock_holds h where h.expires_at > now()
      ), shelf as (
        select v.id, greatest(0, v.stock_quantity - private.held(v.id)) as left_over, coalesce(p.low_stock_at, r.low_stock_at) as low_at
        from candidates c
        join public.product_variants v on v.id = c.id
        join public.products p on p.id = v.product_id and p.status = 'live' and not p.made_to_order
        cross join private.shop_rules r
      )
      select s.id, s.left_over, s.low_at from shelf s where s.left_over <= s.low_at;
  end
  $$;

create or replace function private.announce_low_stock() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    fallen jsonb;
    highest int := private.highest_low_stock_at();
  begin
    delete from private.low_stock_notices n using public.product_variants v where v.id = n.variant_id and not private.is_low(v);

    with noticed as (
      insert into private.low_stock_notices (variant_id)
      select v.id from public.product_variants v
      where v.stock_quantity <= highest and private.is_low(v) order by v.id
      on conflict do nothing
      returning variant_id
    )
    select jsonb_agg(jsonb_build_object('productId', p.id, 'productName', p.name, 'variantName', v.name,
        'imageUrl', coalesce(v.image_url, p.image_url), 'left', v.stock_quantity) order by v.stock_quantity, p.name, v.position)
      into fallen
      from noticed n join public.product_variants v on v.id = n.variant_id join public.products p on p.id = v.product_id;
    if fallen is null then
      return 0;
    end if;
    perform private.queue_mail('low-stock:' || gen_random_uuid(), 'low-stock', null, jsonb_build_object('colours', fallen));
    return jsonb_array_length(fallen);
  end
  $$;

create or replace function private.announce_stock() returns integer
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
      join public.product_variants v on v.id = a.variant_id and v.stock_quantity > private.held(v.id)
      join public.products p on p.id = v.product_id and p.status = 'live'
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

-- The payment of a concern is found by one of three names, each by its index.
create or replace view public.open_payment_concerns with (security_invoker = true) as
  select c.id, c.kind, c.order_id, c.notice_id, p.id as payment_id, p.pf_payment_id, p.amount_gross, c.detail, c.raised_at,
    (c.detail ->> 'refund_id')::uuid as refund_id
  from public.payment_concerns c
  left join lateral (
    select by_notice.id from public.payments by_notice where by_notice.notice_id = c.notice_id
    union all
    select by_id.id from public.payments by_id
    where by_id.id = case when c.notice_id is null and c.detail ? 'refund_id' then (c.detail ->> 'payment_id')::uuid end
    union all
    select by_name.id from public.payments by_name
    where by_name.pf_payment_id = case when c.notice_id is null and not c.detail ? 'refund_id' then c.detail ->> 'pf_payment_id' end
  ) as meant on true
  left join public.payments p on p.id = meant.id
  where not exists (select from public.payment_concern_resolutions r where r.concern_id = c.id);

-- The names that stand beside a change are looked up for the changes that are shown. Joined, they made the planner sort the whole log for
-- its newest page.
create or replace view public.history with (security_invoker = true) as
  select c.*, names.actor_name, coalesce(case when c.table_name <> 'user_roles' then c.row_label end, names.person_name) as row_name,
    private.device_of(c.session_id) as device,
    private.is_reversible(c) as is_reversible,
    (select u.id from public.changes u where u.undoes = c.id order by u.id limit 1) as undone_by
  from public.changes c
  cross join lateral (
    select
      (select coalesce(author.full_name, author.email) from public.profiles author where author.id = c.actor_id) as actor_name,
      (select coalesce(person.full_name, person.email) from public.profiles person
        where person.id = case c.table_name
          when 'profiles' then c.row_id::uuid
          when 'user_roles' then (coalesce(c.after, c.before) ->> 'user_id')::uuid
        end) as person_name
  ) as names;

-- Whether a colour can be bought is asked of the view that looks at this colour alone.
create or replace function public.request_stock_alert(variant uuid, email text) returns jsonb
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
    from public.product_availability s
    join public.products p on p.id = s.product_id
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

-- Nobody counts the whole shelf any more.
drop function private.available_stock();
