-- An order that holds money stays: without it the ledger would name a payment whose buyer is known to nobody, and no refund could be
-- mailed. It holds money while a payment of it has not gone back in full, or while a notice about one is being checked.
-- The specified page deletes the lines first and the order after them, so both are guarded.
create function private.keep_order_with_money() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if private.has_money_waiting(case tg_table_name when 'orders' then (to_jsonb(old) ->> 'id')::uuid else (to_jsonb(old) ->> 'order_id')::uuid end) then
      perform private.refuse(409, 'order_holds_money', 'Money was received for this order. Cancel it and refund it first; then it can be deleted.');
    end if;
    return old;
  end
  $$;
create trigger keep_order_with_money before delete on public.orders
  for each row execute function private.keep_order_with_money();
create trigger keep_order_with_money before delete on public.order_items
  for each row execute function private.keep_order_with_money();
