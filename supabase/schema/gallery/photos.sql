-- The catch gallery: photos that visitors send, from the upload to their deletion.
--
-- A visitor uploads files to the bucket gallery-private, then inserts a submission that names them. It starts as pending. Approving
-- moves the files to the public bucket `gallery`; taking the approval back moves them away again, so the address sent with a
-- submission works only while it is approved. A file name is used once, in both buckets together, and a file is never
-- replaced: otherwise a photo could be exchanged after its approval.

-- Everyone reads approved submissions, staff all. Visitors insert pending ones. Admins delete declined ones, for example because a person
-- asks for it; the job delete_unsent_photos removes the files. Not granted: image_url after the insert.
comment on table public.gallery_submissions is 'Submissions for the gallery: pending, approved or declined.';
comment on column public.gallery_submissions.email is
  'Always null. A trigger moves it to gallery_contacts, because approved rows are public.';
comment on column public.gallery_submissions.product_id is 'The lure of the catch, if the sender or staff named it.';
comment on column public.gallery_submissions.variant_id is 'The colour; always one of product_id.';
comment on column public.gallery_submissions.customer_name is 'Shown below the photo.';
comment on column public.gallery_submissions.description is 'The sender''s text about the catch.';
comment on column public.gallery_submissions.image_url is 'The first of image_urls, as the specified client reads it.';
comment on column public.gallery_submissions.image_urls is
  'Public addresses of 1 to 20 photos. They work while the submission is approved.';
comment on column public.gallery_submissions.status is 'pending, approved or declined.';
grant select on public.gallery_submissions to anon, authenticated, service_role;
grant insert (customer_name, email, description, image_url, image_urls, status, product_id, variant_id) on public.gallery_submissions to anon, authenticated, service_role;
grant update (customer_name, email, description, status, product_id, variant_id) on public.gallery_submissions to authenticated, service_role;

create policy select_approved on public.gallery_submissions for select to anon, authenticated
  using (status = 'approved');

-- The specified insert returns its row, which needs a select policy. created_at = now() holds only within the transaction that
-- inserted the row.
create policy select_just_sent on public.gallery_submissions for select to anon, authenticated
  using (status = 'pending' and created_at = now());

create policy insert_pending on public.gallery_submissions for insert to anon, authenticated
  with check (status = 'pending');

create policy update_as_staff on public.gallery_submissions for update to authenticated
  using ((select private.is_staff()))
  with check ((select private.is_staff()));

create policy select_as_staff on public.gallery_submissions for select to authenticated
  using ((select true where private.is_staff()) is not null);

-- Declined only: an approved photo is public, and pages that are open still show it.
grant delete on public.gallery_submissions to authenticated;
create policy delete_as_admin on public.gallery_submissions for delete to authenticated
  using (status = 'declined' and (select private.is_admin()));

-- Staff only. A table of its own, because row level security cannot hide a column of a visible row.
comment on table public.gallery_contacts is 'E-mail addresses of the people who sent photos.';
grant select on public.gallery_contacts to authenticated, service_role;

create policy select_as_staff on public.gallery_contacts for select to authenticated
  using ((select private.is_staff()));

-- Not granted: insert, update. The process writes record_full_gallery(); an admin dismisses a day by deleting it.
comment on table public.full_gallery_days is 'Days on which uploads were refused because the daily limit was reached.';
comment on column public.full_gallery_days.day is 'Day in South African time.';
comment on column public.full_gallery_days.refused is 'How many uploads were refused.';
comment on column public.full_gallery_days.last_refused_at is 'Time of the latest refusal of the day.';
grant select, delete on public.full_gallery_days to authenticated;
grant select on public.full_gallery_days to service_role;

create policy select_as_admin on public.full_gallery_days for select to authenticated
  using ((select private.is_admin()));

create policy delete_as_admin on public.full_gallery_days for delete to authenticated
  using ((select private.is_admin()));

