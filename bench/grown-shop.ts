import type { Client } from 'pg'
import { fillShop } from './large-shop.ts'

export interface GrownSize {
  lures: number
  orders: number
}

/** Rows that are generated individually; a larger shop repeats them. */
const MADE_UP = { clients: 2000, orders: 10_000 }

/** Tables that grow with trade. Their indexes are dropped while writing and created again at the end. */
const GROWING = [
  'orders',
  'order_items',
  'order_events',
  'payment_attempts',
  'payment_notices',
  'payments',
  'mails',
  'stock_movements',
  'changes',
  'profiles',
  'promo_redemptions',
]

/** Fills a shop with years of trade, including payments, mails and history. Takes a few minutes for a million orders. */
export async function growShop(database: Client, { lures, orders }: GrownSize): Promise<void> {
  await database.query(
    `set session_replication_role = 'replica'; set synchronous_commit = off; set maintenance_work_mem = '1GB'; set jit = off`,
  )
  await fillShop(database, MADE_UP)
  await repeatProducts(database, lures)
  const { rows: indexes } = await database.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = any (select ('public.' || quote_ident(t))::regclass from unnest($1::text[]) t)
       and not exists (select from pg_constraint c where c.conindid = indexrelid)`,
    [GROWING],
  )
  for (const { name } of indexes) await database.query(`drop index ${name}`)
  const times = await timesToRepeat(database, orders)
  await repeatClients(database, times)
  await repeatOrders(database, times)
  for (const part of [MONEY, MAILS, SHELF, HISTORY, PROMO_CODES]) await database.query(part)
  await addGalleryPhotos(database, 3000)
  for (const { definition } of indexes) await database.query(definition)
  await database.query('select private.recount_sales()')
  await database.query(`set session_replication_role = 'origin'`)
  await database.query('vacuum analyze')
}

const OVER = `status in ('delivered', 'cancelled')`

async function timesToRepeat(database: Client, orders: number): Promise<number> {
  const { rows } = await database.query<{ over: number }>(
    `select count(*)::int as over from public.orders where ${OVER}`,
  )
  return Math.ceil((orders - MADE_UP.orders) / (rows[0]?.over ?? 1))
}

/** Repeats the seed's products under other names, at the end of the catalogue. */
export async function repeatProducts(database: Client, wanted: number): Promise<void> {
  const { rows } = await database.query<{ count: number }>('select count(*)::int from public.products')
  const times = Math.ceil(wanted / (rows[0]?.count ?? 1)) - 1
  await copyRows(database, 'public.products', {
    id: 'md5(o.id::text || n)::uuid',
    name: `o.name || ' ' || n`,
    slug: `o.slug || '-' || n`,
    position: 'o.position + 100 * n',
    stock_quantity: '0',
    source: `(select * from public.products) o, generate_series(1, ${times}) n`,
  })
  await copyRows(database, 'public.product_variants', {
    id: 'md5(o.id::text || n)::uuid',
    product_id: 'md5(o.product_id::text || n)::uuid',
    sku: 'null',
    source: `(select * from public.product_variants) o, generate_series(1, ${times}) n`,
  })
  // Does the work of the disabled triggers.
  await database.query(
    `select private.update_search_text(p, null, null) from public.products p;
     select private.update_search_text(p, v.id, v.name) from public.products p join public.product_variants v on v.product_id = p.id`,
  )
}

/** Adds approved photos and a few pending ones. */
export async function addGalleryPhotos(database: Client, count: number): Promise<void> {
  await database.query(
    `insert into public.gallery_submissions (customer_name, description, image_url, image_urls, status, created_at, product_id)
     select 'Angler ' || n, 'Garrick at dawn, from the rocks.', '/pictures/catch-' || n, array['/pictures/catch-' || n],
       case when n <= 5 then 'pending' else 'approved' end, now() - n * interval '5 hours', p.id
     from generate_series(1, $1) n join public.products p on p.position = 1 + n % 3`,
    [count],
  )
}

/** Adds enough changes, promo codes and orders to make to fill a page of each. Runs without triggers. */
export async function fillLists(database: Client): Promise<void> {
  const toMake = `update public.orders set status = 'new' where id in (
    select id from public.orders where status = 'delivered' order by order_number limit 60)`
  for (const part of [HISTORY, PROMO_CODES, toMake]) await database.query(part)
  await database.query('select private.recount_sales()')
}

async function repeatClients(database: Client, times: number): Promise<void> {
  await database.query(
    `insert into auth.users (id, email, created_at)
     select md5(u.id::text || n)::uuid, n || '-' || u.email, u.created_at
     from auth.users u, generate_series(1, ${times}) n where u.email like 'angler-%@example.com'`,
  )
  await copyRows(database, 'public.profiles', {
    id: 'md5(o.id::text || n)::uuid',
    email: `n || '-' || o.email`,
    phone: `'+27' || 820000000 + (hashtext(o.phone || n) & 67108863)`,
    source: `public.profiles o, generate_series(1, ${times}) n where o.email like 'angler-%@example.com'`,
  })
  await copyRows(database, 'public.newsletter_signups', {
    id: 'md5(o.id::text || n)::uuid',
    email: `n || '-' || o.email`,
    source: `public.newsletter_signups o, generate_series(1, ${times}) n`,
  })
  await copyRows(database, 'public.contact_submissions', {
    id: 'md5(o.id::text || n)::uuid',
    source: `public.contact_submissions o, generate_series(1, ${Math.ceil(times / 10)}) n`,
  })
}

/** Repeats finished orders with other numbers, customers and dates. Open orders are not repeated, because staff can handle only so many. */
async function repeatOrders(database: Client, times: number): Promise<void> {
  await copyRows(database, 'public.orders', {
    id: 'md5(o.id::text || n)::uuid',
    customer_id: 'md5(o.customer_id::text || n)::uuid',
    customer_email: `n || '-' || o.customer_email`,
    customer_phone: `'+27' || 820000000 + (hashtext(o.customer_phone || n) & 67108863)`,
    tracking_number: `'TCG' || lpad((hashtext(o.tracking_number || n) & 67108863)::text, 8, '0')`,
    idempotency_key: 'null',
    created_at: `o.created_at - n * interval '9 hours'`,
    placed_at: `o.placed_at - n * interval '9 hours'`,
    paid_at: `o.paid_at - n * interval '9 hours'`,
    cancelled_at: `o.cancelled_at - n * interval '9 hours'`,
    source: `public.orders o, generate_series(1, ${times}) n where ${OVER}`,
  })
  await copyRows(database, 'public.order_items', {
    id: 'gen_random_uuid()',
    order_id: 'md5(o.order_id::text || n)::uuid',
    source: `public.order_items o, generate_series(1, ${times}) n
      where o.order_id in (select o.id from public.orders o where ${OVER})`,
  })
  await database.query(
    `insert into public.order_events (order_id, kind, detail, created_at)
     select id, kind, '{}', at from public.orders, lateral (values ('placed', placed_at), ('paid', paid_at)) e (kind, at)
     where at is not null and not (kind = 'placed' and customer_email like 'angler-%')`,
  )
}

/** Copies rows with some columns changed; identity columns get new values. */
async function copyRows(
  database: Client,
  table: string,
  { source, ...changed }: Record<string, string>,
): Promise<void> {
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => changed[name] ?? `o.${name}`)
  await database.query(`insert into ${table} (${names.join()}) select ${values.join()} from ${source}`)
}

const MONEY = `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount, created_at)
  select id, order_number, 'grown-' || order_number, '10000100', total_amount, placed_at
  from public.orders where paid_at is not null and total_amount > 0;
