-- Newsletter subscribers as staff look at them: with what was last said about marketing mail, in which words and when. Whoever is on
-- the list without having agreed (the popup asks for an address and gives a discount) gets no news. Runs as the caller.
create view public.subscribers with (security_invoker = true) as
  select s.*,
    case
      when s.unsubscribed_at is not null then 'unsubscribed'
      when said.is_given then 'agreed'
      when said.is_given is null then 'not_asked'
      else 'withdrew'
    end as consent,
    said.wording, said.created_at as said_at
  from public.newsletter_signups s
  left join lateral (
    select c.is_given, c.wording, c.created_at from public.marketing_consents c where c.email = s.email order by c.id desc limit 1
  ) as said on true;
comment on view public.subscribers is 'Who asked for mail, and whether news may be sent: agreed, not_asked, withdrew, unsubscribed.';
grant select on public.subscribers to authenticated, service_role;

-- Somebody asks by phone or mail to be taken off. It is what the link in a mail does, and the ledger says who did it. The address
-- stays on the list as one that left, because an address that is forgotten could be signed up again by anybody.
create function public.unsubscribe_on_request(signup_id uuid) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    leaving public.newsletter_signups;
  begin
    perform private.require_admin();
    select * into leaving from public.newsletter_signups s where s.id = unsubscribe_on_request.signup_id for update;
    if not found then
      perform private.refuse(404, 'subscriber_not_found', 'There is no such subscriber.');
    elsif leaving.unsubscribed_at is null then
      update public.newsletter_signups s set unsubscribed_at = now() where s.id = leaving.id;
      insert into public.marketing_consents (email, customer_id, is_given, source, wording)
        select leaving.email, (select p.id from public.profiles p where lower(p.email) = leaving.email limit 1), false,
          'the shop, on request', 'Taken off the list on request.';
    end if;
  end
  $$;
comment on function public.unsubscribe_on_request(uuid) is 'Takes an address off the newsletter because its owner asked the shop; going twice is going once.';
grant execute on function public.unsubscribe_on_request(uuid) to authenticated;
