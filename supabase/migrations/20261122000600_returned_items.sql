-- What comes back with a refund: lines with a quantity, never the order as a whole.
--
-- A line that came back is one the buyer no longer gets, so nothing takes its stock again: not a reinstated order, not the packing
-- slip. order_items carries the sum, because a packer reads the lines and not the ledger; payment_refund_items says which refund it was.
alter table public.order_items
  add column returned_quantity int not null default 0,
  add constraint returned_more_than_sold check (returned_quantity between 0 and quantity);
comment on column public.order_items.returned_quantity is
  'How many the buyer no longer gets: put back on the shelf by a refund. The sum of payment_refund_items.';

-- Evidence like the refund itself: written once. No foreign key to the line, because the ledger outlives a deleted order.
create table public.payment_refund_items (
  refund_id       uuid not null references public.payment_refunds on delete restrict,
  order_item_id   uuid not null,
  product_name    text not null,
  product_variant text,
  with_hooks      boolean,
  quantity        int not null constraint return_of_nothing check (quantity > 0),
  primary key (refund_id, order_item_id)
);
comment on table public.payment_refund_items is 'Which lines a refund put back on the shelf, and how many of each.';
create index payment_refund_items_by_line on public.payment_refund_items (order_item_id);
alter table public.payment_refund_items enable row level security;
alter table public.payment_refund_items force row level security;
grant select on public.payment_refund_items to authenticated, service_role;
create policy select_as_admin on public.payment_refund_items
  for select to authenticated
  using ((select private.is_admin()));
create trigger rows_are_never_changed before update or delete on public.payment_refund_items
  for each row execute function private.keep_ledger_row();
create trigger rows_are_never_emptied before truncate on public.payment_refund_items
  for each statement execute function private.keep_ledger_row();
-- NOTE: nobody writes: the rows come from record_refund().


-- Which payment paid its order: by an exact notice, by hand, or because an admin accepted it later. Every other payment of an order
-- is surplus (a duplicate, a wrong amount): it has taken no stock, so refunding it returns none.
create or replace view public.payment_balances with (security_invoker = true) as
  select p.id as payment_id, p.order_id, p.pf_payment_id, p.amount_gross, back.given_back, back.on_its_way,
    p.amount_gross - back.given_back - back.on_its_way as refundable,
    case p.way when 'payfast' then private.refund_way() else 'by_hand' end as refund_way,
    p.outcome in ('paid', 'reinstated')
      or exists (select from public.payment_acceptances a where a.payment_id = p.id) as pays_order,
    p.way, p.reference, p.created_at as received_at
  from public.payments p
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.state = 'done'), 0) as given_back,
      coalesce(sum(r.amount) filter (where r.state in ('requested', 'sent', 'unknown')), 0) as on_its_way
    from public.refunds r where r.payment_id = p.id
  ) as back;
comment on column public.payment_balances.pays_order is 'Whether this payment made its order paid; false for a duplicate or a wrong amount.';

create function private.refundable_of(order_id uuid) returns numeric
  language sql stable
  set search_path = ''
  as $$
    select coalesce(sum(b.refundable), 0) from public.payment_balances b where b.order_id = refundable_of.order_id and b.pays_order
  $$;
comment on function private.refundable_of(uuid) is 'Rand of the payments that paid this order, less what went back or is on its way back.';


-- What an order still needs from the shelf: its lines without what came back, less what it has taken.
create or replace function private.order_needs(needing uuid)
  returns table (variant_id uuid, product_name text, product_variant text, quantity int, made_to_order boolean)
  language plpgsql stable
  set search_path = ''
  as $$
  #variable_conflict use_column
  begin
    return query
      select i.variant_id, min(i.product_name), min(i.product_variant),
        (sum(i.quantity - i.returned_quantity) + coalesce((
          select sum(m.quantity) from public.stock_movements m where m.order_id = needing and m.variant_id = i.variant_id
        ), 0))::int,
        coalesce(bool_or(p.made_to_order), false)
      from public.order_items i
      left join public.products p on p.id = i.product_id
      where i.order_id = needing
      group by i.variant_id;
  end
  $$;

-- How many of each line can still come back: no more than the line less its returns, and no more than the order has taken from the
-- shelf and not given back. An order that was cancelled before it left has given everything back.
create function private.returnable_items(of_order uuid)
  returns table (order_item_id uuid, variant_id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, returnable int)
  language sql stable
  set search_path = ''
  as $$
    select i.id, i.variant_id, i.product_name, i.product_variant, i.with_hooks, i.quantity,
      greatest(0, least(i.quantity - i.returned_quantity, coalesce((
        select -sum(m.quantity) from public.stock_movements m where m.order_id = of_order and m.variant_id = i.variant_id
      ), 0)))::int
    from public.order_items i
    where i.order_id = of_order
    order by i.position, i.created_at, i.id
  $$;

