-- Mails that a visitor can have sent to any address are counted by mailbox: victim+1@example.com and victim+2@example.com are one
-- recipient (auth.mailbox_of). The mail still goes to the address that was typed, and consent and requests stay its own.
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

create index newsletter_signups_mailbox_idx on public.newsletter_signups (auth.mailbox_of(email));
create index stock_alerts_mailbox_idx on public.stock_alerts (auth.mailbox_of(email)) where mailed_at is null and withdrawn_at is null;

-- Other spellings count as long as their mails are unanswered: a confirmed one shows that its owner wants such mails.
create function private.was_asked_enough(listed public.newsletter_signups) returns boolean
  language sql stable security definer
  set search_path = ''
  as $$
    select coalesce(sum(l.mails_sent), 0) >= 3 or coalesce(max(l.asked_at) > now() - interval '10 minutes', false)
    from public.newsletter_signups s
    join private.newsletter_links l on l.signup_id = s.id
    where auth.mailbox_of(s.email) = auth.mailbox_of(listed.email) and (s.id = listed.id or l.confirmed_at is null)
  $$;
comment on function private.was_asked_enough is 'Whether a mailbox was mailed three requests to confirm, or one in the last ten minutes.';

create or replace function private.ask_to_confirm(listed public.newsletter_signups, customer uuid, wording text) returns void
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    secret text := replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '');
    times int;
  begin
    -- Two spellings at once wait for each other, or both would find that nobody was mailed.
    perform pg_advisory_xact_lock(hashtextextended('confirmations to ' || auth.mailbox_of(listed.email), 0));
    if private.was_asked_enough(listed) then
      return;
    end if;
    update private.newsletter_links l set
      confirmation_hash = sha256(convert_to(secret, 'UTF8')), mails_sent = l.mails_sent + 1, asked_at = now(),
      wording = ask_to_confirm.wording, customer_id = ask_to_confirm.customer, confirmed_at = null
    where l.signup_id = listed.id
    returning l.mails_sent into times;
    if not found then
      return;
    end if;
    update public.newsletter_signups s set confirmation_sent_at = now() where s.id = listed.id;
    perform private.queue_mail('newsletter-confirmation:' || listed.id || ':' || times, 'newsletter-confirmation', listed.email,
      jsonb_build_object('secret', secret, 'wording', ask_to_confirm.wording), true);
  end
  $$;

create or replace function public.request_stock_alert(variant uuid, email text) returns jsonb
  language plpgsql security definer
  set search_path = ''
  as $$
  declare
    asked_by text := lower(btrim(request_stock_alert.email));
    is_buyable boolean;
  begin
    if private.is_email(asked_by) is not true then
      perform private.refuse(422, 'invalid_email', 'Invalid email address');
    end if;
    select s.available > 0 or p.made_to_order into is_buyable
    from public.product_availability s
    join public.products p on p.id = s.product_id
    where s.variant_id = request_stock_alert.variant;
    if is_buyable is null then
      perform private.refuse(404, 'variant_not_found', 'There is no such colour.');
    elsif is_buyable then
      return jsonb_build_object('outcome', 'available');
    end if;

    -- Twenty are more than a customer waits for; further requests are dropped silently, because the answer must tell nothing.
    if (select count(*) from public.stock_alerts a
        where auth.mailbox_of(a.email) = auth.mailbox_of(asked_by) and a.mailed_at is null and a.withdrawn_at is null) < 20 then
      insert into public.stock_alerts (variant_id, email, wording)
        values (request_stock_alert.variant, asked_by, 'Mail me once when it is back in stock.')
        on conflict do nothing;
    end if;
    return jsonb_build_object('outcome', 'noted');
  end
  $$;

-- Limits for each customer (promo codes, orders) count mailboxes by the same rule.
create or replace function private.normal_email(value text) returns text
  language plpgsql immutable
  set search_path = ''
  as $$ begin return case when value like '%@%' then auth.mailbox_of(value) end; end $$;