insert into public.payment_notices (id, raw_body, m_payment_id, headers, source_address, received_at)
  select md5(id::text || 'notice')::uuid, 'm_payment_id=grown-' || order_number, 'grown-' || order_number, '{}', '127.0.0.1', paid_at
  from public.orders where paid_at is not null and total_amount > 0;
insert into public.payment_notice_outcomes (notice_id, outcome, decided_at)
  select md5(id::text || 'notice')::uuid, 'paid', paid_at
  from public.orders where paid_at is not null and total_amount > 0;
insert into public.payments (pf_payment_id, notice_id, order_id, m_payment_id, amount_gross, outcome, created_at)
  select 'grown-' || order_number, md5(id::text || 'notice')::uuid, id, 'grown-' || order_number, total_amount, 'paid', paid_at
  from public.orders where paid_at is not null and total_amount > 0;`

const MAILS = `insert into public.mails (key, template, recipient, props, sent_to, subject, html, text, status, attempts, created_at, sent_at)
  select 'grown:' || id, 'order-confirmation', customer_email, jsonb_build_object('orderId', id), customer_email,
    'Your order #' || order_number, repeat('<p>Thank you</p>', 20), 'Thank you', 'sent', 1, placed_at, placed_at
  from public.orders where status <> 'pending_payment';`

const SHELF = `insert into public.stock_movements (variant_id, quantity, reason, order_id, created_at)
  select i.variant_id, -i.quantity, 'sold', i.order_id, o.paid_at
  from public.order_items i join public.orders o on o.id = i.order_id
  where o.paid_at is not null and i.variant_id is not null;
insert into public.stock_movements (variant_id, quantity, reason, created_at)
  select variant_id, sold + stock_quantity, 'made', now() - interval '5 years'
  from (select variant_id, -sum(quantity) as sold from public.stock_movements where reason = 'sold' group by 1) m
  join public.product_variants v on v.id = m.variant_id;
update public.products p set stock_quantity = (select sum(v.stock_quantity) from public.product_variants v where v.product_id = p.id);`

const HISTORY = `insert into public.changes (changed_at, actor, table_name, row_id, row_label, verb, before, after, withheld, personal)
  select paid_at, 'admin', 'public.orders', id::text, '#' || order_number, 'update', '{"status": "processing"}', '{"status": "shipped"}', '{}', '{}'
  from public.orders where status = 'delivered';`

const PROMO_CODES = `insert into public.promo_codes (code, discount_type, discount_value, created_at)
  select 'SEASON-' || n, 'percentage', 10, now() - n * interval '3 days' from generate_series(1, 300) n;
insert into public.promo_redemptions (order_id, promo_code_id, customer_id, email, phone, created_at)
  select o.id, p.id, o.customer_id, private.normalise_email(o.customer_email), private.normalise_phone(o.customer_phone), o.placed_at
  from public.orders o join public.promo_codes p on p.code = 'SEASON-' || (1 + o.order_number % 300)
  where o.order_number % 5 = 0 and o.paid_at is not null and o.status <> 'cancelled';
update public.orders o set promo_code_id = r.promo_code_id, promo_code = p.code
  from public.promo_redemptions r join public.promo_codes p on p.id = r.promo_code_id where r.order_id = o.id;
update public.promo_codes p set times_used = (select count(*) from public.promo_redemptions r where r.promo_code_id = p.id);`