create function public.returnable_items(order_id uuid)
  returns table (order_item_id uuid, product_name text, product_variant text, with_hooks boolean, quantity int, returnable int)
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_admin();
    return query
      select r.order_item_id, r.product_name, r.product_variant, r.with_hooks, r.quantity, r.returnable
      from private.returnable_items(returnable_items.order_id) r;
  end
  $$;
grant execute on function public.returnable_items(uuid) to authenticated;
comment on function public.returnable_items(uuid) is 'Each line of an order with how many of it a refund can still put back on the shelf.';

-- Two lines may share a lure body (with hooks and without), so each is compared with what the lines before it have left.
create function private.return_items(refund public.payment_refunds, returned jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  declare
    wanted record;
    line record;
  begin
    perform private.lock_shelf(array(select i.variant_id from public.order_items i where i.order_id = refund.order_id));
    perform private.lock_products(refund.order_id);
    for wanted in select r.order_item_id, r.quantity from jsonb_to_recordset(returned) as r (order_item_id uuid, quantity int) loop
      select * into line from private.returnable_items(refund.order_id) i where i.order_item_id = wanted.order_item_id;
      if (wanted.quantity > 0 and line.order_item_id is not null) is not true then
        perform private.refuse(422, 'invalid_return', 'Name lines of this order, each with how many come back.');
      elsif wanted.quantity > line.returnable then
        perform private.refuse(409, 'return_exceeds_line', 'More would come back than this order still has of a line.',
          jsonb_build_object('order_item_id', line.order_item_id, 'returnable', line.returnable));
      end if;
      insert into public.payment_refund_items (refund_id, order_item_id, product_name, product_variant, with_hooks, quantity)
        values (refund.id, line.order_item_id, line.product_name, line.product_variant, line.with_hooks, wanted.quantity);
      update public.order_items i set returned_quantity = i.returned_quantity + wanted.quantity where i.id = line.order_item_id;
      perform private.move_stock(line.variant_id, wanted.quantity, 'returned', refund.order_id);
    end loop;
  end
  $$;


-- The order is locked before its payment, as a notice and a cancellation lock it: so a refund and a reinstatement of one order wait
-- for each other, and a refund cannot meet an order that is being deleted.
create or replace function private.lock_payment(payment_id uuid) returns public.payments
  language plpgsql
  set search_path = ''
  as $$
  declare
    locked public.payments;
  begin
    perform from public.orders o
      where o.id = (select p.order_id from public.payments p where p.id = lock_payment.payment_id)
      for update;
    select * into locked from public.payments p where p.id = lock_payment.payment_id for update;
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such payment.');
    end if;
    return locked;
  end
  $$;

-- record_refund(payment_id, amount, reason, returned = [], way = null)
--   returned   [{"order_item_id": uuid, "quantity": n}]: what goes back on the shelf, at once, whatever becomes of the money
--   way        as before: null is as the shop is set, by_hand records money that went back already
--   409 refund_without_return when the payment did not pay its order, 409 return_exceeds_line, 422 invalid_return, and what it
--   refused before
drop function public.record_refund(uuid, numeric, text, boolean, text);

create function public.record_refund(payment_id uuid, amount numeric, reason text, returned jsonb default '[]', way text default null)
  returns public.payment_refunds
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    refunded public.payments;
    refund public.payment_refunds;
    with_items boolean;
  begin
    perform private.require_admin();
    if jsonb_typeof(coalesce(returned, '[]')) <> 'array' then
      perform private.refuse(422, 'invalid_return', 'Name lines of this order, each with how many come back.');
    end if;
    with_items := jsonb_array_length(coalesce(returned, '[]')) > 0;
    refunded := private.lock_payment(record_refund.payment_id);
    perform private.require_refundable(refunded.id, record_refund.amount);
    if refunded.way <> 'payfast' and record_refund.way = 'payfast' then
      perform private.refuse(409, 'refund_by_hand', 'This money did not come through PayFast, so it goes back by hand.');
    elsif with_items and not (select b.pays_order from public.payment_balances b where b.payment_id = refunded.id) then
      perform private.refuse(409, 'refund_without_return', 'This payment did not pay the order, so refunding it puts nothing back in stock.');
    end if;

    insert into public.payment_refunds (payment_id, order_id, amount, reason, restocked, way, recorded_by)
      values (refunded.id, refunded.order_id, record_refund.amount, btrim(record_refund.reason), with_items,
        case when refunded.way <> 'payfast' then 'by_hand' else coalesce(record_refund.way, private.refund_way()) end,
        (select auth.uid()))
      returning * into refund;
    if with_items then
      perform private.return_items(refund, returned);
    end if;

    if refund.way = 'payfast' then
      perform private.ask_for_refund(refund);
    else
      perform private.refund_is_done(refund, '{}');
    end if;
    return refund;
  end
  $$;
grant execute on function public.record_refund(uuid, numeric, text, jsonb, text) to authenticated;
comment on function public.record_refund(uuid, numeric, text, jsonb, text) is
  'Gives money back: through PayFast in live mode, by hand otherwise. Never more than was paid, and no more lures than the order has.';
