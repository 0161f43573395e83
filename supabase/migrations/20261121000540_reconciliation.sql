-- The daily comparison with PayFast's own transaction history: money without an order, and orders without money. A
-- difference is for a person; it makes no order paid and takes nothing back.

create unique index a_difference_is_flagged_once on public.payment_concerns (kind, (detail ->> 'pf_payment_id'))
  where notice_id is null;

create table public.payment_reconciliations (
  id            bigint generated always as identity primary key,
  from_day      date not null,
  to_day        date not null,
  transactions  integer not null,
  differences   integer not null,
  created_at    timestamptz not null default clock_timestamp()
);
comment on table public.payment_reconciliations is 'Each comparison with PayFast''s transaction history.';
alter table public.payment_reconciliations enable row level security;
alter table public.payment_reconciliations force row level security;
grant select on public.payment_reconciliations to authenticated, service_role;
create policy select_as_admin on public.payment_reconciliations
  for select to authenticated
  using ((select private.is_admin()));
create trigger rows_are_never_changed before update or delete on public.payment_reconciliations
  for each row execute function private.keep_ledger_row();
create trigger rows_are_never_emptied before truncate on public.payment_reconciliations
  for each statement execute function private.keep_ledger_row();


-- `history` holds money received, [{pf_payment_id, m_payment_id, gross}], for whole days of South African time. A payment near
-- midnight may stand under either day, so only days inside the period are asked for missing money.
create function private.reconcile(from_day date, to_day date, history jsonb) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    found_differences integer;
  begin
    with transactions as (
      select t.pf_payment_id, t.m_payment_id, t.gross
      from jsonb_to_recordset(history) as t (pf_payment_id text, m_payment_id text, gross numeric)
    ), differences as (
      select case when p.id is null then 'missed_notice' else 'history_differs' end as kind,
        t.pf_payment_id, t.m_payment_id, t.gross as amount, p.amount_gross as recorded
      from transactions t left join public.payments p on p.pf_payment_id = t.pf_payment_id
      where p.id is null or p.amount_gross <> t.gross
      union all
      select 'missing_money', p.pf_payment_id, p.m_payment_id, null, p.amount_gross
      from public.payments p
      where (p.created_at at time zone 'Africa/Johannesburg')::date > from_day
        and (p.created_at at time zone 'Africa/Johannesburg')::date < to_day
        and not exists (select from transactions t where t.pf_payment_id = p.pf_payment_id)
    ), flagged as (
      insert into public.payment_concerns (kind, order_id, detail)
      select d.kind, private.order_of_attempt(d.m_payment_id), jsonb_build_object(
        'pf_payment_id', d.pf_payment_id, 'm_payment_id', d.m_payment_id, 'amount', d.amount, 'recorded', d.recorded)
      from differences d
      on conflict (kind, (detail ->> 'pf_payment_id')) where notice_id is null do nothing
      returning 1
    )
    select count(*) into found_differences from flagged;

    insert into public.payment_reconciliations (from_day, to_day, transactions, differences)
      values (reconcile.from_day, reconcile.to_day, jsonb_array_length(history), found_differences);
    return found_differences;
  end
  $$;
