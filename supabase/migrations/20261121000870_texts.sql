-- Texts to phones. A shop on this machine has nobody who sends them, so they stand in its mailbox page, as its mails do.
-- Everywhere else they go out by a job and are not kept.
create table private.texts (
  id         uuid primary key default gen_random_uuid(),
  sent_to    text not null,
  channel    text not null constraint unknown_channel check (channel in ('sms', 'whatsapp')),
  code       text not null,
  created_at timestamptz not null default now()
);
comment on table private.texts is 'Codes for phones that the mailbox page of this machine shows.';
create index texts_created_at_idx on private.texts (created_at desc);
alter table private.texts enable row level security;
alter table private.texts force row level security;
-- NOTE: no grants and no policies: they let somebody in, and only the mailbox of this machine reads them.
