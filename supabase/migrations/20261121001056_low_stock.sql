-- When a colour runs low: at the lure's own figure, or at the shop's where the lure has none. Lures made to order are never short.
alter table private.shop_rules add column low_stock_at int not null default 3
  constraint impossible_threshold check (low_stock_at between 0 and 1000);
comment on column private.shop_rules.low_stock_at is 'A colour of which so many or fewer are left is low; staff set it.';
alter table public.products add column low_stock_at int constraint impossible_threshold check (low_stock_at between 0 and 1000);
comment on column public.products.low_stock_at is 'Where its colours run low; null: where the shop says.';

create function private.low_stock_at(product public.products) returns int
  language sql stable
  set search_path = ''
  as $$ select coalesce(product.low_stock_at, (select r.low_stock_at from private.shop_rules r)) $$;

-- What can still be sold decides: what a buyer holds is as good as gone.
create function private.low_variants() returns table (variant_id uuid, available int, low_stock_at int)
  language sql stable
  set search_path = ''
  as $$
    select s.variant_id, s.available, private.low_stock_at(p)
    from private.available_stock() s
    join public.product_variants v on v.id = s.variant_id
    join public.products p on p.id = v.product_id
    where not p.made_to_order and s.available <= private.low_stock_at(p)
  $$;

create function public.list_low_stock()
  returns table (variant_id uuid, product_id uuid, product_name text, name text, image_url text,
    stock_quantity int, available int, low_stock_at int, is_own_threshold boolean)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select v.id, p.id, p.name, v.name, coalesce(v.image_url, p.image_url), v.stock_quantity, l.available, l.low_stock_at,
        p.low_stock_at is not null
      from private.low_variants() l
      join public.product_variants v on v.id = l.variant_id
      join public.products p on p.id = v.product_id
      order by l.available, p.name, v.position;
  end
  $$;
grant execute on function public.list_low_stock() to authenticated;
comment on function public.list_low_stock() is 'The colours that run low, fewest first.';

create function public.low_stock_threshold() returns int
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (select r.low_stock_at from private.shop_rules r);
  end
  $$;
create function public.set_low_stock_threshold(at_most int) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    if at_most is null or at_most not between 0 and 1000 then
      perform private.refuse(422, 'invalid_threshold', 'A whole number from 0 to 1000.');
    end if;
    update private.shop_rules r set low_stock_at = at_most, updated_at = now();
  end
  $$;
grant execute on function public.low_stock_threshold(), public.set_low_stock_threshold(int) to authenticated;
comment on function public.low_stock_threshold() is 'Where a colour runs low when its lure has no figure of its own.';
comment on function public.set_low_stock_threshold(int) is 'Sets it.';


-- One mail to the shop when colours have fallen low, and none again until they have been above their figure in between. A mail
-- goes by what is on the shelf: lures that a buyer holds come back when they are not paid for, and would cry wolf.
create table private.low_stock_notices (
  variant_id uuid primary key references public.product_variants on delete cascade,
  mailed_at  timestamptz not null default now()
);
comment on table private.low_stock_notices is 'Colours that are low and of which the shop has been told.';
alter table private.low_stock_notices enable row level security;
alter table private.low_stock_notices force row level security;
-- NOTE: nothing is granted: the job reads and writes.

create function private.is_low(variant public.product_variants) returns boolean
  language sql stable
  set search_path = ''
  as $$
    select exists (
      select from public.products p
      where p.id = variant.product_id and p.status = 'live' and not p.made_to_order
        and variant.stock_quantity <= private.low_stock_at(p))
  $$;

-- The job `announce_low_stock`, every minute.
create function private.announce_low_stock() returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    fallen jsonb;
  begin
    delete from private.low_stock_notices n using public.product_variants v where v.id = n.variant_id and not private.is_low(v);

    with noticed as (
      insert into private.low_stock_notices (variant_id)
      select v.id from public.product_variants v where private.is_low(v)
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
comment on function private.announce_low_stock() is 'Mails the shop which colours have fallen low since the last time; returns how many.';


-- The dashboard's figure counts the rows of list_low_stock().
drop function public.count_waiting_work(int);
create function public.count_waiting_work() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return (
      select jsonb_build_object(
        'to_make', count(*) filter (where o.status in ('new', 'pending')),
        'to_ship', count(*) filter (where o.status = 'processing'),
        'awaiting_payment', count(*) filter (where o.status = 'pending_payment'),
        'concerns', (select count(*) from public.open_payment_concerns),
        'failed_mails', (select count(*) from public.mails m where m.status = 'failed' and not m.confidential),
        'low_stock', (select count(*) from private.low_variants()),
        'pending_photos', (select count(*) from public.gallery_submissions g where g.status = 'pending'),
        'open_messages', (
          select count(*) from public.contact_submissions c
          where not exists (select from public.contact_answers a where a.submission_id = c.id)))
      from public.orders o
      where o.placed_at is not null and o.status in ('new', 'pending', 'processing', 'pending_payment'));
  end
  $$;
grant execute on function public.count_waiting_work() to authenticated;
comment on function public.count_waiting_work() is 'How much of each kind of work waits for staff.';
