-- The day on which an EFT or cash arrived. Null: the day on which it was recorded, as of every payment through PayFast.
-- schema/payments/by_hand.sql writes it.
alter table public.payments
  add column received_on date,
  add constraint only_manual_payments_have_a_day check (received_on is null or way <> 'payfast');
