-- The catch gallery.

-- Photos of catches: pending until staff approve or decline them. Approved ones are public.
create table public.gallery_submissions (
  id            uuid primary key default gen_random_uuid(),
  customer_name text not null constraint malformed_customer_name check (private.is_line(customer_name, 1, 100)),
  email         text constraint email_in_public check (email is null),
  description   text not null constraint malformed_description check (length(btrim(description)) between 1 and 2000),
  image_url     text not null constraint malformed_image_url check (private.is_link(image_url) and image_url <> ''),
  image_urls    text[] not null constraint impossible_number_of_images check (cardinality(image_urls) between 1 and 20),
  status        text not null default 'pending' constraint unknown_status check (status in ('pending', 'approved', 'declined')),
  created_at    timestamptz not null default now(),
  product_id    uuid references public.products on delete set null,
  variant_id    uuid references public.product_variants on delete set null,
  updated_at    timestamptz not null default now(),
  constraint malformed_image_urls check (private.are_links(image_urls)),
  constraint image_url_not_the_first check (image_url = image_urls[1])
);
alter table public.gallery_submissions enable row level security;
alter table public.gallery_submissions force row level security;

create index gallery_submissions_status_idx on public.gallery_submissions (status, created_at desc);
create index gallery_submissions_product_id_idx on public.gallery_submissions (product_id, created_at desc)
  where product_id is not null;
create index gallery_submissions_variant_id_idx on public.gallery_submissions (variant_id) where variant_id is not null;

-- E-mail addresses of the people who sent photos. A table of its own, because row level security cannot hide a column of a visible
-- row. The foreign key is deferred: a trigger writes the address before the submission.
create table public.gallery_contacts (
  submission_id uuid primary key references public.gallery_submissions on delete cascade deferrable initially deferred,
  email         text not null constraint malformed_email check (private.is_email(email))
);
alter table public.gallery_contacts enable row level security;
alter table public.gallery_contacts force row level security;

-- Every verdict with author and reason, for staff. The submission has only the present one.
create table public.gallery_reviews (
  id            bigint generated always as identity primary key,
  submission_id uuid not null references public.gallery_submissions on delete cascade,
  verdict       text not null constraint unknown_verdict check (verdict in ('pending', 'approved', 'declined')),
  reason        text constraint malformed_reason check (length(btrim(reason)) between 1 and 500),
  decided_by    uuid default auth.uid(),
  decided_at    timestamptz not null default now()
);
alter table public.gallery_reviews enable row level security;
alter table public.gallery_reviews force row level security;

create index gallery_reviews_submission_id_idx on public.gallery_reviews (submission_id, id);

-- Days on which uploads were refused because the daily limit was reached. An admin dismisses a day by deleting its row.
create table public.full_gallery_days (
  id              uuid primary key default gen_random_uuid(),
  day             date not null constraint full_day_twice unique,
  refused         int not null default 1 constraint nothing_refused check (refused > 0),
  last_refused_at timestamptz not null default now()
);
alter table public.full_gallery_days enable row level security;
alter table public.full_gallery_days force row level security;

-- Sent photos wait in `gallery-private`, which has no public addresses. Approving a submission moves them to `gallery`.
-- HEIC is missing because no browser of ours shows it; GIF and SVG are missing because their metadata cannot be removed.
insert into storage.buckets (id, name, public, file_size_limit, allowed_mime_types)
values
  ('gallery', 'gallery', true, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/avif']),
  ('gallery-private', 'gallery-private', false, 5242880, array['image/jpeg', 'image/png', 'image/webp', 'image/avif'])
on conflict (id) do update
  set public = excluded.public, file_size_limit = excluded.file_size_limit, allowed_mime_types = excluded.allowed_mime_types;
