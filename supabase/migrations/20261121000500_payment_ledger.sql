-- The payment ledger: what we asked for, what we were told, what we checked, what it did.
--
-- Every row is written once and never changed (a trigger refuses), so the ledger can be read as
-- evidence. State is a record: a notice is decided when it has a row in payment_notice_outcomes,
-- a concern is settled when it has a row in payment_concern_resolutions.
--
-- NOTE: order_id carries no foreign key here. An admin may delete an order, and the record of money
-- must outlive it; order_number keeps the name under which people speak of it.

create function private.keep_ledger_row() returns trigger
language plpgsql set search_path = '' as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = 'restrict_violation';
end
$$;


-- One row for each time a buyer is sent to PayFast. m_payment_id is our name for that attempt: PayFast
-- echoes it, so a notice is matched to the attempt and to the amount that was asked for then.
create table public.payment_attempts (
  id            uuid primary key default gen_random_uuid(),
  order_id      uuid not null,
  order_number  integer not null,
  m_payment_id  text not null
    constraint m_payment_id_is_unique unique
    constraint m_payment_id_is_safe check (m_payment_id ~ '^[A-Za-z0-9_/-]{1,100}$'),
  merchant_id   text not null,
  amount        numeric(10,2) not null constraint amount_is_positive check (amount > 0),
  created_at    timestamptz not null default now()
);
comment on table public.payment_attempts is 'Each time a buyer left for the payment page, with the amount asked for.';
create index payment_attempts_by_order on public.payment_attempts (order_id, created_at desc);


-- What PayFast (or somebody else) posted to the notice address, byte for byte. A form is ASCII, so
-- text holds it exactly. m_payment_id is a copy for look-ups; the checks read raw_body.
create table public.payment_notices (
  id              uuid primary key default gen_random_uuid(),
  raw_body        text not null constraint raw_body_is_a_form check (raw_body ~ '^[!-~]+$' and length(raw_body) <= 16384),
  m_payment_id    text,
  headers         jsonb not null,
  source_address  text,
  received_at     timestamptz not null default now()
);
comment on table public.payment_notices is 'Payment notices as received. Stored before they are answered.';
create index payment_notices_by_attempt on public.payment_notices (m_payment_id);


-- Each check and each time it was made. `unknown` is a result of its own: PayFast was asked and gave
-- no clear answer, or the sender could not be placed.
create table public.payment_notice_checks (
  id          bigint generated always as identity primary key,
  notice_id   uuid not null references public.payment_notices on delete restrict,
  check_name  text not null constraint check_is_known
    check (check_name in ('signature', 'merchant', 'source', 'confirmation', 'attempt', 'amount')),
  result      text not null constraint result_is_known check (result in ('passed', 'failed', 'unknown')),
  detail      text,
  checked_at  timestamptz not null default clock_timestamp()
);
comment on table public.payment_notice_checks is 'Every check of a notice with its result.';
create index payment_notice_checks_by_notice on public.payment_notice_checks (notice_id, id);


create table public.payment_notice_outcomes (
  notice_id   uuid primary key references public.payment_notices on delete restrict,
  outcome     text not null constraint outcome_is_known check (outcome in (
    'paid', 'reinstated', 'repeated', 'not_a_payment',
    'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out',
    'bad_signature', 'wrong_merchant', 'denied', 'unreadable', 'unconfirmed')),
  decided_at  timestamptz not null default clock_timestamp()
);
comment on table public.payment_notice_outcomes is 'What a notice did. A notice without a row here is still being checked.';


