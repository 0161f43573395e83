-- Refusals. An expected refusal carries three things: the HTTP status in the SQLSTATE (PT409 → 409), a sentence for a
-- person in the message, and one machine word in the detail (docs/error-codes.md lists them). What the word alone cannot say
-- (which line is sold out, what the total is now) travels as JSON in the hint.
create function private.refuse(http_status int, reason text, message text, facts jsonb default null) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if facts is null then
      raise exception using errcode = 'PT' || http_status, message = message, detail = reason;
    end if;
    raise exception using errcode = 'PT' || http_status, message = message, detail = reason, hint = facts::text;
  end
  $$;
comment on function private.refuse(int, text, text, jsonb) is
  'Ends the transaction with an error the API hands on: status, sentence, machine word, facts.';

-- Texts that people type. A line has no control characters, so that it can stand in a mail header, a label or a
-- CSV cell without becoming a second one.
create function private.is_line(value text, at_least int, at_most int) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select value !~ '[[:cntrl:]]' and length(btrim(value)) >= at_least and length(value) <= at_most $$;
comment on function private.is_line(text, int, int) is
  'One line of text between the two lengths; null passes, as constraints do.';

create function private.is_email(value text) returns boolean
  language sql immutable
  set search_path = ''
  as $$
    select length(value) <= 255
      and value ~ '^[^\s@<>"(),:;\\[\]]+@[^\s@<>"(),:;\\[\]]+\.[^\s@<>"(),:;.\\[\]]{2,}$'
      and value !~ '[[:cntrl:]]'
  $$;
comment on function private.is_email(text) is
  'Looks like one address: something, an at sign, a domain with a dot. Only a mail can prove more.';

create function private.is_link(value text) returns boolean
  language sql immutable
  set search_path = ''
  as $$ select value = '' or (length(value) <= 2048 and value ~ '^(https?://|/)[^\s"<>\\]*$') $$;
comment on function private.is_link(text) is 'A web address or a path on this server; never javascript: or data:.';

-- The same person in other spellings, for limits per customer. Tags after a plus sign are dropped, and the dots that
-- Gmail ignores; South African numbers come as 082…, +27 82…, 0027 (0)82….
create function private.normal_email(value text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when domain in ('gmail.com', 'googlemail.com') then replace(name, '.', '') || '@gmail.com'
      else name || '@' || domain
    end
    from (
      select split_part(split_part(lower(btrim(value)), '@', 1), '+', 1) as name, split_part(lower(btrim(value)), '@', 2) as domain
    ) as parts
    where value like '%@%'
  $$;

create function private.normal_phone(value text) returns text
  language sql immutable
  set search_path = ''
  as $$
    select case
      when digits = '' then null
      when digits ~ '^(00)?270?[1-9]\d{8}$' then '+27' || right(digits, 9)
      when digits ~ '^0[1-9]\d{8}$' then '+27' || right(digits, 9)
      else '+' || regexp_replace(digits, '^00', '')
    end
    from (select regexp_replace(value, '\D', '', 'g') as digits) as phone
    where value is not null
  $$;

-- What a single line of a form holds, tidied: a pasted line break or a run of spaces is one space.
create function private.tidy(value text) returns text
  language sql immutable
  set search_path = ''
  as $$ select nullif(btrim(regexp_replace(value, '[[:space:][:cntrl:]]+', ' ', 'g')), '') $$;

-- Constraints and indexes evaluate these as whoever writes the row.
grant execute on function private.is_line(text, int, int), private.is_email(text), private.is_link(text),
  private.normal_email(text), private.normal_phone(text) to anon, authenticated, service_role;

create function private.touch_updated_at() returns trigger
  language plpgsql
  set search_path = ''
  as $$
  begin
    new.updated_at := now();
    return new;
  end
  $$;

-- The figures of shop.config.ts that rules in SQL need. One row; the process writes it at every start, and
-- the first one equals the config as it ships, so that the rules (and their tests) stand without the process.
create table private.shop_rules (
  only_row            boolean primary key default true constraint more_than_one_row check (only_row),
  shipping_rate       numeric(10,2) not null constraint negative_shipping_rate check (shipping_rate >= 0),
  free_shipping_from  numeric(10,2) not null constraint negative_free_shipping_from check (free_shipping_from >= 0),
  hold_minutes        int not null constraint hold_without_time check (hold_minutes between 1 and 10080),
  unpaid_expire_hours int not null constraint expiry_without_time check (unpaid_expire_hours between 1 and 8760),
  updated_at          timestamptz not null default now()
);
comment on table private.shop_rules is 'Rates and times of this shop, copied from shop.config.ts at start.';
comment on column private.shop_rules.hold_minutes is 'How long lures are set aside for a buyer who went to pay.';
comment on column private.shop_rules.unpaid_expire_hours is 'After this an unpaid order is cancelled.';
alter table private.shop_rules enable row level security;
alter table private.shop_rules force row level security;
-- NOTE: no grants and no policies: functions read it, as their owner.

insert into private.shop_rules (shipping_rate, free_shipping_from, hold_minutes, unpaid_expire_hours)
values (100, 1500, 30, 24);

create function private.set_shop_rules(rules jsonb) returns void
  language plpgsql
  set search_path = ''
  as $$
  begin
    if rules - array['shipping_rate', 'free_shipping_from', 'hold_minutes', 'unpaid_expire_hours'] <> '{}' then
      raise exception 'unknown shop rule in %', rules using errcode = '22023';
    end if;

    update private.shop_rules set
      shipping_rate = coalesce((rules ->> 'shipping_rate')::numeric, shipping_rate),
      free_shipping_from = coalesce((rules ->> 'free_shipping_from')::numeric, free_shipping_from),
      hold_minutes = coalesce((rules ->> 'hold_minutes')::int, hold_minutes),
      unpaid_expire_hours = coalesce((rules ->> 'unpaid_expire_hours')::int, unpaid_expire_hours),
      updated_at = now();
  end
  $$;
comment on function private.set_shop_rules(jsonb) is
  'Takes {"shipping_rate":100,"free_shipping_from":1500,"hold_minutes":30,"unpaid_expire_hours":24}; what is absent stays.';
