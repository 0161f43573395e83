-- PostgreSQL 17 is the first that can change the expression of a generated column.
alter table public.mails drop column is_marketing;
alter table public.mails add column is_marketing boolean not null generated always as (signup_id is not null) stored;
