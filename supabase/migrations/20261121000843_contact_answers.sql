-- A message from the contact form is done when it has a row here; deleting the row opens it again.
create table public.contact_answers (
  submission_id uuid primary key references public.contact_submissions on delete cascade,
  answered_by   uuid not null default auth.uid(),
  answered_at   timestamptz not null default now()
);
comment on table public.contact_answers is 'Which messages are dealt with, by whom and when.';
alter table public.contact_answers enable row level security;
alter table public.contact_answers force row level security;

grant select, insert (submission_id), delete on public.contact_answers to authenticated;
create policy select_as_admin on public.contact_answers
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.contact_answers
  for insert to authenticated
  with check ((select private.is_admin()));
create policy delete_as_admin on public.contact_answers
  for delete to authenticated
  using ((select private.is_admin()));
