import type { Client } from 'pg'

export interface ShopSize {
  clients: number
  orders: number
}

/**
 * Fills the tables with two years of trade, without triggers and mails, which would take an hour. Every second order contains the
 * best-selling stick bait, and names repeat, so that a search for one finds hundreds.
 */
export async function fillShop(database: Client, { clients, orders }: ShopSize): Promise<void> {
  await database.query("begin; set local session_replication_role = 'replica'")
  try {
    for (const part of [CLIENTS, ORDERS, LINES, ORDER_TOTALS, EVERYTHING_ELSE]) {
      // Each part builds on the rows of the one before.
      // oxlint-disable-next-line no-await-in-loop
      await database.query(
        part.replaceAll('#clients#', String(clients)).replaceAll('#orders#', String(orders)),
      )
    }
    await database.query('select private.recount_sales()')
    await database.query('commit')
  } catch (error) {
    await database.query('rollback')
    throw error
  }
  await database.query('vacuum analyze')
}

// Deterministic pseudo-random numbers by row and purpose.
const CHANCE = `create function pg_temp.chance(seed int, purpose text) returns float8 language sql immutable
  as $$ select (('x' || substr(md5(seed || purpose), 1, 8))::bit(32)::bigint)::float8 / 4294967296 $$;
create function pg_temp.one_of(choices text[], luck float8) returns text language sql immutable
  as $$ select choices[1 + floor(luck * cardinality(choices))::int] $$;`

const FIRST_NAMES = `array['Thandi','Pieter','Sipho','Lerato','Johan','Zanele','Themba','Anika','Kobus','Nomsa','Riaan','Ayesha',
  'Dirk','Lindiwe','Gert','Fatima','Bongani','Elsa','Hennie','Precious']`
const LAST_NAMES = `array['Mokoena','Botha','Dlamini','van der Merwe','Nkosi','Naidoo','Khumalo','Pretorius','Mahlangu','Jacobs',
  'du Toit','Zulu','Govender','Fourie','Ndlovu','Smit','Mbeki','Petersen','Venter','Sithole']`
const TOWNS = `array['Durban|KwaZulu-Natal|4001','Ballito|KwaZulu-Natal|4420','Port Alfred|Eastern Cape|6170',
  'Gqeberha|Eastern Cape|6001','Cape Town|Western Cape|8001','Hermanus|Western Cape|7200','Johannesburg|Gauteng|2001',
  'Pretoria|Gauteng|0002','Bloemfontein|Free State|9301','Mbombela|Mpumalanga|1200']`

const CLIENTS = `${CHANCE}
create temp table new_clients as
  select gen_random_uuid() as id, n,
    pg_temp.one_of(${FIRST_NAMES}, pg_temp.chance(n, 'first')) as first_name,
    pg_temp.one_of(${LAST_NAMES}, pg_temp.chance(n, 'last')) as last_name,
    string_to_array(pg_temp.one_of(${TOWNS}, pg_temp.chance(n, 'town')), '|') as town,
    now() - make_interval(secs => pg_temp.chance(n, 'joined') * 730 * 86400) as joined
  from generate_series(1, #clients#) n;
insert into auth.users (id, email, created_at) select id, 'angler-' || n || '@example.com', joined from new_clients;
insert into public.profiles (id, email, full_name, phone, address, city, state, zip_code, created_at)
  select id, 'angler-' || n || '@example.com', first_name || ' ' || last_name, '+2782' || lpad((n * 37 % 10000000)::text, 7, '0'),
    n % 200 || ' Beach Road', town[1], town[2], town[3], joined
  from new_clients;`

