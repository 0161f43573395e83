-- Mail, messages of the contact form, and the newsletter.

-- The outbox. A mail is written in the transaction that causes it, and a job sends it. The key names the occasion, which is mailed
-- once.
create table public.mails (
  id           uuid primary key default gen_random_uuid(),
  key          text not null constraint key_is_unique unique,
  template     text not null,
  -- Null for mails to the shop, whose address is a setting of the process.
  recipient    text constraint recipient_is_one_line check (private.is_line(recipient, 3, 320)),
  -- What the template is rendered with, as of the occasion.
  props        jsonb not null,
  -- A mail with a secret, such as a sign-in link. Staff cannot read it.
  confidential boolean not null default false,
  -- The subscription of a marketing mail: it must still exist when the mail is sent.
  signup_id    uuid,
  is_marketing boolean not null generated always as (template in ('newsletter-signup')) stored,
  -- As sent.
  sent_to      text,
  subject      text,
  html         text,
  text         text,
  status       text not null default 'queued'
    constraint status_is_known check (status in ('queued', 'sent', 'failed')),
  attempts     integer not null default 0,
  last_error   text,
  created_at   timestamptz not null default now(),
  sent_at      timestamptz,
  constraint sent_has_a_time check ((status = 'sent') = (sent_at is not null))
);
alter table public.mails enable row level security;
alter table public.mails force row level security;

create index mails_newest_first on public.mails (created_at desc);
create index mails_by_signup on public.mails (signup_id) where signup_id is not null;

-- The page of an order reads its mails by this expression.
create index mails_of_an_order on public.mails ((props ->> 'orderId'), created_at);
create index mails_unsent_idx on public.mails (status) where status <> 'sent';

-- Messages of the contact form.
create table public.contact_submissions (
  id         uuid primary key default gen_random_uuid(),
  name       text not null constraint malformed_name check (private.is_line(name, 2, 100)),
  email      text not null constraint malformed_email check (private.is_email(email)),
  subject    text not null constraint malformed_subject check (private.is_line(subject, 3, 200)),
  message    text not null constraint malformed_message check (length(btrim(message)) >= 10 and length(message) <= 2000),
  created_at timestamptz not null default now()
);
alter table public.contact_submissions enable row level security;
alter table public.contact_submissions force row level security;

create index contact_submissions_created_at_idx on public.contact_submissions (created_at desc);

-- A message is done when it has a row here; deleting the row opens it again.
create table public.contact_answers (
  submission_id uuid primary key references public.contact_submissions on delete cascade,
  answered_by   uuid not null default auth.uid(),
  answered_at   timestamptz not null default now()
);
alter table public.contact_answers enable row level security;
alter table public.contact_answers force row level security;

-- Answers written in the admin area, with their mail.
create table public.contact_replies (
  id            uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.contact_submissions on delete cascade,
  subject       text not null constraint malformed_subject check (private.is_line(subject, 1, 200)),
  message       text not null constraint malformed_message check (length(message) between 1 and 10000),
  replied_by    uuid not null,
  mail_id       uuid references public.mails on delete set null,
  created_at    timestamptz not null default now()
);
alter table public.contact_replies enable row level security;
alter table public.contact_replies force row level security;

create index contact_replies_submission_id_idx on public.contact_replies (submission_id, created_at);
create index contact_replies_mail_id_idx on public.contact_replies (mail_id);

-- The unique constraint answers the popup's question whether an address is new: a second insert fails with 23505.
create table public.newsletter_signups (
  id                   uuid primary key default gen_random_uuid(),
  email                text not null constraint malformed_email check (private.is_email(email))
    constraint email_already_signed_up unique,
  source               text not null default 'popup' constraint unknown_source check (source in ('popup', 'footer', 'sign_up', 'shop')),
  accepted_terms       boolean not null default false,
  created_at           timestamptz not null default now(),
  unsubscribed_at      timestamptz,
  confirmation_sent_at timestamptz,
  claimed_at           timestamptz
);
alter table public.newsletter_signups enable row level security;
alter table public.newsletter_signups force row level security;

create index newsletter_signups_created_at_idx on public.newsletter_signups (created_at desc);
create index newsletter_signups_mailbox_idx on public.newsletter_signups (auth.mailbox_of(email));

alter table public.mails add foreign key (signup_id) references public.newsletter_signups on delete set null;

-- Secrets of the links, in a table of their own because admins read the signups. A confirmation is stored as a hash: a leaked copy of
-- the database must not give consent. The unsubscribe secret is needed in clear for every mail and can only end a subscription.
create table private.newsletter_links (
  signup_id         uuid primary key references public.newsletter_signups on delete cascade on update cascade,
  unsubscribe       text not null unique default replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  -- The unsubscribe links of early mails contain the id of the signup and must keep working.
  honours_id        boolean not null default false,
  confirmation_hash bytea,
  mails_sent        int not null default 0,
  asked_at          timestamptz,
  wording           text,
  customer_id       uuid references public.profiles on delete set null,
  confirmed_at      timestamptz
);
alter table private.newsletter_links enable row level security;
alter table private.newsletter_links force row level security;

create index newsletter_links_confirmation_idx on private.newsletter_links (confirmation_hash) where confirmation_hash is not null;
create index newsletter_links_customer_idx on private.newsletter_links (customer_id) where customer_id is not null;

-- The ledger of consent. Append only; the newest row of an address holds.
create table public.marketing_consents (
  id          bigint generated always as identity primary key,
  email       text not null constraint malformed_email check (private.is_email(email)),
  customer_id uuid references public.profiles on delete set null,
  is_given    boolean not null,
  source      text not null constraint malformed_source check (private.is_line(source, 1, 60)),
  wording     text not null constraint wording_too_long check (length(wording) between 1 and 1000),
  created_at  timestamptz not null default now()
);
alter table public.marketing_consents enable row level security;
alter table public.marketing_consents force row level security;

create index marketing_consents_email_idx on public.marketing_consents (email, id desc);
create index marketing_consents_customer_id_idx on public.marketing_consents (customer_id) where customer_id is not null;

-- Codes sent to phones on a shop that only this machine can reach: its mailbox page shows them, as it shows mails. With a public
-- address they are sent by a job and not stored.
create table private.texts (
  id         uuid primary key default gen_random_uuid(),
  sent_to    text not null,
  channel    text not null constraint unknown_channel check (channel in ('sms', 'whatsapp')),
  code       text not null,
  created_at timestamptz not null default now()
);
alter table private.texts enable row level security;
alter table private.texts force row level security;

create index texts_created_at_idx on private.texts (created_at desc);