-- Visitors may only upload, under a flat name as specified (random, time, extension). Staff read, which signed URLs for the review
-- require. Not granted to visitors: list, read, replace, remove.
create policy insert_gallery_photo on storage.objects for insert to anon, authenticated
  with check (bucket_id = 'gallery-private' and name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{7,149}$');

create policy select_gallery_photo_as_staff on storage.objects for select to authenticated
  using (bucket_id in ('gallery', 'gallery-private') and (select private.is_staff()));

-- Uploads to either bucket go to gallery-private, and a name that exists in one of them is refused.
create or replace function private.receive_gallery_photo() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    if exists (select from storage.objects o where o.bucket_id in ('gallery', 'gallery-private') and o.name = new.name) then
      raise unique_violation using message = 'The resource already exists';
    end if;
    new.bucket_id := 'gallery-private';
    return new;
  end
  $$;

create trigger receive_gallery_photo before insert on storage.objects
  for each row when (new.bucket_id in ('gallery', 'gallery-private'))
  execute function private.receive_gallery_photo();

-- Replacing or renaming a file is refused for every role.
create or replace function private.protect_gallery_photo() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    raise insufficient_privilege using message = 'Gallery photos cannot be replaced.';
  end
  $$;

create trigger protect_gallery_photo before update on storage.objects
  for each row when (old.bucket_id in ('gallery', 'gallery-private')
    and (new.version is distinct from old.version or new.name is distinct from old.name))
  execute function private.protect_gallery_photo();

-- A colour implies its lure; a colour of another lure is dropped.
create or replace function private.match_gallery_product() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    lure_id uuid := (select v.product_id from public.product_variants v where v.id = new.variant_id);
  begin
    new.product_id := coalesce(new.product_id, lure_id);
    if lure_id <> new.product_id then
      new.variant_id := null;
    end if;
    return new;
  end
  $$;

create trigger match_lure before insert or update of product_id, variant_id on public.gallery_submissions
  for each row execute function private.match_gallery_product();

-- The file name in a gallery URL of this shop; null for every other URL.
create or replace function private.gallery_photo(url text) returns text
  language sql immutable
  set search_path = ''
  as $$ select (regexp_match(url, '^(?:https?://[^/?#]+)?/storage/v1/object/public/gallery/([A-Za-z0-9][A-Za-z0-9._-]{7,149})$'))[1] $$;

-- The file names of several URLs, null where a URL is foreign.
create or replace function private.gallery_photos(urls text[]) returns text[]
  language sql immutable
  set search_path = ''
  as $$ select array_agg(private.gallery_photo(url)) from unnest(urls) as url $$;

-- The last segment of each URL is enough, because names are random: matching the whole pattern of gallery_photo() takes a hundred times
-- as long, and every submission reads all of them.
create or replace view private.sent_photos with (security_invoker = true) as
  select substring(url from '[^/]*$') as name
  from public.gallery_submissions s cross join lateral unnest(s.image_urls) as url;
comment on view private.sent_photos is 'The file names of all submissions.';

-- Moves the files of a submission between the buckets as its status changes.
create or replace function private.move_gallery_photos() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    update storage.objects o
      set bucket_id = case new.status when 'approved' then 'gallery' else 'gallery-private' end
      where o.bucket_id in ('gallery', 'gallery-private') and o.name = any (private.gallery_photos(new.image_urls));
    return null;
  end
  $$;

create trigger move_photos after insert or update of status on public.gallery_submissions
  for each row execute function private.move_gallery_photos();

-- API roles may only submit files that were uploaded and not submitted before. The files are locked, so that neither another submission
-- can take them nor the clean-up of unsent photos delete them at the same time. Errors: unknown_photo, photo_already_sent.
create or replace function private.require_own_photos() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    photos text[] := private.gallery_photos(new.image_urls);
    waiting integer;
  begin
    if current_setting('role') not in ('anon', 'authenticated') then
      return new;
    end if;
    with held as (
      select from storage.objects o where o.bucket_id = 'gallery-private' and o.name = any (photos)
      order by o.id for no key update
    )
    select count(*) into waiting from held;
    -- First, because an approved photo is in the public bucket and no longer waiting.
    if exists (select from private.sent_photos p where p.name = any (photos)) then
      perform private.refuse(409, 'photo_already_sent', 'These photos have already been sent.');
    end if;
    if array_position(photos, null) is not null
      or waiting <> cardinality(photos)
      or private.gallery_photo(new.image_url) is distinct from photos[1] then
      perform private.refuse(422, 'unknown_photo', 'Please upload the photos first.');
    end if;
    new.image_urls := (select array_agg('/storage/v1/object/public/gallery/' || photo) from unnest(photos) as photo);
    new.image_url := new.image_urls[1];
    return new;
  end
  $$;

create trigger require_own_photos before insert on public.gallery_submissions
  for each row execute function private.require_own_photos();

-- The hourly job of the same name: files uploaded more than a day ago that belong to no submission, because it was never sent or is
-- deleted. It locks no others: staff may decide about
-- a submission at the same time.
create or replace function private.delete_unsent_photos() returns setof text
  language plpgsql
  set search_path = ''
  as $$
  declare
    old uuid[];
  begin
    -- Lock first, then check again: the second statement sees a submission that took a file in between.
    select array_agg(unsent.id) into old from (
      select o.id from storage.objects o
      where o.bucket_id = 'gallery-private' and o.created_at < now() - interval '1 day'
        and not exists (select from private.sent_photos p where p.name = o.name)
      order by o.id for update of o skip locked
    ) unsent;
    -- The storage schema refuses deletes in SQL unless this is set: the caller removes the bytes.
    perform set_config('storage.allow_delete_query', 'true', true);
    return query
      delete from storage.objects o
      where o.id = any (old)
        and not exists (select from private.sent_photos p where p.name = o.name)
      returning o.version;
  end
  $$;
comment on function private.delete_unsent_photos is
  'Deletes unsent photos older than a day. Returns the versions whose bytes the caller must remove.';

-- Runs before the insert of the submission, which is why the foreign key of gallery_contacts is deferred.
create or replace function private.move_gallery_email() returns trigger
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

-- One row a day, with a count.
create or replace function private.record_full_gallery() returns void
  language sql security definer
  set search_path = ''
  as $$
    insert into public.full_gallery_days (day) values ((now() at time zone 'Africa/Johannesburg')::date)
    on conflict (day) do update set refused = full_gallery_days.refused + 1, last_refused_at = now()
  $$;
comment on function private.record_full_gallery is 'Counts an upload that was refused today because the daily limit was reached.';