-- Money that PayFast confirms it has taken for this merchant account, once for each of its payments,
-- whether or not it fits an order. order_id is null when no attempt of ours is named.
create table public.payments (
  id             uuid primary key default gen_random_uuid(),
  pf_payment_id  text not null constraint pf_payment_id_is_unique unique,
  notice_id      uuid not null references public.payment_notices on delete restrict,
  order_id       uuid,
  m_payment_id   text,
  amount_gross   numeric(10,2) not null,
  amount_fee     numeric(10,2),
  amount_net     numeric(10,2),
  outcome        text not null constraint outcome_is_known check (outcome in (
    'paid', 'reinstated', 'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out')),
  created_at     timestamptz not null default clock_timestamp()
);
comment on table public.payments is 'Money received, once for each payment of the provider.';
create index payments_by_order on public.payments (order_id);
create index payments_by_notice on public.payments (notice_id);
-- However many notices race: an order is paid once.
create unique index an_order_is_paid_once on public.payments (order_id) where outcome in ('paid', 'reinstated');


-- What a person must look at: money that fits no open order, or a notice that is not what it claims.
create table public.payment_concerns (
  id         uuid primary key default gen_random_uuid(),
  kind       text not null constraint kind_is_known check (kind in (
    'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out',
    'bad_signature', 'wrong_merchant', 'denied', 'unreadable', 'unconfirmed',
    'missed_notice', 'missing_money', 'history_differs')),
  -- Null for what the comparison with PayFast's history found.
  notice_id  uuid references public.payment_notices on delete restrict,
  order_id   uuid,
  detail     jsonb not null default '{}',
  raised_at  timestamptz not null default clock_timestamp(),
  constraint a_notice_is_flagged_once unique (notice_id, kind)
);
comment on table public.payment_concerns is 'Payments and notices that need a person.';
create index payment_concerns_by_order on public.payment_concerns (order_id);

create table public.payment_concern_resolutions (
  concern_id   uuid primary key references public.payment_concerns on delete restrict,
  -- Null when the shop settled it by itself, as when PayFast answers after all.
  resolved_by  uuid,
  note         text not null constraint note_says_something check (length(trim(note)) between 3 and 500),
  resolved_at  timestamptz not null default now()
);
comment on table public.payment_concern_resolutions is 'Who settled a concern, and how.';


-- Reach: admins read, nobody writes. The rows come from the functions below, which run as the owner.
do $$
declare
  ledger text;
begin
  foreach ledger in array array[
    'payment_attempts', 'payment_notices', 'payment_notice_checks', 'payment_notice_outcomes',
    'payments', 'payment_concerns', 'payment_concern_resolutions'
  ] loop
    execute format('alter table public.%I enable row level security', ledger);
    execute format('alter table public.%I force row level security', ledger);
    execute format('revoke all on public.%I from anon, authenticated, service_role', ledger);
    execute format('grant select on public.%I to authenticated, service_role', ledger);
    execute format(
      'create policy select_as_admin on public.%I for select to authenticated using ((select private.is_admin()))',
      ledger);
    execute format(
      'create trigger rows_are_never_changed before update or delete on public.%I
       for each row execute function private.keep_ledger_row()', ledger);
    execute format(
      'create trigger rows_are_never_emptied before truncate on public.%I
       for each statement execute function private.keep_ledger_row()', ledger);
  end loop;
end
$$;
-- NOTE: customers do not read the ledger. They ask update-order-status, which says paid or not.


-- An admin settles a concern, in words that stay.
create function public.resolve_payment_concern(concern_id uuid, note text) returns public.payment_concern_resolutions
language plpgsql security definer set search_path = '' as $$
declare
  resolution public.payment_concern_resolutions;
begin
  if not private.is_admin() then
    raise exception 'only an admin settles a payment concern' using errcode = 'insufficient_privilege';
  end if;
  if not exists (select from public.payment_concerns c where c.id = resolve_payment_concern.concern_id) then
    perform private.refuse(404, 'concern_not_found', 'There is no such concern.');
  end if;
  insert into public.payment_concern_resolutions (concern_id, resolved_by, note)
    values (resolve_payment_concern.concern_id, (select auth.uid()), resolve_payment_concern.note)
    on conflict on constraint payment_concern_resolutions_pkey do nothing
    returning * into resolution;
  if resolution.concern_id is null then
    perform private.refuse(409, 'concern_settled', 'This concern is settled already.');
  end if;
  return resolution;
end
$$;
grant execute on function public.resolve_payment_concern to authenticated;
