/**
 * Does a page or a call that shows so many rows cost the same in a large shop as in a new one? From the seed's 3 lures and 100
 * orders to 3 000 lures and a million orders, in one process, each asked alone.
 */
import type { Client } from 'pg'
import { delivery } from '#test/storefront-calls/shopping.ts'
import {
  anAdmin,
  call,
  type Call,
  openTradingShop,
  paceOf,
  peopleWithCarts,
  type Person,
  somePeople,
  type TradingShop,
  withDatabase,
} from './crowd.ts'
import { fillShop } from './large-shop.ts'
import { isRunByItself, type Row, runAlone } from './row.ts'

const SMALL = { lures: 3, orders: 100 }
const LARGE = { lures: 3000, orders: 1_000_000 }
/** So many orders are made up, and then repeated. */
const MADE_UP = 10_000
const AT_MOST = 1.5
/** Below this a difference is the machine's and not the shop's. */
const NOISE_MS = 1

export async function measureGrowth(): Promise<Row[]> {
  const shop = await openTradingShop()
  try {
    const admin = await anAdmin(shop)
    await withDatabase(shop.databaseUrl, async (client) => {
      await client.query('update public.product_variants set stock_quantity = 1000000')
      await fillShop(client, { clients: 40, orders: SMALL.orders })
    })
    const before = await askAll(shop, admin)
    await withDatabase(shop.databaseUrl, async (client) => {
      await fillShop(client, { clients: 2000, orders: MADE_UP })
      await repeatOrders(client, LARGE.orders)
      await repeatLures(client, LARGE.lures)
      await client.query('vacuum analyze')
    })
    const after = await askAll(shop, admin)
    return Object.entries(before).map(([question, small]) =>
      growthRow(question, small, after[question] ?? Number.NaN),
    )
  } finally {
    await shop.stop()
  }
}

/** Milliseconds for each question, the median of those who asked. */
async function askAll(shop: TradingShop, { token }: Person): Promise<Record<string, number>> {
  const id = await anOrderId(shop)
  const orders = '/rest/v1/orders?select=*,profiles(full_name,email,phone)'
  const reads: Record<string, Call> = {
    'Lure page, rendered': { path: '/products/chisel-nose-popper-150?rendered' },
    'FAQ, rendered': { path: '/faq?rendered' },
    'Approved catches': { path: '/rest/v1/gallery_submissions?select=id&status=eq.approved&limit=20' },
    'Catalogue read, 20 lures': {
      path: '/rest/v1/products?select=id,slug,name,price,product_variants(id,name)&status=eq.live&order=position&limit=20',
    },
    'Admin: newest 50 orders': { path: `${orders}&order=created_at.desc&limit=50`, token },
    'Admin: search by number': {
      path: `/rest/v1/rpc/search_orders?term=%2300042&select=*,profiles(full_name)&limit=50`,
      token,
    },
    'Admin: search by e-mail': {
      path: `/rest/v1/rpc/search_orders?term=angler-7%40example.com&select=*,profiles(full_name)&limit=50`,
      token,
    },
    'Admin: one order': { path: `${orders}&id=eq.${id}`, token },
    'Admin: lines of an order': { path: `/rest/v1/order_items?select=*&order_id=eq.${id}`, token },
    'Admin: what waits': { path: '/rest/v1/rpc/count_waiting_work', method: 'POST', body: {}, token },
  }
  const times: Record<string, number> = {}
  for (const [question, wanted] of Object.entries(reads)) {
    const ask = () => call(shop, wanted)
    await paceOf(Array.from({ length: 30 }, () => ask))
    times[question] = (await paceOf(Array.from({ length: 60 }, () => ask))).p50Ms
  }
  return { ...times, ...(await askWrites(shop)) }
}

async function askWrites(shop: TradingShop): Promise<Record<string, number>> {
  const people = await somePeople(shop, 60)
  const line = {
    product_name: 'Chisel Nose Popper 200mm/50G',
    product_variant: null,
    price: 140,
    quantity: 1,
    with_hooks: false,
  }
  const [colour] = JSON.parse(
    await call(shop, {
      path: '/rest/v1/product_variants?select=name,products!inner(name)&products.name=eq.Chisel%20Nose%20Popper%20200mm%2F50G&limit=1',
    }),
  )
  const inserts = people.map(
    ({ userId, token }) =>
      () =>
        call(shop, {
          path: '/rest/v1/cart_items',
          method: 'POST',
          token,
          body: { ...line, product_variant: colour.name, user_id: userId },
        }),
  )
  const buyers = await peopleWithCarts(shop, 80)
  const orders = buyers.map(
    ({ token }) =>
      () =>
        call(shop, {
          path: '/rest/v1/rpc/place_order',
          method: 'POST',
          token,
          body: { idempotency_key: crypto.randomUUID(), delivery, expected_total: 500 },
        }),
  )
  await paceOf(inserts.splice(0, 20))
  await paceOf(orders.splice(0, 30))
  return { 'Cart insert': (await paceOf(inserts)).p50Ms, 'Order placed': (await paceOf(orders)).p50Ms }
}

