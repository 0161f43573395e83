-- From draft to placed order. There is one way: an orders row without placed_at, then its lines in one insert. When the
-- lines are in, the trigger below prices them from the catalogue, compares with what the buyer was shown, claims the promo code and
-- holds the stock, or refuses and nothing is written. place_order() inserts the two from the caller's cart;
-- the specified browser inserts them by itself; both end here.
create function private.lock_customer(customer uuid) returns void
  language sql
  set search_path = ''
  as $$ select pg_advisory_xact_lock(hashtextextended('orders of ' || customer, 0)) $$;
comment on function private.lock_customer(uuid) is 'One checkout of a customer at a time, over all tabs and processes.';

create function private.start_order() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    buyer public.profiles;
  begin
    if new.status = 'new' and new.total_amount > 0 or new.status not in ('pending_payment', 'new') then
      perform private.refuse(422, 'invalid_status', 'An order begins as awaiting payment.');
    end if;

    if (select count(*) from public.orders o where o.customer_id = new.customer_id and o.placed_at is null) >= 20 then
      perform private.refuse(429, 'too_many_drafts', 'Too many orders were begun. Please try again in half an hour.');
    end if;

    select * into rules from private.shop_rules;
    select * into buyer from public.profiles p where p.id = new.customer_id;
    new.status := 'pending_payment';
    new.customer_email := coalesce(new.customer_email, buyer.email);
    new.customer_name := coalesce(new.customer_name, case when private.is_line(buyer.full_name, 2, 100) then buyer.full_name end);
    new.customer_phone := coalesce(new.customer_phone, case when private.is_line(buyer.phone, 10, 20) then buyer.phone end);
    new.shipping_address := private.tidy(new.shipping_address);
    new.shipping_city := private.tidy(new.shipping_city);
    new.shipping_state := private.tidy(new.shipping_state);
    new.shipping_zip := private.tidy(new.shipping_zip);
    new.promo_code := (select p.code from public.promo_codes p where p.id = new.promo_code_id);
    -- A draft whose lines never come is removed after this.
    new.expires_at := now() + make_interval(mins => rules.hold_minutes);
    return new;
  end
  $$;
create trigger start_order before insert on public.orders
  for each row execute function private.start_order();

create function private.fill_order_item() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    sale private.sale := private.check_sale(new.product_name, new.product_variant, new.with_hooks, new.price);
  begin
    if new.with_hooks is null then
      perform private.refuse(422, 'hooks_not_chosen', 'Each line says with or without hooks.');
    end if;
    new.product_id := sale.product_id;
    new.variant_id := sale.variant_id;
    new.image_url := sale.image_url;
    return new;
  end
  $$;
create trigger fill_order_item before insert on public.order_items
  for each row execute function private.fill_order_item();

create function private.place_orders_of_items() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.place(touched.order_id)
    from (select distinct i.order_id from inserted i order by i.order_id) as touched;
    return null;
  end
  $$;
create trigger place_orders after insert on public.order_items
  referencing new table as inserted
  for each statement execute function private.place_orders_of_items();

create function private.place(draft_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    draft public.orders;
    promo public.promo_codes;
    price private.price;
    rules private.shop_rules;
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
    perform private.hold_stock(draft_id, now() + make_interval(mins => rules.hold_minutes));
    update public.orders o
    set subtotal_amount = price.subtotal, placed_at = now(),
      hold_expires_at = now() + make_interval(mins => rules.hold_minutes),
      expires_at = now() + make_interval(hours => rules.unpaid_expire_hours)
    where o.id = draft_id;

    if price.total = 0 then
      update public.orders o set status = 'new', paid_at = now() where o.id = draft_id;
    end if;
  end
  $$;
comment on function private.place(uuid) is
  'Prices a draft''s lines, claims its promo code, holds its stock; refuses what does not match.';

create function private.refuse_price(price private.price) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    perform private.refuse(409, 'price_changed',
      'The total has changed to R' || price.total || '. Please check it and order again.', to_jsonb(price));
  end
  $$;

-- One unpaid order for each customer: placing again replaces it, so that nobody holds the shelf twice over. Codes are locked
-- before any is given back or claimed, in the order of their ids.
create function private.replace_waiting_orders(draft public.orders) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    replaced uuid[];
  begin
    select array_agg(waiting.id) into replaced
    from (
      select o.id from public.orders o
      where o.customer_id = draft.customer_id and o.id <> draft.id and o.status = 'pending_payment' and o.placed_at is not null
        -- Money has come for one that waits for a person: it is not the buyer's to replace.
        and o.expires_at is not null
      order by o.id for update
    ) as waiting;

    perform from public.promo_codes p
    where p.id = draft.promo_code_id or p.id in (select o.promo_code_id from public.orders o where o.id = any (replaced))
    order by p.id for no key update;

    update public.orders o set status = 'cancelled', cancellation_reason = 'replaced' where o.id = any (replaced);
  end
  $$;
