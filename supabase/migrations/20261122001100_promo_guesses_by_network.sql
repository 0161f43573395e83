-- The data service says which network a request comes from (`request.network`, an IPv6 address by its /64). It sets the value in
-- each transaction after reading it from the connection, so a client cannot choose it. The server's own calls have none.
create function private.caller_network() returns text
  language sql stable
  set search_path = ''
  as $$ select nullif(current_setting('request.network', true), '') $$;
comment on function private.caller_network() is 'The network that the request comes from; null for the server''s own calls.';

-- Anyone can make accounts, so a limit by account alone allows twenty guesses for each fresh account. Wrong promo codes therefore
-- count for the network as well: a hundred an hour. The level of the bucket is read with a lock only where it exists, that is after a
-- first wrong guess: shoppers who type right codes do not wait for each other.
create function private.require_promo_guess(network text) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    filled float8;
  begin
    select greatest(0, l.level - extract(epoch from now() - l.updated_at) * 100 / 3600) into filled
      from auth.rate_limits l where l.bucket = 'promo guess' and l.subject = network and l.level > 0 for update;
    if filled > 99 then
      perform private.refuse(429, 'too_many_codes', 'Too many promo codes were tried. Please try again in an hour.');
    end if;
  end
  $$;
comment on function private.require_promo_guess(text) is 'Refuses when the network has asked for too many promo codes that do not exist.';

-- Every question about a code (validate_promo_code, quote_cart, place_order) looks it up here. After twenty different codes that do
-- not exist within an hour an account gets no more answers, and after a hundred neither does its network.
create or replace function private.find_promo(code text) returns public.promo_codes
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  declare
    asked text := left(private.promo_code_key(find_promo.code), 100);
    me uuid := auth.uid();
    network text := private.caller_network();
    promo public.promo_codes;
    is_new boolean;
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
      perform private.require_promo_guess(network);
    end if;

    select * into promo from public.promo_codes p where private.promo_code_key(p.code) = asked;
    if promo.id is null and me is not null then
      delete from private.promo_guesses g where g.customer_id = me and g.guessed_at < now() - interval '1 hour';
      insert into private.promo_guesses (customer_id, code) values (me, asked)
        on conflict on constraint promo_guesses_pkey do update set guessed_at = now()
        returning xmax = 0 into is_new;
      -- The same wrong code of one account is one guess, however often it is typed.
      if is_new and network is not null and not auth.count_try('promo guess', network, 100, 3600) then
        perform private.refuse(429, 'too_many_codes', 'Too many promo codes were tried. Please try again in an hour.');
      end if;
    end if;
    return promo;
  end
  $$;
