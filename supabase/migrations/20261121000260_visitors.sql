-- What anybody may send without an account. Visitors insert and, beyond approved photos, read nothing back. How often
-- one address may send is the gateway's business; how much one row may hold is decided here.

-- Who asked for mail. The popup's question "has this address claimed already?" is answered by the insert itself: the address
-- is unique, so a second one is refused with 23505. A select finds nothing, whoever asks.
create table public.newsletter_signups (
  id              uuid primary key default gen_random_uuid(),
  email           text not null constraint malformed_email check (private.is_email(email))
    constraint email_already_signed_up unique,
  source          text not null default 'popup' constraint unknown_source check (source in ('popup', 'footer', 'sign_up', 'shop')),
  accepted_terms  boolean not null default false,
  created_at      timestamptz not null default now(),
  unsubscribed_at timestamptz
);
comment on table public.newsletter_signups is 'Addresses that asked for mail, once each, in lower case.';
comment on column public.newsletter_signups.source is 'Where on the site it was asked for.';
create index newsletter_signups_created_at_idx on public.newsletter_signups (created_at desc);
alter table public.newsletter_signups enable row level security;
alter table public.newsletter_signups force row level security;

create function private.lower_case_email() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.email := lower(btrim(new.email));
    return new;
  end
  $$;
create trigger lower_case_email before insert or update of email on public.newsletter_signups
  for each row execute function private.lower_case_email();

grant select (email), insert (email) on public.newsletter_signups to anon;
grant select, insert (email) on public.newsletter_signups to authenticated;
grant select, insert, update, delete on public.newsletter_signups to service_role;
create policy select_as_admin on public.newsletter_signups
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_from_popup on public.newsletter_signups
  for insert to anon, authenticated
  with check (source = 'popup' and not accepted_terms and unsubscribed_at is null);
-- NOTE: select (email) is granted to visitors and no policy lets them see a row: the specified question "is this address
-- there?" gets an empty answer instead of an error, and a stranger's subscription stays the stranger's.

-- Consent to marketing, as the law wants it kept: what was agreed to or withdrawn, in which words, where and when. Append only;
-- the newest row of an address is what holds.
create table public.marketing_consents (
  id          bigint generated always as identity primary key,
  email       text not null constraint malformed_email check (private.is_email(email)),
  customer_id uuid references public.profiles on delete set null,
  is_given    boolean not null,
  source      text not null constraint malformed_source check (private.is_line(source, 1, 60)),
  wording     text not null constraint wording_too_long check (length(wording) between 1 and 1000),
  created_at  timestamptz not null default now()
);
comment on table public.marketing_consents is 'The ledger of consent to marketing mail.';
comment on column public.marketing_consents.is_given is 'True for consent, false for its withdrawal.';
comment on column public.marketing_consents.wording is 'The sentence next to the box that was ticked.';
create index marketing_consents_email_idx on public.marketing_consents (email, id desc);
create index marketing_consents_customer_id_idx on public.marketing_consents (customer_id) where customer_id is not null;
create trigger lower_case_email before insert on public.marketing_consents
  for each row execute function private.lower_case_email();
alter table public.marketing_consents enable row level security;
alter table public.marketing_consents force row level security;

grant select on public.marketing_consents to authenticated, service_role;
create policy select_own on public.marketing_consents
  for select to authenticated
  using (customer_id = (select auth.uid()));
create policy select_as_admin on public.marketing_consents
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: no insert: the server function that shows the wording writes the row.

-- Messages from the contact page.
create table public.contact_submissions (
  id         uuid primary key default gen_random_uuid(),
  name       text not null constraint malformed_name check (private.is_line(name, 2, 100)),
  email      text not null constraint malformed_email check (private.is_email(email)),
  subject    text not null constraint malformed_subject check (private.is_line(subject, 3, 200)),
  message    text not null constraint malformed_message check (length(btrim(message)) >= 10 and length(message) <= 2000),
  created_at timestamptz not null default now()
);
comment on table public.contact_submissions is 'What people wrote to the shop.';
create index contact_submissions_created_at_idx on public.contact_submissions (created_at desc);
alter table public.contact_submissions enable row level security;
alter table public.contact_submissions force row level security;

