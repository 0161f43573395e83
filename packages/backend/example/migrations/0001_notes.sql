create table public.notes (
  id     int generated always as identity primary key,
  author uuid not null default auth.uid() references auth.users on delete cascade,
  body   text not null
);

alter table public.notes enable row level security;
