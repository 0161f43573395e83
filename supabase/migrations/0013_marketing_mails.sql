-- A mail is marketing if it belongs to a newsletter signup, so that a new marketing mail needs no migration. The expression named the
-- only template before.
alter table public.mails alter column is_marketing set expression as (signup_id is not null);
