-- Payment issues: money or notices that need a person, on the page "Needs attention".
--
-- An issue is raised by a notice, by the daily reconciliation or by a refund. It is resolved by an admin with a note, by a later
-- answer of PayFast, or by the action that settles it (accepting the payment, refunding it). Withdrawing that refund raises the
-- issue again. Rows are never changed; a resolution is a row of its own.

-- Admins read. Not granted: insert. Rows come from functions that run as the owner.
comment on table public.payment_acceptances is
  'Payments that pay their order although their notice alone did not: late, accepted short, or topped up.';
comment on column public.payment_acceptances.shortfall is 'Rand that the payment was short of the total and that an admin waived.';
comment on column public.payment_acceptances.accepted_by is
  'The admin who accepted the payment or requested the difference.';
grant select on public.payment_acceptances to authenticated, service_role;

create policy select_as_admin on public.payment_acceptances for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_issue_resolutions is 'Resolved issues: by which admin, when, and the note. resolved_by is null when the shop resolved the issue itself.';
comment on column public.payment_issue_resolutions.note is 'What was done about it, in 3 to 500 characters.';
grant select on public.payment_issue_resolutions to authenticated, service_role;

create policy select_as_admin on public.payment_issue_resolutions for select to authenticated
  using ((select private.is_admin()));

comment on table public.payment_issues is 'Payments and notices that need a person.';
comment on column public.payment_issues.reopening is
  'How often the issue had been raised before: it is raised again when the refund that settled it is withdrawn.';
comment on column public.payment_issues.kind is
  'The outcome of the notice, or what the reconciliation or a refund found.';
comment on column public.payment_issues.order_id is 'Null when the payment names no order. No foreign key.';
comment on column public.payment_issues.detail is
  'Amounts in rand and identifiers: pf_payment_id, payment_id (payments that an admin recorded, refunds), order_number, refund_id.';
grant select on public.payment_issues to authenticated, service_role;

create policy select_as_admin on public.payment_issues for select to authenticated
  using ((select private.is_admin()));

-- The payment of an issue is found by its notice, by its id (recorded by an admin, refunds) or by PayFast's number (reconciliation). A union of
-- three index look-ups is fast where one condition with `or` would scan all payments.
create or replace view public.open_payment_issues with (security_invoker = true) as
  select c.id, c.kind, c.order_id, c.notice_id, p.id as payment_id, p.pf_payment_id, p.amount_gross, c.detail, c.raised_at,
    (c.detail ->> 'refund_id')::uuid as refund_id
  from public.payment_issues c
  left join lateral (
    select by_notice.id from public.payments by_notice where by_notice.notice_id = c.notice_id
    union all
    select by_id.id from public.payments by_id
    where by_id.id = case when c.notice_id is null then (c.detail ->> 'payment_id')::uuid end
    union all
    select by_name.id from public.payments by_name
    where by_name.pf_payment_id = case when c.notice_id is null then c.detail ->> 'pf_payment_id' end
  ) as meant on true
  left join public.payments p on p.id = meant.id
  where not exists (select from public.payment_issue_resolutions r where r.issue_id = c.id);

comment on view public.open_payment_issues is 'Unresolved issues with the payment each is about.';
grant select on public.open_payment_issues to authenticated, service_role;

create or replace function public.resolve_payment_issue(issue_id uuid, note text) returns public.payment_issue_resolutions
language plpgsql security definer set search_path = '' as $$
declare
  issue public.payment_issues;
  resolution public.payment_issue_resolutions;
begin
  if not private.is_admin() then
    raise exception 'only an admin may resolve a payment issue' using errcode = 'insufficient_privilege';
  end if;
  select * into issue from public.payment_issues c where c.id = resolve_payment_issue.issue_id;
  if not found then
    perform private.refuse(404, 'issue_not_found', 'There is no such payment issue.');
  end if;
  -- First the order, as record_missed_payment() does.
  perform from public.orders o where o.id = issue.order_id for update;
  insert into public.payment_issue_resolutions (issue_id, resolved_by, note)
    values (resolve_payment_issue.issue_id, (select auth.uid()), resolve_payment_issue.note)
    on conflict on constraint payment_issue_resolutions_pkey do nothing
    returning * into resolution;
  if resolution.issue_id is null then
    perform private.refuse(409, 'issue_resolved', 'This payment issue has already been resolved.');
  end if;
  -- A missed payment was holding its order; the note says what became of the money.
  if issue.kind = 'missed_notice' then
    perform private.release_order_of_notice(issue.order_id);
  end if;
  return resolution;
end
$$;
comment on function public.resolve_payment_issue is
  'An admin resolves an issue with a note of 3 to 500 characters. Errors: issue_not_found, issue_resolved.';
grant execute on function public.resolve_payment_issue to authenticated;

-- Raising the same issue of one notice twice has no effect, so callers may repeat it. A payment that an admin recorded has no
-- notice: its issue names it in `detail`.
create or replace function private.raise_payment_issue(kind text, notice_id uuid, order_id uuid, detail jsonb) returns void
language sql security definer set search_path = '' as $$
  insert into public.payment_issues (kind, notice_id, order_id, detail)
    values (raise_payment_issue.kind, raise_payment_issue.notice_id, raise_payment_issue.order_id, raise_payment_issue.detail)
    on conflict on constraint a_notice_is_flagged_once do nothing
