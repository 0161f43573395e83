-- Wrong promo codes counted for an IPv6 /64 only, and a provider gives one customer up to 65 536 of them. The rule of all limits by address
-- (auth.has_try and auth.count_try) counts the /48 as well. find_promo() counts through it; only this question had its own.
create or replace function private.require_promo_guess(network text) returns void
  language plpgsql volatile security definer
  set search_path = ''
  as $$
  begin
    if network is not null and not auth.has_try('promo guess', network, 100, 3600) then
      perform private.refuse(429, 'too_many_codes', 'Too many promo codes were tried. Please try again in an hour.');
    end if;
  end
  $$;
