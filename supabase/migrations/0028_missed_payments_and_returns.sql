-- A payment that PayFast's history lists although its notice never arrived has no notice: an admin records it
-- (schema/payments/missed_payments.sql).
alter table public.payments
  drop constraint notice_or_hand,
  add constraint notice_or_hand check (
    way = 'payfast' and pf_payment_id is not null and (notice_id is null) = (recorded_by is not null)
    or way <> 'payfast' and notice_id is null and pf_payment_id is null and recorded_by is not null);

-- The refund dialog proposes what the customer paid for the lures that come back, so the function returns prices too
-- (schema/payments/returned_items.sql).
drop function if exists public.returnable_items(uuid);