async function anOrderId(shop: TradingShop): Promise<string> {
  return withDatabase(shop.databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'select id from public.orders order by order_number limit 1',
    )
    return rows[0]?.id ?? ''
  })
}

/** The same orders with other numbers and other days, as many times as it takes. Indexes on words are laid down again at the end. */
async function repeatOrders(client: Client, wanted: number): Promise<void> {
  const { rows: words } = await client.query<{ name: string; definition: string }>(
    `select format('%I.%I', schemaname, indexname) as name, indexdef as definition from pg_indexes
     where schemaname = 'public' and tablename in ('orders', 'order_items') and indexdef like '%gin%'`,
  )
  const times = Math.round(wanted / MADE_UP) - 1
  await client.query(
    `set session_replication_role = 'replica'; set synchronous_commit = 'off'; set maintenance_work_mem = '512MB'`,
  )
  for (const { name } of words) await client.query(`drop index ${name}`)
  await copyRows(client, 'public.orders', {
    id: 'md5(o.id::text || n)::uuid',
    idempotency_key: 'null',
    created_at: `o.created_at - n * interval '9 hours'`,
    source: `public.orders o, generate_series(1, ${times}) n where o.status in ('delivered', 'cancelled', 'shipped')`,
  })
  await copyRows(client, 'public.order_items', {
    id: 'gen_random_uuid()',
    order_id: 'md5(o.order_id::text || n)::uuid',
    source: `public.order_items o, generate_series(1, ${times}) n
      where o.order_id in (select id from public.orders where status in ('delivered', 'cancelled', 'shipped'))`,
  })
  for (const { definition } of words) await client.query(definition)
  await client.query(`set session_replication_role = 'origin'`)
}

/** The seed's lures again and again, each hidden from the first pages by its position. */
async function repeatLures(client: Client, wanted: number): Promise<void> {
  await client.query(`set session_replication_role = 'replica'`)
  await copyRows(client, 'public.products', {
    id: 'md5(o.id::text || n)::uuid',
    name: `o.name || ' ' || n`,
    slug: `o.slug || '-' || n`,
    position: 'o.position + 100 * n',
    source: `public.products o, generate_series(1, ${wanted / SMALL.lures - 1}) n`,
  })
  await copyRows(client, 'public.product_variants', {
    id: 'md5(o.id::text || n)::uuid',
    product_id: 'md5(o.product_id::text || n)::uuid',
    sku: 'null',
    source: `public.product_variants o, generate_series(1, ${wanted / SMALL.lures - 1}) n`,
  })
  await client.query(`set session_replication_role = 'origin'`)
}

/** Copies rows with some columns changed; numbers that the table gives out itself are given out again. */
async function copyRows(
  client: Client,
  table: string,
  { source, ...changed }: Record<string, string>,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select quote_ident(attname) as name from pg_attribute
     where attrelid = $1::regclass and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
       and not exists (select from pg_attrdef d where d.adrelid = attrelid and d.adnum = attnum and pg_get_expr(d.adbin, d.adrelid) like 'nextval%')`,
    [table],
  )
  const names = rows.map(({ name }) => name)
  const values = names.map((name) => changed[name] ?? `o.${name}`)
  await client.query(`insert into ${table} (${names.join()}) select ${values.join()} from ${source}`)
}

function growthRow(question: string, smallMs: number, largeMs: number): Row {
  const ratio = largeMs / smallMs
  return {
    question: `Growth: ${question}`,
    load: '3 lures, 100 orders → 3 000 lures, 1 000 000 orders',
    result: `${smallMs.toFixed(1)} ms → ${largeMs.toFixed(1)} ms`,
    beside: `${ratio.toFixed(2)} times; at most ${AT_MOST}`,
    isReached: ratio <= AT_MOST || largeMs - smallMs < NOISE_MS,
  }
}

if (isRunByItself(import.meta.url)) await runAlone(measureGrowth)
