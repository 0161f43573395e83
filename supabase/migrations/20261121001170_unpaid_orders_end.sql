-- Trying to pay again lets an unpaid order wait another day, and with it the use of its promo code. Not for ever: three times as long
-- as an unpaid order lives, counted from when it was placed. After that it is not held anew and ends; whoever still wants the
-- lures orders them again, at what they and the code are worth then, and beside everybody else.
-- NOTE: an order without expiry waits for a person or for an answer about its money, and goes on waiting.
create or replace function private.renew_hold(order_id uuid) returns text
  language plpgsql
  set search_path = ''
  as $$
  declare
    rules private.shop_rules;
    waiting public.orders;
    waits_until timestamptz;
    held_until timestamptz;
    refusal text;
  begin
    select * into rules from private.shop_rules;
    select * into waiting from public.orders o where o.id = renew_hold.order_id for update;
    waits_until := waiting.placed_at + 3 * make_interval(hours => rules.unpaid_expire_hours);
    if waiting.placed_at is null or waiting.status <> 'pending_payment'
      or (waiting.expires_at is not null and waits_until <= now()) then
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
      expires_at = case when o.expires_at is not null
        then least(now() + make_interval(hours => rules.unpaid_expire_hours), waits_until) end
    where o.id = waiting.id;
    return 'held';
  end
  $$;
comment on function private.renew_hold(uuid) is
  'held (as long as the customer''s time allows), sold_out or not_waiting.';
