-- The daily comparison with PayFast's own transaction history finds money without an order and orders without money. A difference
-- becomes an issue; it never marks an order as paid and never refunds. An admin records a missed payment (missed_payments.sql); until then
-- its order neither expires nor can be paid again.

-- Admins read. Not granted: insert. The job reconcile_payments writes.
comment on table public.payment_reconciliations is 'Each comparison with PayFast''s transaction history, with the number of differences.';
comment on column public.payment_reconciliations.transactions is 'Number of transactions that PayFast listed.';
comment on column public.payment_reconciliations.differences is 'Number of new issues.';
grant select on public.payment_reconciliations to authenticated, service_role;

create policy select_as_admin on public.payment_reconciliations for select to authenticated
  using ((select private.is_admin()));

-- `history` is [{pf_payment_id, m_payment_id, gross}] for whole days of South African time, gross in rand. PayFast may book a
-- payment near midnight on either day, so the first and last day are not searched for missing money. The day of a payment is that
-- of its notice, because PayFast may confirm the notice weeks later; EFT and cash have none. Each difference is raised once, however often the period is
-- compared. Returns the number of new differences.
create or replace function private.reconcile(from_day date, to_day date, history jsonb) returns integer
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    found_differences integer;
    missed text[];
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
      from public.payments p join public.payment_notices n on n.id = p.notice_id
      where (n.received_at at time zone 'Africa/Johannesburg')::date > from_day
        and (n.received_at at time zone 'Africa/Johannesburg')::date < to_day
        and not exists (select from transactions t where t.pf_payment_id = p.pf_payment_id)
    ), flagged as (
      insert into public.payment_issues (kind, order_id, detail)
      select d.kind, private.order_of_attempt(d.m_payment_id), jsonb_build_object(
        'pf_payment_id', d.pf_payment_id, 'm_payment_id', d.m_payment_id, 'amount', d.amount, 'recorded', d.recorded)
      from differences d
      on conflict (kind, (detail ->> 'pf_payment_id')) where notice_id is null do nothing
      returning kind, detail ->> 'm_payment_id' as m_payment_id
    )
    select count(*), array_agg(f.m_payment_id) filter (where f.kind = 'missed_notice') into found_differences, missed from flagged f;
    perform private.keep_order_for_notice(m.m_payment_id, now() + interval '1 hour')
      from (select u.m_payment_id from unnest(missed) as u (m_payment_id) order by private.order_of_attempt(u.m_payment_id)) as m;

    insert into public.payment_reconciliations (from_day, to_day, transactions, differences)
      values (reconcile.from_day, reconcile.to_day, jsonb_array_length(history), found_differences);
    return found_differences;
  end
  $$;
