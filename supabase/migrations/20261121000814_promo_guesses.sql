-- A code is a secret among friends, so nobody tries them out: an account that has asked for twenty different codes that do not exist
-- within an hour gets no more answers, right codes included, until the hour is over. Asking for one wrong code again
-- is no new guess. Every question about a code (validate_promo_code, quote_cart, place_order) looks it up here.
create table private.promo_guesses (
  customer_id uuid not null references auth.users on delete cascade,
  code        text not null,
  guessed_at  timestamptz not null default now(),
  primary key (customer_id, code)
);
comment on table private.promo_guesses is 'Codes without a match that an account asked for lately.';
alter table private.promo_guesses enable row level security;
alter table private.promo_guesses force row level security;
-- NOTE: no grants and no policies: the function below reads and writes it, as its owner.

create or replace function private.find_promo(code text) returns public.promo_codes
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    asked text := left(upper(btrim(find_promo.code)), 100);
    me uuid := auth.uid();
    promo public.promo_codes;
  begin
    if asked = '' or asked is null then
      return null;
    end if;
    if me is not null then
      -- A question that cannot be counted is not answered.
      if current_setting('transaction_read_only') = 'on' then
        perform private.refuse(405, 'promo_needs_post', 'Ask about a promo code with POST.');
      end if;
      -- One question of an account at a time, or a hundred at once would all find room.
      perform pg_advisory_xact_lock(hashtextextended('promo codes of ' || me, 0));
      if (select count(*) from private.promo_guesses g
             where g.customer_id = me and g.guessed_at > now() - interval '1 hour') >= 20 then
        perform private.refuse(429, 'too_many_codes', 'Too many promo codes were tried. Please try again in an hour.');
      end if;
    end if;

    select * into promo from public.promo_codes p where p.code = asked;
    if promo.id is null and me is not null then
      delete from private.promo_guesses g where g.customer_id = me and g.guessed_at < now() - interval '1 hour';
      insert into private.promo_guesses (customer_id, code) values (me, asked)
        on conflict on constraint promo_guesses_pkey do update set guessed_at = now();
    end if;
    return promo;
  end
  $$;
comment on function private.find_promo(text) is 'The code''s row or null; counts what an account asks for in vain.';

-- They write now, when a code is wrong.
alter function public.validate_promo_code(text) volatile;
alter function public.quote_cart(text) volatile;
alter function private.wanted_order(uuid, jsonb, numeric, text) volatile;
