-- Settings: shop_rules has the values of shop.config.ts, shop_settings what admins changed on the settings page. A null in
-- shop_settings means the value of the file.

-- NOTE: no role is granted shop_rules. Security-definer functions read it; the server process writes it at every start.
comment on table private.shop_rules is 'Rates in rand and times of shop.config.ts. One row.';
comment on column private.shop_rules.reservation_minutes is 'How long stock is reserved for a customer who went to pay.';
comment on column private.shop_rules.unpaid_expire_hours is 'Age at which an unpaid order is cancelled.';
comment on column private.shop_rules.remind_after_minutes is
  'How long after the end of its reservation an unpaid order is reminded.';
comment on column private.shop_rules.refund_way is
  'payfast in live mode, where PayFast''s API accepts refunds; otherwise by_hand.';
comment on column private.shop_rules.reservation_limit_minutes is
  'How long in all one customer''s unpaid orders may reserve one variant.';
comment on column private.shop_rules.low_stock_threshold is 'A variant with this many units or fewer is low on stock. Staff set it.';
comment on column private.shop_rules.is_public_address is
  'Whether the shop''s address is public, not the machine''s own. Written at every start.';
comment on column private.shop_rules.shipping_rate is 'Rand for an order below the free-shipping limit.';
comment on column private.shop_rules.free_shipping_from is 'Subtotal in rand from which shipping is free.';
comment on column private.shop_rules.only_row is 'Keeps the table at one row.';
-- Admins read and change it. Not granted: insert and delete; there is one row.
comment on table public.shop_settings is 'Settings that admins change on the settings page. One row.';
comment on column public.shop_settings.shipping_rate is 'Shipping rate in rand for every method; null: the value of shop.config.ts.';
comment on column public.shop_settings.free_shipping_from is
  'Subtotal in rand from which shipping is free; null: the value of shop.config.ts.';
comment on column public.shop_settings.requires_second_factor is
  'Whether staff must show a second factor; null: required if the address is public.';
comment on column public.shop_settings.offers_locker is 'Whether the checkout offers locker delivery.';
grant select on public.shop_settings to authenticated;
grant update (shipping_rate, free_shipping_from, offers_locker, requires_second_factor) on public.shop_settings to authenticated;

create policy select_as_admin on public.shop_settings for select to authenticated
  using ((select private.is_admin()));

create policy update_as_admin on public.shop_settings for update to authenticated
  using ((select private.is_admin()))
  with check ((select private.is_admin()));

-- Keys that are absent keep their value; an unknown key is an error, so that a typing mistake in the process cannot pass.
create or replace function private.set_shop_rules(rules jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if rules - array['shipping_rate', 'free_shipping_from', 'reservation_minutes', 'reservation_limit_minutes', 'unpaid_expire_hours',
        'remind_after_minutes', 'refund_way'] <> '{}' then
      raise exception 'unknown shop rule in %', rules using errcode = '22023';
    end if;

    update private.shop_rules set
      shipping_rate = coalesce((rules ->> 'shipping_rate')::numeric, shipping_rate),
      free_shipping_from = coalesce((rules ->> 'free_shipping_from')::numeric, free_shipping_from),
      reservation_minutes = coalesce((rules ->> 'reservation_minutes')::int, reservation_minutes),
      reservation_limit_minutes = coalesce((rules ->> 'reservation_limit_minutes')::int, reservation_limit_minutes),
      unpaid_expire_hours = coalesce((rules ->> 'unpaid_expire_hours')::int, unpaid_expire_hours),
      remind_after_minutes = coalesce((rules ->> 'remind_after_minutes')::int, remind_after_minutes),
      refund_way = coalesce(rules ->> 'refund_way', refund_way),
      updated_at = now();
  end
  $$;
comment on function private.set_shop_rules is
  'Writes values of shop.config.ts: {"shipping_rate":100,"free_shipping_from":1500,"reservation_minutes":30,"reservation_limit_minutes":120,"unpaid_expire_hours":24,"remind_after_minutes":30,"refund_way":"by_hand"}.';
