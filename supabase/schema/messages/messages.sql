-- Messages from the contact form, and the answers that staff write.
--
-- A message is open until it has a row in contact_answers; deleting that row opens it again. Answering in the admin area keeps
-- the reply (contact_replies), mails it with the question quoted, and marks the message as done in one transaction.
-- Visitors only insert: a message can never be read back with the public key.

-- Not granted: update and delete of messages.
comment on table public.contact_submissions is 'Messages from the contact form.';
comment on column public.contact_submissions.email is 'As typed by the sender. Unverified.';
grant select on public.contact_submissions to authenticated, service_role;
-- Insert includes the id, so that a message that is sent again after a lost response is stored once.
grant insert (id, name, email, subject, message) on public.contact_submissions to anon, authenticated, service_role;

create policy insert_any on public.contact_submissions for insert to anon, authenticated
  with check (true);

create policy select_as_staff on public.contact_submissions for select to authenticated
  using ((select true where private.is_staff()) is not null);

-- Staff mark messages as done and take the mark back. Not granted: answered_by and answered_at, which default to the caller and now.
comment on table public.contact_answers is 'Messages that are done, by whom and when.';
comment on column public.contact_answers.answered_by is
  'The member of staff who marked the message as done. No foreign key.';
grant select, delete on public.contact_answers to authenticated;
grant insert (submission_id) on public.contact_answers to authenticated;

create policy delete_as_staff on public.contact_answers for delete to authenticated
  using ((select private.is_staff()));

create policy select_as_staff on public.contact_answers for select to authenticated
  using ((select private.is_staff()));

create policy insert_as_staff on public.contact_answers for insert to authenticated
  with check ((select private.is_staff()));

-- Runs with the caller's rights, so the policies of both tables apply.
create or replace view public.messages with (security_invoker = true) as
  select m.*, case when a.submission_id is null then 'open' else 'done' end as state, a.answered_by, a.answered_at
  from public.contact_submissions m
  left join public.contact_answers a on a.submission_id = m.id;

comment on view public.messages is 'Each message with its state, open or done, and who marked it as done.';
grant select on public.messages to authenticated;

-- Runs with the caller's rights; only the delivery state comes through a function, because packers may not read all mails.
create or replace view public.message_replies with (security_invoker = true) as
  select r.id, r.submission_id, r.subject, r.message, r.replied_by, r.created_at, d.status as delivery, d.sent_at
  from public.contact_replies r
  left join lateral private.mail_delivery(r.mail_id) d on true;
comment on view public.message_replies is
  'Each reply with the state of its mail: queued, sent or failed; null once the mail was deleted.';
grant select on public.message_replies to authenticated;
-- Not granted: insert. Rows come from answer_message().
comment on table public.contact_replies is 'Answers written in the admin area. Answers from a mail program are not recorded.';
comment on column public.contact_replies.replied_by is 'No foreign key: the reply outlives its author''s account.';
comment on column public.contact_replies.mail_id is 'The mail of the reply; null once the mail was deleted.';
grant select on public.contact_replies to authenticated;

create policy select_as_staff on public.contact_replies for select to authenticated
  using ((select private.is_staff()));

-- Notifies the shop of a new message.
create or replace function private.queue_contact_mail(message public.contact_submissions) returns void
  language sql security definer
  set search_path = ''
  as $$
    select private.queue_mail('contact:' || message.id, 'contact-notification', null,
      jsonb_build_object('name', message.name, 'email', message.email, 'subject', message.subject, 'message', message.message))
  $$;

-- Notifies the shop in the transaction that stores the message.
create or replace function private.mail_contact() returns trigger
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

