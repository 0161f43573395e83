-- What the brothers tell each other about an order. The customer never sees it: orders.notes is what the customer wrote, and what
-- is meant for the customer goes out as a mail. A note stays as it was written; a second one corrects it.
create table public.order_notes (
  id         uuid primary key default gen_random_uuid(),
  order_id   uuid not null references public.orders on delete cascade,
  body       text not null constraint note_says_something check (length(btrim(body)) between 1 and 2000),
  author_id  uuid not null default auth.uid(),
  created_at timestamptz not null default now()
);
comment on table public.order_notes is 'Internal notes of an order, for staff only.';
comment on column public.order_notes.author_id is 'No foreign key: the note outlives its author''s account.';
create index order_notes_order_id_idx on public.order_notes (order_id, created_at);
alter table public.order_notes enable row level security;
alter table public.order_notes force row level security;

grant select, insert (order_id, body) on public.order_notes to authenticated;
create policy select_as_admin on public.order_notes
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_as_admin on public.order_notes
  for insert to authenticated
  with check ((select private.is_admin()));
-- NOTE: no update and no delete: the timeline of an order is not edited.
