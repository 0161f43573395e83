-- Messages from the contact form as staff look at them: open until somebody says that it is done, and who said so. Runs as the caller.
create view public.messages with (security_invoker = true) as
  select m.*, case when a.submission_id is null then 'open' else 'done' end as state, a.answered_by, a.answered_at
  from public.contact_submissions m
  left join public.contact_answers a on a.submission_id = m.id;
comment on view public.messages is 'Each message from the contact form with its state: open or done.';
grant select on public.messages to authenticated;
-- NOTE: not for the secret key, which has no hand in what is answered.
