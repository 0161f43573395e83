-- Mails whose cause is a change of status, a message or a photo. The row's own transaction writes them; the specified
-- send-* calls find them written and change nothing.

-- To the customer, when a paid order moves on. The newest entry of the order's timeline names the occasion, so going back and
-- forth mails each step, and asking twice about one step mails once.
create function private.queue_status_mail(order_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    props jsonb := private.order_for_mail(order_id);
    occasion bigint;
  begin
    select max(e.id) into occasion from public.order_events e
      where e.order_id = queue_status_mail.order_id and e.kind in ('status_changed', 'cancelled', 'reinstated', 'tracking_changed');
    if occasion is not null and props ->> 'customerEmail' is not null then
      perform private.queue_mail('order-status:' || occasion, 'order-status-update', props ->> 'customerEmail', props);
    end if;
  end
  $$;

create function private.mail_order_status() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_status_mail(new.id);
    return null;
  end
  $$;
-- At the end of the transaction, so that status and tracking number make one mail.
create constraint trigger a_moved_order_is_mailed
  after update of status, tracking_number, courier_company_id on public.orders
  deferrable initially deferred
  for each row when (
    new.paid_at is not null and new.status in ('processing', 'shipped', 'delivered', 'cancelled')
    and (old.status <> new.status
      or new.status = 'shipped' and (old.tracking_number, old.courier_company_id) is distinct from (new.tracking_number, new.courier_company_id)))
  execute function private.mail_order_status();


-- To the shop: somebody wrote, somebody sent a photo.
create function private.queue_contact_mail(message public.contact_submissions) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('contact:' || message.id, 'contact-notification', null,
      jsonb_build_object('name', message.name, 'email', message.email, 'subject', message.subject, 'message', message.message))
  $$;

create function private.mail_contact() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_contact_mail(new);
    return null;
  end
  $$;
create trigger a_message_is_mailed after insert on public.contact_submissions
  for each row execute function private.mail_contact();

create function private.queue_gallery_mail(submission public.gallery_submissions) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('gallery:' || submission.id, 'gallery-notification', null, jsonb_build_object(
      'submissionId', submission.id, 'customerName', submission.customer_name, 'description', submission.description,
      'imageUrl', submission.image_url,
      'email', (select c.email from public.gallery_contacts c where c.submission_id = submission.id)))
  $$;

create function private.mail_gallery() returns trigger
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
