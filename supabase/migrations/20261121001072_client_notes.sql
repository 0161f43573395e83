-- What the brothers tell each other about a client, as order_notes is about an order. The client never sees it. A note stays as it was
-- written and goes with the account.
create table public.client_notes (
  id         uuid primary key default gen_random_uuid(),
  client_id  uuid not null references public.profiles on delete cascade,
  body       text not null constraint note_says_something check (length(btrim(body)) between 1 and 2000),
  author_id  uuid not null default auth.uid(),
  created_at timestamptz not null default now()
);
comment on table public.client_notes is 'Internal notes about a client, for staff only.';
comment on column public.client_notes.author_id is 'No foreign key: the note outlives its author''s account.';
create index client_notes_client_id_idx on public.client_notes (client_id, created_at);
alter table public.client_notes enable row level security;
alter table public.client_notes force row level security;

grant select, insert (client_id, body) on public.client_notes to authenticated;
create policy select_as_admin on public.client_notes
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.client_notes
  for insert to authenticated
  with check ((select private.is_admin()));
-- NOTE: no update and no delete: a second note corrects the first.
