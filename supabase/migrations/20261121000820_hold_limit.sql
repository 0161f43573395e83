-- How long one customer may keep one colour from everybody else. Trying to pay again renews the hold, cancelling and ordering anew makes
-- another; so what counts is the time a colour was held, over all of a customer's orders: so many minutes, counted anew a
-- day after the first, or once one of the orders is paid. Time in which nothing was held costs nothing, so a buyer who comes back in
-- the evening is held for again. When the time is used up the order stands and can be paid; its lures go to whoever pays first.
alter table private.shop_rules
  add column hold_limit_minutes int not null default 120
    constraint hold_limit_out_of_range check (hold_limit_minutes between 1 and 100000);
comment on column private.shop_rules.hold_limit_minutes is
  'For so long in all, within the life of an unpaid order, may one customer''s orders hold one colour.';

create or replace function private.set_shop_rules(rules jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if rules - array['shipping_rate', 'free_shipping_from', 'hold_minutes', 'hold_limit_minutes', 'unpaid_expire_hours',
        'remind_after_minutes', 'refund_way'] <> '{}' then
      raise exception 'unknown shop rule in %', rules using errcode = '22023';
    end if;

    update private.shop_rules set
      shipping_rate = coalesce((rules ->> 'shipping_rate')::numeric, shipping_rate),
      free_shipping_from = coalesce((rules ->> 'free_shipping_from')::numeric, free_shipping_from),
      hold_minutes = coalesce((rules ->> 'hold_minutes')::int, hold_minutes),
      hold_limit_minutes = coalesce((rules ->> 'hold_limit_minutes')::int, hold_limit_minutes),
      unpaid_expire_hours = coalesce((rules ->> 'unpaid_expire_hours')::int, unpaid_expire_hours),
      remind_after_minutes = coalesce((rules ->> 'remind_after_minutes')::int, remind_after_minutes),
      refund_way = coalesce(rules ->> 'refund_way', refund_way),
      updated_at = now();
  end
  $$;
comment on function private.set_shop_rules(jsonb) is
  'Takes {"shipping_rate":100,"free_shipping_from":1500,"hold_minutes":30,"hold_limit_minutes":120,"unpaid_expire_hours":24,'
  '"remind_after_minutes":30,"refund_way":"by_hand"}; what is absent stays.';


create table private.held_time (
  customer_id uuid not null references public.profiles on delete cascade,
  variant_id  uuid not null references public.product_variants on delete cascade,
  counted_from timestamptz not null default now(),
  used        interval not null default '0',
  held_from   timestamptz not null default now(),
  held_until  timestamptz not null,
  primary key (customer_id, variant_id)
);
comment on table private.held_time is 'How long a customer''s orders have held a colour since `counted_from`: `used` before the newest hold, and that one.';
create index held_time_variant_id_idx on private.held_time (variant_id);
alter table private.held_time enable row level security;
alter table private.held_time force row level security;
-- NOTE: no grants and no policies: holding and paying write it, as their owner.

-- Until when this customer may hold this colour, of the time that is asked for; counts it. A hold that was renewed or ended
-- early counts until the next one began.
create function private.grant_hold(customer uuid, variant uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    counted private.held_time;
  begin
    select * into rules from private.shop_rules;
    select * into counted from private.held_time h where h.customer_id = customer and h.variant_id = variant for update;
    if counted.customer_id is null or counted.counted_from < now() - make_interval(hours => rules.unpaid_expire_hours) then
      counted := (customer, variant, now(), interval '0', now(), now());
    end if;

    counted.used := counted.used + (least(now(), counted.held_until) - counted.held_from);
    counted.held_from := now();
    counted.held_until := greatest(now(),
      least(until, now() + make_interval(mins => rules.hold_limit_minutes) - counted.used));
    insert into private.held_time select counted.*
      on conflict on constraint held_time_pkey do update set counted_from = excluded.counted_from, used = excluded.used,
        held_from = excluded.held_from, held_until = excluded.held_until;
    return counted.held_until;
  end
  $$;

create function private.forget_held_time() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    delete from private.held_time h
    where h.customer_id = new.customer_id
      and h.variant_id in (select i.variant_id from public.order_items i where i.order_id = new.id);
    return null;
  end
  $$;
create trigger forget_held_time after update of paid_at on public.orders
  for each row when (old.paid_at is null and new.paid_at is not null)
  execute function private.forget_held_time();


-- Sets an order's lures aside and answers until when all of them are; refuses when the shelf does not suffice.
drop function private.hold_stock(uuid, timestamptz);
create function private.hold_stock(holding uuid, until timestamptz) returns timestamptz
  language plpgsql
  set search_path = ''
  as $$
  declare
    customer uuid := (select o.customer_id from public.orders o where o.id = holding);
    held_until timestamptz := until;
    granted timestamptz;
    need record;
  begin
    perform private.reserve_shelf(holding);
    -- A lure made to order holds what lies on the shelf; the rest will be made.
    for need in
      select n.variant_id, least(n.quantity, private.available(n.variant_id, holding)) as quantity
      from private.order_needs(holding) n order by n.variant_id
    loop
      continue when need.quantity <= 0;
      granted := private.grant_hold(customer, need.variant_id, until);
      insert into public.stock_holds (order_id, variant_id, quantity, expires_at)
        values (holding, need.variant_id, need.quantity, granted)
        on conflict on constraint held_twice do update set quantity = excluded.quantity, expires_at = excluded.expires_at;
      held_until := least(held_until, granted);
    end loop;
    return held_until;
  end
  $$;

create or replace function private.renew_hold(order_id uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    waiting public.orders;
    held_until timestamptz;
    refusal text;
  begin
    select * into rules from private.shop_rules;
    select * into waiting from public.orders o where o.id = renew_hold.order_id for update;
    if waiting.placed_at is null or waiting.status <> 'pending_payment' then
      return 'not_waiting';
    end if;

    begin
      held_until := private.hold_stock(waiting.id, now() + make_interval(mins => rules.hold_minutes));
    exception
      when sqlstate 'PT409' then
        get stacked diagnostics refusal = pg_exception_detail;
        if refusal is distinct from 'sold_out' then
          raise;
        end if;
        return 'sold_out';
    end;
    update public.orders o
    set hold_expires_at = held_until,
      -- An order without expiry waits for a person or for an answer about its money, and goes on waiting.
      expires_at = case when o.expires_at is not null then now() + make_interval(hours => rules.unpaid_expire_hours) end
    where o.id = waiting.id;
    return 'held';
  end
  $$;
comment on function private.renew_hold(uuid) is
  'held (as long as the customer''s time allows), sold_out or not_waiting.';

create or replace function private.place(draft_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders;
    promo public.promo_codes;
    price private.price;
    rules private.shop_rules;
    held_until timestamptz;
  begin
    select * into draft from public.orders o where o.id = draft_id for update;
    if draft.placed_at is not null then
      perform private.refuse(409, 'already_placed', 'This order is placed; its lines cannot be added to.');
    end if;
    perform private.lock_customer(draft.customer_id);
    perform private.replace_waiting_orders(draft);

    select * into promo from public.promo_codes p where p.id = draft.promo_code_id;
    select p.* into price
    from private.price_for((select sum(i.price * i.quantity) from public.order_items i where i.order_id = draft_id), promo) p;

    if draft.promo_code_id is not null then
      perform private.check_promo(promo, draft, price.subtotal);
      insert into public.promo_redemptions (order_id, promo_code_id, customer_id, email, phone)
      values (draft.id, promo.id, draft.customer_id,
        private.normal_email(draft.customer_email), private.normal_phone(draft.customer_phone));
    end if;
    if (price.shipping, price.discount, price.total) <> (draft.shipping_cost, draft.discount_amount, draft.total_amount) then
      perform private.refuse_price(price);
    end if;

    select * into rules from private.shop_rules;
    held_until := private.hold_stock(draft_id, now() + make_interval(mins => rules.hold_minutes));
    update public.orders o
    set subtotal_amount = price.subtotal, placed_at = now(), hold_expires_at = held_until,
      expires_at = now() + make_interval(hours => rules.unpaid_expire_hours)
    where o.id = draft_id;

    if price.total = 0 then
      update public.orders o set status = 'new', paid_at = now() where o.id = draft_id;
    end if;
  end
  $$;
comment on function private.place(uuid) is
  'Prices a draft''s lines, claims its promo code, holds its stock; refuses what does not match.';
