-- A shopper reads a code on a screen and types it. The letter O and the digit 0 look the same in many typefaces, so both find the
-- code. Two codes that differ only in that would be one code to a shopper; the unique index refuses the second.
create function private.promo_code_key(code text) returns text
  language sql immutable
  set search_path = ''
  as $$ select translate(upper(btrim(code)), '0', 'O') $$;
comment on function private.promo_code_key(text) is 'The form in which promo codes are compared: upper case, with O for 0.';
-- Staff insert codes, and the index calls the function with their rights.
grant execute on function private.promo_code_key(text) to authenticated, service_role;

create unique index code_reads_alike on public.promo_codes (private.promo_code_key(code));

-- Every question about a code (validate_promo_code, quote_cart, place_order) looks it up here. An account that has asked for twenty
-- different codes that do not exist within an hour gets no more answers until the hour is over (20261121000814).
create or replace function private.find_promo(code text) returns public.promo_codes
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    asked text := left(private.promo_code_key(find_promo.code), 100);
    me uuid := auth.uid();
    promo public.promo_codes;
  begin
    if asked = '' or asked is null then
      return null;
    end if;
    if me is not null then
      -- A wrong guess is written down, which a read-only transaction cannot do.
      if current_setting('transaction_read_only') = 'on' then
        perform private.refuse(405, 'promo_needs_post', 'Ask about a promo code with POST.');
      end if;
      -- Serialises the questions of one account: a hundred at once would all pass the limit.
      perform pg_advisory_xact_lock(hashtextextended('promo codes of ' || me, 0));
      if (select count(*) from private.promo_guesses g
             where g.customer_id = me and g.guessed_at > now() - interval '1 hour') >= 20 then
        perform private.refuse(429, 'too_many_codes', 'Too many promo codes were tried. Please try again in an hour.');
      end if;
    end if;

    select * into promo from public.promo_codes p where private.promo_code_key(p.code) = asked;
    if promo.id is null and me is not null then
      delete from private.promo_guesses g where g.customer_id = me and g.guessed_at < now() - interval '1 hour';
      insert into private.promo_guesses (customer_id, code) values (me, asked)
        on conflict on constraint promo_guesses_pkey do update set guessed_at = now();
    end if;
    return promo;
  end
  $$;