$$;

-- The issues of a payment: those of its notice, or of a payment that an admin recorded. Those of its refunds have their own life.
create or replace function private.issues_of(payment public.payments) returns setof public.payment_issues
  language sql stable
  set search_path = ''
  as $$
    select c.* from public.payment_issues c where c.notice_id = payment.notice_id
    union all
    select c.* from public.payment_issues c
    where c.notice_id is null and c.order_id = payment.order_id and c.detail ->> 'payment_id' = payment.id::text
      and not c.detail ? 'refund_id'
  $$;

-- Resolves all issues of a payment in the name of the caller. Issues that are resolved already keep their note.
create or replace function private.resolve_issues(payment public.payments, note text) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_issue_resolutions (issue_id, resolved_by, note)
    select c.id, auth.uid(), resolve_issues.note from private.issues_of(payment) c
    on conflict on constraint payment_issue_resolutions_pkey do nothing
  $$;

-- An order whose lines an admin has deleted cannot be paid, however much stock there is: its money goes back.
create or replace function private.require_items(order_id uuid) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if not exists (select from public.order_items i where i.order_id = require_items.order_id) then
      perform private.refuse(409, 'order_without_items', 'This order has no items any more. Refund its payment.');
    end if;
  end
  $$;

-- Why no stock can be added for an order: a colour of it was deleted, and one that is made again is another one. Null for other orders.
create or replace function private.deleted_colour_problem(order_id uuid) returns text
  language sql stable
  set search_path = ''
  as $$
    select 'A colour of this order was deleted, so no stock can be added for it. Refund the payment.'
    where exists (
      select from public.order_items i where i.order_id = deleted_colour_problem.order_id and i.variant_id is null)
  $$;

-- A payment of the exact amount arrived when the stock was sold. The admin restocked and lets it pay its order now. If it answered
-- a request for the difference, the first payment is accepted with it; if either was refunded in the meantime, it is refused.
create or replace function public.accept_late_payment(payment_id uuid) returns text
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    waiting public.payments;
    requested uuid;
    outcome text;
  begin
    perform private.require_admin();
    select * into waiting from public.payments p where p.id = accept_late_payment.payment_id and p.outcome = 'sold_out';
    if not found then
      perform private.refuse(404, 'payment_not_found', 'There is no such late payment.');
    end if;
    perform private.lock_payment(waiting.id);
    requested := private.top_up_paid_by(waiting);
    if requested is not null and (private.open_top_up(waiting.order_id)).id is distinct from requested
      or (select b.refundable < b.amount_gross from public.payment_balances b where b.payment_id = waiting.id) then
      perform private.refuse(409, 'payment_refunded', 'Money of this payment has already been refunded.');
    end if;
    perform private.require_items(waiting.order_id);

    outcome := private.mark_order_paid(waiting.order_id, now());
    if outcome = 'sold_out' then
      perform private.refuse(409, 'sold_out', coalesce(private.deleted_colour_problem(waiting.order_id),
        'There is still not enough stock of these lures.'));
    elsif outcome not in ('paid', 'reinstated') then
      perform private.refuse(409, 'order_not_payable', 'This order is not waiting for payment.');
    end if;
    insert into public.payment_acceptances (payment_id, order_id, accepted_by)
      values (waiting.id, waiting.order_id, (select auth.uid()));
    perform private.complete_top_up(requested);
    perform private.resolve_issues(waiting, 'The payment was accepted for its order.');
    return outcome;
  end
  $$;
comment on function public.accept_late_payment is
  'An admin lets a payment that arrived too late pay its order. Returns paid or reinstated. Errors: payment_not_found, payment_refunded, order_without_items, sold_out, order_not_payable.';
grant execute on function public.accept_late_payment to authenticated;

-- The request for the difference that a payment answers: by its attempt, or by its amount if an admin recorded it, because only then is
-- the exact amount due less than the total. Null for the whole total.
create or replace function private.top_up_paid_by(payment public.payments) returns uuid
  language sql stable
  set search_path = ''
  as $$
    select case payment.way
      when 'payfast' then (select a.top_up_id from public.payment_attempts a where a.m_payment_id = payment.m_payment_id)
      else (
        select t.id from public.payment_top_ups t join public.orders o on o.id = t.order_id
        where t.order_id = payment.order_id and t.amount = payment.amount_gross and payment.amount_gross < o.total_amount
        order by t.created_at desc limit 1) end
  $$;

-- Raises the issues of a payment again that were resolved after a refund, because the refund was withdrawn: even if a later refund of
-- the rest resolved them, some of the money has not gone back.
create or replace function private.reopen_issues(refund public.payment_refunds) returns void
  language sql
  set search_path = ''
  as $$
    insert into public.payment_issues (kind, notice_id, order_id, detail, reopening)
    select c.kind, c.notice_id, c.order_id, c.detail, c.reopening + 1
    from public.payments p
    cross join private.issues_of(p) c
    join public.payment_issue_resolutions r on r.issue_id = c.id and r.resolved_at >= refund.created_at
    where p.id = refund.payment_id and not exists (
      select from private.issues_of(p) later where later.kind = c.kind and later.reopening > c.reopening)
  $$;
