-- Who looked at a photo, what they decided, and why one was declined. The row of a submission says what holds now and is public once it
-- is approved; this ledger is for staff. It follows the status, whoever writes it: the page, its undo, or the specified plain update.
create table public.gallery_verdicts (
  id            bigint generated always as identity primary key,
  submission_id uuid not null references public.gallery_submissions on delete cascade,
  verdict       text not null constraint unknown_verdict check (verdict in ('pending', 'approved', 'declined')),
  reason        text constraint malformed_reason check (length(btrim(reason)) between 1 and 500),
  decided_by    uuid default auth.uid(),
  decided_at    timestamptz not null default now()
);
comment on table public.gallery_verdicts is 'What staff decided about each photo, append only; pending is a verdict taken back.';
comment on column public.gallery_verdicts.decided_by is 'No foreign key: the verdict outlives its author''s account.';
comment on column public.gallery_verdicts.reason is 'For staff; whoever sent the photo is not told.';
create index gallery_verdicts_submission_id_idx on public.gallery_verdicts (submission_id, id);
alter table public.gallery_verdicts enable row level security;
alter table public.gallery_verdicts force row level security;

grant select on public.gallery_verdicts to authenticated, service_role;
create policy select_as_admin on public.gallery_verdicts
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: no insert: the trigger below writes it.

create function private.write_gallery_verdict() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.gallery_verdicts (submission_id, verdict, reason)
    values (new.id, new.status, nullif(btrim(current_setting('shop.verdict_reason', true)), ''));
    return null;
  end
  $$;
create trigger write_verdict after update of status on public.gallery_submissions
  for each row when (old.status <> new.status)
  execute function private.write_gallery_verdict();

-- Approving, declining with a reason, or taking either back, if the photo still is what the page showed: who looks at it a moment
-- after somebody else is told instead of overruling them.
create function public.judge_photo(submission_id uuid, was text, verdict text, reason text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    judged public.gallery_submissions;
  begin
    perform private.require_admin();
    select * into judged from public.gallery_submissions s where s.id = judge_photo.submission_id for update;
    if not found then
      perform private.refuse(404, 'submission_not_found', 'There is no such photo.');
    elsif judged.status <> judge_photo.was then
      perform private.refuse(409, 'judged_already', 'Somebody else has looked at this photo meanwhile. It is ' || judged.status || ' now.',
        jsonb_build_object('status', judged.status));
    end if;

    perform set_config('shop.verdict_reason', case when verdict = 'declined' then coalesce(reason, '') else '' end, true);
    update public.gallery_submissions s set status = judge_photo.verdict where s.id = judged.id;
    perform set_config('shop.verdict_reason', '', true);
  end
  $$;
comment on function public.judge_photo(uuid, text, text, text) is 'Approves, declines (with a reason) or takes back; for staff.';
grant execute on function public.judge_photo(uuid, text, text, text) to authenticated;
