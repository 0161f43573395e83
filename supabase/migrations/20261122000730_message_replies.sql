-- Replies to messages from the contact form: what was answered, by whom and when, and what became of the mail. Answering marks the message as done,
-- so that the other admin sees it, and a second reply has to be meant.
create table public.contact_replies (
  id            uuid primary key default gen_random_uuid(),
  submission_id uuid not null references public.contact_submissions on delete cascade,
  subject       text not null constraint malformed_subject check (private.is_line(subject, 1, 200)),
  message       text not null constraint malformed_message check (length(message) between 1 and 10000),
  replied_by    uuid not null,
  mail_id       uuid references public.mails on delete set null,
  created_at    timestamptz not null default now()
);
comment on table public.contact_replies is 'Answers to messages that were written in the admin area. Those from a mail program are not known.';
comment on column public.contact_replies.replied_by is 'No foreign key: the reply outlives its author''s account.';
create index contact_replies_submission_id_idx on public.contact_replies (submission_id, created_at);
create index contact_replies_mail_id_idx on public.contact_replies (mail_id);
alter table public.contact_replies enable row level security;
alter table public.contact_replies force row level security;

-- Staff read; rows come from answer_message() alone.
grant select on public.contact_replies to authenticated;
create policy select_as_staff on public.contact_replies
  for select to authenticated
  using ((select private.is_staff()));
select private.record_changes_of('public.contact_replies', withheld => '{subject,message}');

-- Asked by the view alone, for replies that its caller may see: not every member of staff reads all mails.
create function private.delivery_of_mail(mail_id uuid) returns table (status text, sent_at timestamptz)
  language plpgsql stable security definer
  set search_path = ''
  rows 1
  as $$
  begin
    return query select m.status, m.sent_at from public.mails m where m.id = delivery_of_mail.mail_id;
  end
  $$;
grant execute on function private.delivery_of_mail(uuid) to authenticated;

create view public.message_replies with (security_invoker = true) as
  select r.id, r.submission_id, r.subject, r.message, r.replied_by, r.created_at, d.status as delivery, d.sent_at
  from public.contact_replies r
  left join lateral private.delivery_of_mail(r.mail_id) d on true;
comment on view public.message_replies is 'Each reply with the state of its mail: queued, sent or failed; null once the mail was forgotten.';
grant select on public.message_replies to authenticated;

-- A mail is signed with the name that its author has in the shop.
create function private.sender_name(author uuid) returns text
  language sql stable security definer
  set search_path = ''
  as $$ select nullif(btrim(p.full_name), '') from public.profiles p where p.id = author $$;
comment on function private.sender_name(uuid) is 'The name under a mail of this author; null where the account has none.';

-- The one place that makes a reply's mail: its preview and what is sent are the same props.
create function private.reply_for_mail(submission_id uuid, subject text, message text, author uuid) returns jsonb
  language sql stable security definer
  set search_path = ''
  as $$
    select jsonb_build_object('subject', btrim(reply_for_mail.subject), 'message', btrim(reply_for_mail.message),
      'customerName', m.name, 'senderName', private.sender_name(author),
      'question', jsonb_build_object('message', m.message, 'askedAt', m.created_at))
    from public.contact_submissions m where m.id = reply_for_mail.submission_id
  $$;

create function public.answer_message(submission_id uuid, subject text, message text, again boolean default false) returns public.contact_replies
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
    -- Two admins who answer at once: the second one is told.
    select * into asked from public.contact_submissions m where m.id = answer_message.submission_id for update;
    if not found then
      perform private.refuse(404, 'message_not_found', 'There is no such message.');
    elsif (private.is_line(btrim(subject), 1, 200) and length(btrim(message)) between 1 and 10000) is not true then
      perform private.refuse(422, 'invalid_letter', 'Please fill in all fields');
    end if;
    select * into answered from public.contact_answers a where a.submission_id = asked.id;
    if answered.submission_id is not null and again is not true then
      perform private.refuse(409, 'answered_already', 'This message is answered already.',
        jsonb_build_object('by', private.name_of(answered.answered_by), 'at', answered.answered_at));
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
grant execute on function public.answer_message(uuid, text, text, boolean) to authenticated;
comment on function public.answer_message(uuid, text, text, boolean) is
  'Mails an answer to a message from the contact form, quoting it, keeps it and marks the message as done; again: also if it is done already.';

-- The other admin's list follows while it is open.
alter publication supabase_realtime add table public.contact_answers;

-- Mails to many buyers are signed as well.
do $$
declare
  definition text := pg_catalog.pg_get_functiondef('public.write_to_buyers(uuid[],text,text)'::regprocedure);
  before text := $sql$letter || jsonb_build_object('customerName', w.customer_name, 'orderId', w.id)$sql$;
  after text := $sql$letter || jsonb_build_object('customerName', w.customer_name, 'orderId', w.id,
          'senderName', private.sender_name((select auth.uid())))$sql$;
begin
  if position(before in definition) = 0 then
    raise exception 'write_to_buyers() writes its mails in another way';
  end if;
  execute replace(definition, before, after);
end
$$;