const ORDERS = `create temp table new_orders as
  select gen_random_uuid() as id, o.n, c.id as customer_id, c.n as client, first_name || ' ' || last_name as name, town,
    now() - make_interval(secs => (1 - sqrt(pg_temp.chance(o.n, 'when'))) * 730 * 86400) as at,
    pg_temp.chance(o.n, 'state') as luck
  from generate_series(1, #orders#) o(n)
  join new_clients c on c.n = 1 + floor(pg_temp.chance(o.n, 'who') ^ 2 * #clients#)::int;
insert into public.orders (id, customer_id, status, subtotal_amount, total_amount, shipping_cost, shipping_method,
    shipping_address, shipping_city, shipping_state, shipping_zip, locker_location, customer_email, customer_name, customer_phone,
    tracking_number, courier_company_id, created_at, placed_at, paid_at, cancelled_at, cancellation_reason, expires_at)
  select o.id, customer_id, state, 0, 0, 0, method, n % 200 || ' Beach Road', town[1], town[2], town[3],
    case when method = 'locker' then 'Spar, ' || town[1] end,
    'angler-' || client || '@example.com', name, '+2782' || lpad((client * 37 % 10000000)::text, 7, '0'),
    case when state in ('shipped', 'delivered') then 'TCG' || lpad((n * 7919 % 100000000)::text, 8, '0') end,
    case when state in ('shipped', 'delivered') then (select id from public.courier_companies order by name limit 1) end,
    at, at, case when state not in ('pending_payment') and not (state = 'cancelled' and luck < 0.96) then at + interval '3 minutes' end,
    case when state = 'cancelled' then at + interval '1 day' end, case when state = 'cancelled' then 'expired' end,
    case when state = 'pending_payment' then now() + interval '1 day' end
  from (
    select *, case when pg_temp.chance(n, 'method') < 0.6 then 'locker' else 'door-to-door' end as method,
      case when at > now() - interval '2 days' and luck < 0.2 then 'pending_payment' when luck > 0.93 then 'cancelled'
        when at > now() - interval '4 days' then 'new' when at > now() - interval '8 days' then 'processing'
        when at > now() - interval '14 days' then 'shipped' else 'delivered' end as state
    from new_orders) o
  order by at;`

const LINES = `insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks, product_id, variant_id,
    image_url, position)
  select o.id, v.product_name, v.name, case when rigged then v.price_with_hooks else v.price end, 1 + floor(pg_temp.chance(o.n, 'many' || line) * 3)::int,
    rigged, v.product_id, v.id, v.image_url, line
  from new_orders o
  cross join generate_series(1, 2) line
  join lateral (
    select v.*, p.name as product_name, p.price, p.price_with_hooks, line as at_line, pg_temp.chance(o.n, 'rigged' || line) < 0.7 as rigged
    from public.product_variants v join public.products p on p.id = v.product_id
    where p.position = case when line = 1 and pg_temp.chance(o.n, 'lure') < 0.5 then 1 when line = 1 then 2 else 3 end
    order by pg_temp.chance(o.n + v.position * 7919, 'colour' || line) limit 1) v on true
  where line = 1 or pg_temp.chance(o.n, 'second') < 0.4;`

const ORDER_TOTALS = `update public.orders o
  set subtotal_amount = s.subtotal, shipping_cost = s.shipping, total_amount = s.subtotal + s.shipping
  from (
    select order_id, sum(price * quantity) as subtotal, case when sum(price * quantity) >= 1500 then 0 else 100 end as shipping
    from public.order_items group by order_id) s
  where s.order_id = o.id and o.id in (select id from new_orders);
insert into public.order_events (order_id, kind, detail, created_at)
  select id, 'placed', '{}', at from new_orders;
drop table new_orders;`

const EVERYTHING_ELSE = `insert into public.newsletter_signups (email, source, accepted_terms, created_at)
  select 'angler-' || n || '@example.com', pg_temp.one_of(array['popup','footer','sign_up'], pg_temp.chance(n, 'source')), true, joined
  from new_clients where n % 4 = 0;
insert into public.contact_submissions (name, email, subject, message, created_at)
  select first_name || ' ' || last_name, 'angler-' || n || '@example.com', 'Which lure for garrick',
    'From the rocks, mostly at dawn, with a light rod.', joined
  from new_clients where n % 10 = 0;
drop table new_clients;`
