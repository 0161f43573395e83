-- What the weekly restore test found. Only the process writes and reads it; the System page shows the newest row as a finding.
create table private.restore_tests (
  id        bigint generated always as identity primary key,
  tested_at timestamptz not null default now(),
  -- The name of the backup; null when none could be restored.
  backup    text,
  -- A sentence each; empty if the backup is complete.
  problems  text[] not null
);
alter table private.restore_tests enable row level security;
alter table private.restore_tests force row level security;
