-- Days on which the gallery refused photos because it had taken as many as it takes in a day: after an attack, or on a very good day, an
-- admin decides what to do about it. The process notes each refusal; an admin dismisses a day by deleting its row.
create table public.full_gallery_days (
  id               uuid primary key default gen_random_uuid(),
  day              date not null constraint full_day_twice unique,
  refused          int not null default 1 constraint nothing_refused check (refused > 0),
  last_refused_at  timestamptz not null default now()
);
comment on table public.full_gallery_days is 'Days on which the gallery refused photos because it was full, until an admin dismisses them.';
comment on column public.full_gallery_days.day is 'By the clock of Johannesburg.';
comment on column public.full_gallery_days.refused is 'How many uploads were refused.';
alter table public.full_gallery_days enable row level security;
alter table public.full_gallery_days force row level security;
grant select on public.full_gallery_days to authenticated, service_role;
grant delete on public.full_gallery_days to authenticated;
create policy select_as_admin on public.full_gallery_days
  for select to authenticated
  using ((select private.is_admin()));
create policy delete_as_admin on public.full_gallery_days
  for delete to authenticated
  using ((select private.is_admin()));
-- NOTE: nobody inserts or updates: rows come from private.note_full_gallery(), which the process calls.
select private.record_changes_of('public.full_gallery_days', ignored => '{refused,last_refused_at}');

create function private.note_full_gallery() returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.full_gallery_days (day) values ((now() at time zone 'Africa/Johannesburg')::date)
    on conflict (day) do update set refused = full_gallery_days.refused + 1, last_refused_at = now()
  $$;
comment on function private.note_full_gallery() is 'Notes that a photo was refused today because the gallery was full.';


-- The figure of "Needs attention" counts these days too.
create or replace function public.count_waiting_work() returns jsonb
  language plpgsql stable security definer
  set search_path = ''
  as $$
  begin
    perform private.require_staff();
    return (
      select jsonb_build_object(
        'to_make', count(*) filter (where o.status in ('new', 'pending')),
        'to_ship', count(*) filter (where o.status = 'processing'),
        'awaiting_payment', count(*) filter (where o.status = 'pending_payment'),
        'concerns', (select count(*) from public.open_payment_concerns) + (select count(*) from public.full_gallery_days),
        'failed_mails', (select count(*) from public.mails m where m.status = 'failed' and not m.confidential),
        'low_stock', (select count(*) from private.low_variants()),
        'pending_photos', (select count(*) from public.gallery_submissions g where g.status = 'pending'),
        'open_messages', (
          select count(*) from public.contact_submissions c
          where not exists (select from public.contact_answers a where a.submission_id = c.id)))
      from public.orders o
      where o.placed_at is not null and o.status in ('new', 'pending', 'processing', 'pending_payment'))
      || case when private.is_admin()
        then jsonb_build_object('to_refund', (select count(*) from public.refund_tasks t where t.is_open))
        else '{}' end;
  end
  $$;