grant insert (name, email, subject, message) on public.contact_submissions to anon, authenticated, service_role;
grant select on public.contact_submissions to authenticated, service_role;
create policy insert_any on public.contact_submissions
  for insert to anon, authenticated
  with check (true);
create policy select_as_admin on public.contact_submissions
  for select to authenticated
  using ((select private.is_admin()));
-- NOTE: visitors cannot read, so their insert must not ask for the row back.

create function private.are_links(urls text[]) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select coalesce(bool_and(url <> '' and private.is_link(url)), true) from unnest(urls) as url $$;
grant execute on function private.are_links(text[]) to anon, authenticated, service_role;

-- Photos of catches. They start pending; staff approve or decline; what is approved everybody sees.
create table public.gallery_submissions (
  id            uuid primary key default gen_random_uuid(),
  customer_name text not null constraint malformed_customer_name check (private.is_line(customer_name, 1, 100)),
  email         text constraint email_in_public check (email is null),
  description   text not null constraint malformed_description check (length(btrim(description)) between 1 and 2000),
  image_url     text not null constraint malformed_image_url check (private.is_link(image_url) and image_url <> ''),
  image_urls    text[] not null constraint impossible_number_of_images check (cardinality(image_urls) between 1 and 20),
  status        text not null default 'pending' constraint unknown_status check (status in ('pending', 'approved', 'declined')),
  created_at    timestamptz not null default now(),
  constraint malformed_image_urls check (private.are_links(image_urls)),
  constraint image_url_not_the_first check (image_url = image_urls[1])
);
comment on table public.gallery_submissions is 'Photos that customers sent for the gallery.';
comment on column public.gallery_submissions.email is
  'Taken on the way in and kept in gallery_contacts, because these rows are public; always null here.';
create index gallery_submissions_status_idx on public.gallery_submissions (status, created_at desc);
alter table public.gallery_submissions enable row level security;
alter table public.gallery_submissions force row level security;

-- How to reach who sent a photo. A table of its own, because row-level security cannot hide a column of a row it shows.
create table public.gallery_contacts (
  submission_id uuid primary key references public.gallery_submissions on delete cascade deferrable initially deferred,
  email         text not null constraint malformed_email check (private.is_email(email))
);
comment on table public.gallery_contacts is 'E-mail addresses of gallery submitters, for staff.';
alter table public.gallery_contacts enable row level security;
alter table public.gallery_contacts force row level security;
grant select on public.gallery_contacts to authenticated, service_role;
create policy select_as_admin on public.gallery_contacts
  for select to authenticated
  using ((select private.is_admin()));

-- The contact is written before its photo's row, hence the deferred foreign key.
create function private.move_gallery_email() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if btrim(new.email) <> '' then
      insert into public.gallery_contacts (submission_id, email) values (new.id, lower(btrim(new.email)))
      on conflict (submission_id) do update set email = excluded.email;
    else
      delete from public.gallery_contacts where submission_id = new.id;
    end if;
    new.email := null;
    return new;
  end
  $$;
create trigger move_email before insert or update of email on public.gallery_submissions
  for each row execute function private.move_gallery_email();

grant select on public.gallery_submissions to anon, authenticated, service_role;
grant insert (customer_name, email, description, image_url, image_urls, status)
  on public.gallery_submissions to anon, authenticated, service_role;
grant update (status, customer_name, email, description) on public.gallery_submissions to authenticated, service_role;
create policy select_approved on public.gallery_submissions
  for select to anon, authenticated
  using (status = 'approved');
-- The specified insert asks for its row back. It is the only pending row of this very instant; nobody else's now() equals it.
create policy select_just_sent on public.gallery_submissions
  for select to anon, authenticated
  using (status = 'pending' and created_at = now());
create policy select_as_admin on public.gallery_submissions
  for select to authenticated
  using ((select private.is_admin()));
create policy insert_pending on public.gallery_submissions
  for insert to anon, authenticated
  with check (status = 'pending');
create policy update_as_admin on public.gallery_submissions
  for update to authenticated
  using ((select private.is_admin())) with check ((select private.is_admin()));
