-- Networks from which an account has signed in. Failed passwords from anywhere else are slowed down for the account as a whole;
-- the owner's own network is exempt from that, or an attacker could keep the owner out. Not on the hosted product.
do $bootstrap$
begin
  if not pg_has_role((select nspowner from pg_namespace where nspname = 'auth'), 'usage') then
    return;
  end if;

  create table if not exists auth.known_networks (
    user_id uuid not null references auth.users on delete cascade,
    network text not null,
    seen_at timestamptz not null default now(),
    primary key (user_id, network)
  );
  comment on table auth.known_networks is
    'IPv4 addresses and IPv6 /64 prefixes from which an account has opened a session, for 180 days after the last one.';
  alter table auth.known_networks add column if not exists factor_shown_at timestamptz;
  comment on column auth.known_networks.factor_shown_at is
    'When a second factor was last shown from here: wrong codes from elsewhere cannot use up the tries of this network.';
  create index if not exists known_networks_seen_at_idx on auth.known_networks (seen_at);

  -- Sessions that are older than this table count as well. IPv4 only: networkOf() alone writes IPv6 prefixes.
  if not exists (select from auth.known_networks) then
    insert into auth.known_networks (user_id, network, seen_at)
    select user_id, host(ip), max(coalesce(updated_at, created_at, now()))
    from auth.sessions
    where family(ip) = 4
    group by 1, 2;
  end if;
end
$bootstrap$;
