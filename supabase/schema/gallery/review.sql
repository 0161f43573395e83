-- The review of gallery photos by staff.
--
-- The status of a submission is the present verdict; gallery_reviews keeps every verdict with its author and reason. A trigger
-- writes it for every change of the status: on the page, by undo, or by the specified plain update.

-- Not granted: insert. record_gallery_review() writes.
comment on table public.gallery_reviews is 'Verdicts of staff about photos. Append only; pending takes a verdict back.';
comment on column public.gallery_reviews.reason is 'Visible to staff only; never sent to the person.';
comment on column public.gallery_reviews.decided_by is 'No foreign key: the verdict outlives its author''s account.';
comment on column public.gallery_reviews.verdict is 'approved, declined, or pending when a verdict was taken back.';
comment on column public.gallery_reviews.decided_at is 'When the status of the submission changed.';
grant select on public.gallery_reviews to authenticated, service_role;

create policy select_as_staff on public.gallery_reviews for select to authenticated
  using ((select private.is_staff()));

-- Notifies the shop of a new photo.
create or replace function private.queue_gallery_mail(submission public.gallery_submissions) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('gallery:' || submission.id, 'gallery-notification', null, jsonb_build_object(
      'submissionId', submission.id, 'customerName', submission.customer_name, 'description', submission.description,
      'imageUrl', submission.image_url,
      'email', (select c.email from public.gallery_contacts c where c.submission_id = submission.id)))
  $$;

-- Notifies the shop in the transaction that stores the submission.
create or replace function private.mail_gallery() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_gallery_mail(new);
    return null;
  end
  $$;

create trigger a_photo_is_mailed after insert on public.gallery_submissions
  for each row execute function private.mail_gallery();

-- The notification repeats name, text and address of the sender, so it goes with the submission.
-- Security definer: admins cannot delete mails.
create or replace function private.delete_gallery_mail() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    -- With the copies of mails that were sent again.
    delete from public.mails m
    where m.key = 'gallery:' || old.id
      or m.template = 'gallery-notification' and m.props ->> 'submissionId' = old.id::text;
    return null;
  end
  $$;

create trigger delete_mail after delete on public.gallery_submissions
  for each row execute function private.delete_gallery_mail();

-- review_photo() passes its reason in a setting of the transaction, because a trigger has no arguments.
create or replace function private.record_gallery_review() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    insert into public.gallery_reviews (submission_id, verdict, reason)
    values (new.id, new.status, nullif(btrim(current_setting('shop.verdict_reason', true)), ''));
    return null;
  end
  $$;

create trigger write_verdict after update of status on public.gallery_submissions
  for each row when (old.status <> new.status)
  execute function private.record_gallery_review();

-- `was` is the status that the page showed: the second of two simultaneous reviewers gets an error instead of overruling the first.
-- A verdict that its author sends again, because the answer was lost, is no conflict.
create or replace function public.review_photo(submission_id uuid, was text, verdict text, reason text default null) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    submission public.gallery_submissions;
    stated_reason text := case when verdict = 'declined' then nullif(btrim(reason), '') end;
  begin
    perform private.require_staff();
    select * into submission from public.gallery_submissions s where s.id = review_photo.submission_id for update;
    if not found then
      perform private.refuse(404, 'submission_not_found', 'There is no such photo.');
    elsif submission.status <> review_photo.was then
      if exists (
        select from (
          select * from public.gallery_reviews r where r.submission_id = submission.id order by r.id desc limit 1) newest
        where newest.decided_by = (select auth.uid()) and newest.verdict = review_photo.verdict
          and newest.reason is not distinct from stated_reason
      ) then
        return;
      end if;
      perform private.refuse(409, 'already_reviewed', 'Someone else has reviewed this photo in the meantime. It is now ' || submission.status || '.',
        jsonb_build_object('status', submission.status));
    end if;

    perform set_config('shop.verdict_reason', coalesce(stated_reason, ''), true);
    update public.gallery_submissions s set status = review_photo.verdict where s.id = submission.id;
    perform set_config('shop.verdict_reason', '', true);
  end
  $$;
comment on function public.review_photo is 'Sets the verdict approved, declined (with a reason) or pending. Staff only. Errors: submission_not_found, already_reviewed {status}.';
grant execute on function public.review_photo to authenticated;
