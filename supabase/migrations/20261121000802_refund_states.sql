-- How far a refund is. The refund's row says what was asked for and is never changed; each step it takes is a row here, and
-- the newest one is its state:
--
--   requested → sent → done                           PayFast gave it back
--                   ↘ failed                          PayFast refused it in words
--                   ↘ unknown → done                  no clear answer; its balance shows that it did
--                             ↘ sent                  its balance shows for an hour that it did not: sent again
--   failed → requested                                an admin tries again
--   requested, unknown, failed → done, failed         an admin has looked, and says how it is
--   done                                              recorded by hand: the money is back already
alter table public.payment_refunds
  add column way text not null default 'by_hand' constraint unknown_refund_way check (way in ('payfast', 'by_hand'));
comment on column public.payment_refunds.way is
  'payfast: a job asks PayFast''s interface; by_hand: an admin paid it back and says so.';
comment on table public.payment_refunds is 'Refunds as they were asked for, against the payment the money came from.';

create table public.payment_refund_events (
  id          bigint generated always as identity primary key,
  refund_id   uuid not null references public.payment_refunds on delete restrict,
  state       text not null constraint state_is_known check (state in ('requested', 'sent', 'unknown', 'failed', 'done')),
  detail      jsonb not null default '{}',
  actor_id    uuid default auth.uid(),
  created_at  timestamptz not null default clock_timestamp()
);
comment on table public.payment_refund_events is 'Every step of a refund; the newest is its state.';
comment on column public.payment_refund_events.detail is
  'words: what PayFast or the network said; note: what an admin said; available: what PayFast would still give back before it was sent, in rand.';
create index payment_refund_events_by_refund on public.payment_refund_events (refund_id, id desc);
insert into public.payment_refund_events (refund_id, state, actor_id, created_at)
  select r.id, 'done', r.recorded_by, r.created_at from public.payment_refunds r;

alter table public.payment_refund_events enable row level security;
alter table public.payment_refund_events force row level security;
grant select on public.payment_refund_events to authenticated, service_role;
create policy select_as_admin on public.payment_refund_events
  for select to authenticated
  using ((select private.is_admin()));
create trigger rows_are_never_changed before update or delete on public.payment_refund_events
  for each row execute function private.keep_ledger_row();
create trigger rows_are_never_emptied before truncate on public.payment_refund_events
  for each statement execute function private.keep_ledger_row();
-- NOTE: nobody writes: the steps come from the functions in the next files.


-- Both views run as the caller, so the tables' policies hold: admins see rows, everybody else none.
create view public.refunds with (security_invoker = true) as
  select r.id, r.payment_id, r.order_id, r.amount, r.reason, r.restocked, r.way, r.recorded_by, r.created_at,
    step.state, step.detail, step.created_at as state_since
  from public.payment_refunds r
  cross join lateral (
    select e.state, e.detail, e.created_at from public.payment_refund_events e
    where e.refund_id = r.id order by e.id desc limit 1
  ) as step;
comment on view public.refunds is 'Each refund with its state: requested, sent, unknown, failed or done.';
grant select on public.refunds to authenticated, service_role;

create view public.payment_balances with (security_invoker = true) as
  select p.id as payment_id, p.order_id, p.pf_payment_id, p.amount_gross, back.given_back, back.on_its_way,
    p.amount_gross - back.given_back - back.on_its_way as refundable, private.refund_way() as refund_way
  from public.payments p
  cross join lateral (
    select coalesce(sum(r.amount) filter (where r.state = 'done'), 0) as given_back,
      coalesce(sum(r.amount) filter (where r.state in ('requested', 'sent', 'unknown')), 0) as on_its_way
    from public.refunds r where r.payment_id = p.id
  ) as back;
comment on view public.payment_balances is
  'What came with each payment, what went back, what is on its way back, and what could still go back.';
comment on column public.payment_balances.refund_way is 'How a refund made now would go back: payfast or by_hand.';
grant select on public.payment_balances to authenticated, service_role;


-- A refund that does not go through needs a person.
alter table public.payment_concerns
  drop constraint kind_is_known,
  add constraint kind_is_known check (kind in (
    'paid_twice', 'wrong_amount', 'unknown_order', 'order_deleted', 'sold_out',
    'bad_signature', 'wrong_merchant', 'denied', 'unreadable', 'unconfirmed',
    'missed_notice', 'missing_money', 'history_differs', 'refund_failed', 'refund_unknown'));
create index payment_concerns_by_refund on public.payment_concerns ((detail ->> 'refund_id')) where detail ? 'refund_id';

-- A concern knows its payment by the notice, by the refund, or by PayFast's number from the history.
create or replace view public.open_payment_concerns with (security_invoker = true) as
  select c.id, c.kind, c.order_id, c.notice_id, p.id as payment_id, p.pf_payment_id, p.amount_gross, c.detail, c.raised_at,
    (c.detail ->> 'refund_id')::uuid as refund_id
  from public.payment_concerns c
  left join public.payments p on case
    when c.notice_id is not null then p.notice_id = c.notice_id
    when c.detail ? 'refund_id' then p.id = (c.detail ->> 'payment_id')::uuid
    else p.pf_payment_id = c.detail ->> 'pf_payment_id'
  end
  where not exists (select from public.payment_concern_resolutions r where r.concern_id = c.id);
