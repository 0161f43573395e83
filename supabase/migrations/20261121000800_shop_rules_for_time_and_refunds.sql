-- Two more figures that rules in SQL need: when an unpaid order is remembered, and how money goes back.
alter table private.shop_rules
  add column remind_after_minutes int not null default 30
    constraint reminder_out_of_range check (remind_after_minutes between 0 and 525600),
  add column refund_way text not null default 'by_hand'
    constraint unknown_refund_way check (refund_way in ('payfast', 'by_hand'));
comment on column private.shop_rules.remind_after_minutes is
  'How long after its hold has ended the buyer of an unpaid order is reminded.';
comment on column private.shop_rules.refund_way is
  'payfast in live mode, where PayFast''s interface takes refunds; by_hand everywhere else.';

create or replace function private.set_shop_rules(rules jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if rules - array['shipping_rate', 'free_shipping_from', 'hold_minutes', 'unpaid_expire_hours', 'remind_after_minutes', 'refund_way'] <> '{}' then
      raise exception 'unknown shop rule in %', rules using errcode = '22023';
    end if;

    update private.shop_rules set
      shipping_rate = coalesce((rules ->> 'shipping_rate')::numeric, shipping_rate),
      free_shipping_from = coalesce((rules ->> 'free_shipping_from')::numeric, free_shipping_from),
      hold_minutes = coalesce((rules ->> 'hold_minutes')::int, hold_minutes),
      unpaid_expire_hours = coalesce((rules ->> 'unpaid_expire_hours')::int, unpaid_expire_hours),
      remind_after_minutes = coalesce((rules ->> 'remind_after_minutes')::int, remind_after_minutes),
      refund_way = coalesce(rules ->> 'refund_way', refund_way),
      updated_at = now();
  end
  $$;
comment on function private.set_shop_rules(jsonb) is
  'Takes {"shipping_rate":100,"free_shipping_from":1500,"hold_minutes":30,"unpaid_expire_hours":24,"remind_after_minutes":30,"refund_way":"by_hand"}; what is absent stays.';

-- Views that run as their reader ask this.
create function private.refund_way() returns text
  language sql stable security definer
  set search_path = ''
  as $$ select r.refund_way from private.shop_rules r $$;
grant execute on function private.refund_way() to authenticated, service_role;

-- Once for each order: some time after its lures were last held, and while an hour is left to pay in. An order with money on
-- its way has no expires_at and is left in peace.
create or replace function private.remind_unpaid_orders() returns integer
  language sql security definer
  set search_path = ''
  as $$
    with unpaid as (
      select o.id, o.customer_email
      from public.orders o cross join private.shop_rules r
      where o.status = 'pending_payment' and o.placed_at is not null and o.customer_email is not null
        and o.hold_expires_at < now() - make_interval(mins => r.remind_after_minutes) and o.expires_at > now() + interval '1 hour'
        and not exists (select from public.mails m where m.key = 'payment-reminder:' || o.id)
      order by o.placed_at limit 500
    ), reminded as (
      select private.queue_mail('payment-reminder:' || u.id, 'payment-reminder', u.customer_email, private.order_for_mail(u.id))
      from unpaid u
    )
    select count(*)::integer from reminded
  $$;
