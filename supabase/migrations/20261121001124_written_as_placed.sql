-- Drafts of the table-by-table way, as before; what an order is when it is written as placed stays as it is.
create or replace function private.start_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    buyer public.profiles;
  begin
    if new.status = 'new' and new.total_amount > 0 or new.status not in ('pending_payment', 'new') then
      perform private.refuse(422, 'invalid_status', 'An order begins as awaiting payment.');
    end if;
    new.status := 'pending_payment';
    if new.promo_code_id is not null then
      new.promo_code := (select p.code from public.promo_codes p where p.id = new.promo_code_id);
    end if;
    if new.placed_at is not null then
      return new;
    end if;

    if (select count(*) from public.orders o where o.customer_id = new.customer_id and o.placed_at is null) >= 20 then
      perform private.refuse(429, 'too_many_drafts', 'Too many orders were begun. Please try again in half an hour.');
    end if;
    select * into buyer from public.profiles p where p.id = new.customer_id;
    new.customer_email := coalesce(new.customer_email, buyer.email);
    new.customer_name := coalesce(new.customer_name, case when private.is_line(buyer.full_name, 2, 100) then buyer.full_name end);
    new.customer_phone := coalesce(new.customer_phone, case when private.is_line(buyer.phone, 10, 20) then buyer.phone end);
    new.shipping_address := private.tidy(new.shipping_address);
    new.shipping_city := private.tidy(new.shipping_city);
    new.shipping_state := private.tidy(new.shipping_state);
    new.shipping_zip := private.tidy(new.shipping_zip);
    -- A draft whose lines never come is removed after this.
    new.expires_at := now() + make_interval(mins => (select r.hold_minutes from private.shop_rules r));
    return new;
  end
  $$;

-- The first lines of an order that this very transaction placed are its own; lines for any other placed order are refused by place().
create or replace function private.place_orders_of_items() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.place(touched.order_id)
    from (select distinct i.order_id from inserted i order by i.order_id) as touched
    where not exists (
      select from public.orders o
      where o.id = touched.order_id and o.placed_at = now()
        and not exists (select from public.order_items i where i.order_id = o.id and i.id not in (select n.id from inserted n)));
    return null;
  end
  $$;

-- The timeline begins with the placing, whether the row was a draft before or not.
create trigger write_placing after insert on public.orders
  for each row when (new.placed_at is not null)
  execute function private.write_order_events();

create or replace function private.replace_waiting_orders(draft public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    replaced uuid[];
  begin
    select array_agg(waiting.id) into replaced
    from (
      select o.id from public.orders o
      where o.customer_id = draft.customer_id and o.id is distinct from draft.id
        and o.status = 'pending_payment' and o.placed_at is not null
        -- Money has come for one that waits for a person: it is not the buyer's to replace.
        and o.expires_at is not null
      order by o.id for update
    ) as waiting;
    if replaced is null and draft.promo_code_id is null then
      return;
    end if;

    perform from public.promo_codes p
    where p.id = draft.promo_code_id or p.id in (select o.promo_code_id from public.orders o where o.id = any (replaced))
    order by p.id for no key update;

    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = any (replaced);
  end
  $$;

-- Its promo code is still good and its amounts are still the shop's, now that the code is locked.
create function private.require_price(draft public.orders, subtotal numeric) returns private.price
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    promo public.promo_codes;
    price private.price;
  begin
    if draft.promo_code_id is not null then
      select * into promo from public.promo_codes p where p.id = draft.promo_code_id;
      perform private.check_promo(promo, draft, subtotal);
    end if;
    price := private.price_for(subtotal, promo);
    if (price.shipping, price.discount, price.total) <> (draft.shipping_cost, draft.discount_amount, draft.total_amount) then
      perform private.refuse_price(price);
    end if;
    return price;
  end
  $$;

create function private.claim_promo(claiming public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    insert into public.promo_redemptions (order_id, promo_code_id, customer_id, email, phone)
    values (claiming.id, claiming.promo_code_id, claiming.customer_id,
      private.normal_email(claiming.customer_email), private.normal_phone(claiming.customer_phone));
  end
  $$;

create or replace function private.place(draft_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders;
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

    price := private.require_price(draft, (select sum(i.price * i.quantity) from public.order_items i where i.order_id = draft_id));
    if draft.promo_code_id is not null then
      perform private.claim_promo(draft);
    end if;

    select * into rules from private.shop_rules;
    held_until := private.hold_stock(draft_id, now() + make_interval(mins => rules.hold_minutes));
    update public.orders o
    set subtotal_amount = price.subtotal, placed_at = now(), hold_expires_at = held_until,
      expires_at = now() + make_interval(hours => rules.unpaid_expire_hours)
    where o.id = draft_id;
    perform private.settle_free_order(draft_id, price.total);
  end
  $$;

-- There is nothing to pay, so it is paid.
create function private.settle_free_order(placed_id uuid, total numeric) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if total = 0 then
      update public.orders o set status = 'new', paid_at = now() where o.id = placed_id;
    end if;
  end
  $$;