-- Confirms a message to its sender, at most once a day for a mailbox: anyone may type any address, and victim+1@example.com and
-- victim+2@example.com reach one mailbox (auth.mailbox_of).
create or replace function private.mail_contact_received() returns trigger
  language plpgsql security definer
  set search_path = ''
  as $$
  begin
    perform private.queue_mail(
      'contact-received:' || auth.mailbox_of(new.email) || ':' || to_char(now() at time zone 'Africa/Johannesburg', 'YYYY-MM-DD'),
      'contact-received', lower(new.email), jsonb_build_object('receivedAt', now()));
    return null;
  end
  $$;

create trigger a_writer_is_answered after insert on public.contact_submissions
  for each row execute function private.mail_contact_received();

-- For the view message_replies only. Security definer, because packers may not read mails; it returns no text of the mail.
create or replace function private.mail_delivery(mail_id uuid) returns table (status text, sent_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  rows 1
  as $$
  begin
    return query select m.status, m.sent_at from public.mails m where m.id = mail_delivery.mail_id;
  end
  $$;
grant execute on function private.mail_delivery to authenticated;

create or replace function private.sender_name(author uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$ select nullif(btrim(p.full_name), '') from public.profiles p where p.id = author $$;
comment on function private.sender_name is 'The name that signs mails of this author; null when the account has none.';

-- Preview and mail are rendered from these props, so the preview is exactly what is sent.
create or replace function private.reply_for_mail(submission_id uuid, subject text, message text, author uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('subject', btrim(reply_for_mail.subject), 'message', btrim(reply_for_mail.message),
      'customerName', m.name, 'senderName', private.sender_name(author),
      'question', jsonb_build_object('message', m.message, 'askedAt', m.created_at))
    from public.contact_submissions m where m.id = reply_for_mail.submission_id
  $$;

-- The message is locked, so the second of two admins who answer at once learns of the first answer and decides again (`again`).
-- The same answer of the same author within a day is a second press after a lost response: it is mailed once.
create or replace function public.answer_message(submission_id uuid, subject text, message text, again boolean default false) returns public.contact_replies
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    me uuid := (select auth.uid());
    asked public.contact_submissions;
    answered public.contact_answers;
    reply public.contact_replies;
  begin
    perform private.require_staff();
    select * into asked from public.contact_submissions m where m.id = answer_message.submission_id for update;
    if not found then
      perform private.refuse(404, 'message_not_found', 'There is no such message.');
    elsif (private.is_line(btrim(subject), 1, 200) and length(btrim(message)) between 1 and 10000) is not true then
      perform private.refuse(422, 'invalid_email_text', 'Please fill in all fields');
    end if;
    select * into answered from public.contact_answers a where a.submission_id = asked.id;
    select * into reply from public.contact_replies r
      where r.submission_id = asked.id and r.replied_by = me and r.created_at > now() - interval '1 day'
        and r.subject = btrim(answer_message.subject) and r.message = btrim(answer_message.message)
        and r.mail_id is not null and answered.submission_id is not null
      order by r.created_at desc limit 1;
    if found then
      return reply;
    elsif answered.submission_id is not null and again is not true then
      perform private.refuse(409, 'answered_already', 'This message has already been answered.',
        jsonb_build_object('by', private.display_name(answered.answered_by), 'at', answered.answered_at));
    end if;

    insert into public.contact_replies (submission_id, subject, message, replied_by)
      values (asked.id, btrim(answer_message.subject), btrim(answer_message.message), me)
      returning * into reply;
    update public.contact_replies r
      set mail_id = private.queue_mail('contact-reply:' || reply.id, 'admin-email', asked.email,
        private.reply_for_mail(asked.id, reply.subject, reply.message, me))
      where r.id = reply.id returning * into reply;
    insert into public.contact_answers (submission_id, answered_by) values (asked.id, me)
      on conflict on constraint contact_answers_pkey do nothing;
    return reply;
  end
  $$;
comment on function public.answer_message is
  'Stores and mails an answer with the question quoted, and marks the message as done. `again` answers a message that is done. The caller''s same answer within a day is returned and not mailed again. Staff only. Errors: message_not_found, invalid_email_text, answered_already.';
grant execute on function public.answer_message to authenticated;
