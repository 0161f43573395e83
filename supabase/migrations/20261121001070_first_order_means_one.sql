-- A code for a first order is claimed by a person once, however many accounts order with it at the same time: an unpaid order that
-- holds such a code is going to be the first one, so there is no second. Until now only what had been paid spoke against it, and
-- two accounts of one person could both wait with it. The same customer's own unpaid order still does not count, because placing
-- again replaces that order.
create or replace function private.promo_problem(promo public.promo_codes, customer uuid, email text, phone text) returns text
  language plpgsql stable
  set search_path = ''
  as $$
  declare
    own_waiting int;
    own_uses int;
  begin
    if promo.id is null then
      return 'unknown';
    elsif not promo.is_active then
      return 'inactive';
    elsif promo.starts_at > now() then
      return 'not_started';
    elsif promo.expires_at <= now() then
      return 'expired';
    end if;

    select count(*) filter (where waiting), count(*) filter (where own and not waiting) into own_waiting, own_uses
    from (
      select coalesce(r.customer_id = customer and o.status = 'pending_payment', false) as waiting,
        r.customer_id = customer
          or r.email = private.normal_email(promo_problem.email)
          or r.phone = private.normal_phone(promo_problem.phone) as own
      from public.promo_redemptions r
      join public.orders o on o.id = r.order_id
      where r.promo_code_id = promo.id and r.released_at is null
    ) as uses;

    if promo.times_used - own_waiting >= promo.usage_limit then
      return 'used_up';
    elsif own_uses >= promo.per_customer_limit then
      return 'already_used';
    elsif promo.first_order_only and (own_uses > 0 or private.has_bought(customer, email, phone)) then
      return 'not_first_order';
    end if;
    return null;
  end
  $$;
