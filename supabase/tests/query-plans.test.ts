import { expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, type OrderRecord, riggedStickBait, setStock } from './shopping.ts'
import { type TestTransaction, testInOwnShop as test } from './sql.ts'

interface PlanNode {
  'Node Type': string
  'Plan Rows': number
  'Relation Name'?: string
  Plans?: PlanNode[]
}

/** Returns the tables that are scanned although an index could serve. Disables sequential scans, which the planner prefers on small tables. */
async function fullScans(sql: TestTransaction, statement: string): Promise<string[]> {
  await sql.rows('set local enable_seqscan = off')
  return scansIn(await planOf(sql, statement))
}

async function planOf(sql: TestTransaction, statement: string): Promise<PlanNode> {
  const [{ Plan }] = await sql.value<[{ Plan: PlanNode }]>(`explain (format json) ${statement}`)
  return Plan
}

function scansIn(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(scansIn)]
}

const NOW = `'2026-11-21'::timestamptz`

test.for([
  ['mails that failed', `select from public.mails where status = 'failed' and not confidential`],
  ['mails that wait', `select from public.mails where status = 'queued'`],
  ['expired drafts', `select from public.orders where placed_at is null and expires_at < ${NOW}`],
  [
    'expired orders',
    `select from public.orders where status = 'pending_payment' and placed_at is not null and expires_at < ${NOW}`,
  ],
  ['recent notices', `select from public.payment_notices where received_at > ${NOW}`],
  ['variants low on stock', 'select from public.product_variants where stock_quantity <= 3'],
  [
    'waiting stock alerts',
    'select from public.stock_alerts where mailed_at is null and withdrawn_at is null',
  ],
  [
    'the sales of a promo code',
    `select sum(revenue) from private.promo_sales where promo_code_id = '00000000-0000-0000-0000-000000000000'`,
  ],
  [
    'an order by tracking number',
    `select from public.orders where tracking_number <> '' and lower(tracking_number) = 'tcg00015838'`,
  ],
  ['clients by a word', `select from public.profiles p where private.client_search_text(p) like '%mokoena%'`],
  [
    'a page of the catalogue',
    `select from public.products where status = 'live' order by position, created_at desc limit 24`,
  ],
  ['search texts', `select from private.search_texts where run ~ 'popper|poppet'`],
  [
    'a page of the gallery',
    `select from public.gallery_submissions where status = 'approved' order by created_at desc limit 48`,
  ],
] as const)('finds %s without a full table scan', async ([, statement], { sql }) => {
  expect(await fullScans(sql, statement)).toEqual([])
})

test('finds the payment of a payment issue without a full table scan', async ({ sql }) => {
  expect(await fullScans(sql, 'select * from public.open_payment_issues')).not.toContain('payments')
})

test('reads the stock of one product without a full table scan', async ({ sql }) => {
  await sql.as('anon')

  expect(
    await fullScans(
      sql,
      `select variant_id, available from public.product_availability where product_id = 'c0ffee00-0000-0000-0000-000000000000'`,
    ),
  ).toEqual([])
})

test.for([
  'orders',
  'order_items',
  'profiles',
  'changes',
  'newsletter_signups',
  'contact_submissions',
  'gallery_submissions',
])('makes the planner expect that staff see every row of %s', async (table, { sql }) => {
  const all = await planOf(sql, `select from public.${table}`)
  await sql.as(await anAdmin(sql))

  const seen = await planOf(sql, `select from public.${table}`)

  expect(seen['Plan Rows']).toBeGreaterThan(all['Plan Rows'] * 0.95)
})

test('keeps the search index current when products and colours change', async ({ sql }) => {
  const found = async (term: string) =>
    (await sql.value<{ count: number }>('select public.search_products($1)', [term])).count
  const [lure] = await sql.rows<{ id: string }>(
    `insert into public.products (name, category, price) values ('Night Crawler', 'Trolling Lures', 90) returning id`,
  )
  await sql.rows(`insert into public.product_variants (product_id, name) values ($1, 'Moon Silver')`, [
    lure?.id,
  ])
  expect([await found('night crawler'), await found('moon'), await found('trolling silver')]).toEqual([
    1, 1, 1,
  ])

  await sql.rows(`update public.products set name = 'Dusk Crawler', category = 'Divers' where id = $1`, [
    lure?.id,
  ])
  expect([await found('night'), await found('dusk moon'), await found('trolling')]).toEqual([0, 1, 0])

  await sql.rows(`update public.product_variants set name = 'Sun Gold' where product_id = $1`, [lure?.id])
  expect([await found('moon'), await found('dusk gold')]).toEqual([0, 1])

  await sql.rows('delete from public.products where id = $1', [lure?.id])
  expect([await found('dusk'), await found('gold')]).toEqual([0, 0])
})

test('suggests products before colours, up to the requested number', async ({ sql }) => {
  await sql.as('anon')
  const suggested = (term: string, atMost: number) =>
    sql.rows<{ name: string; colour: string | null }>(
      'select name, colour from public.suggest_products($1, $2)',
      [term, atMost],
    )

  const poppers = await suggested('poper', 40)
  expect(poppers.slice(0, 3)).toEqual([
    { name: 'Chisel Nose Popper 150mm/30G', colour: null },
    { name: 'Chisel Nose Popper 200mm/50G', colour: null },
    { name: 'Chisel Nose Popper 150mm/30G', colour: expect.any(String) },
  ])
  expect(await suggested('popper', 2)).toHaveLength(2)
  expect((await suggested('red head 30g', 40)).map(({ colour }) => colour)).toEqual(['Redhead 150mm'])
  expect(await suggested(`'); drop table public.orders; --`, 40)).toEqual([])
})

test('reads a few orders for a new one, however many unpaid orders a launch leaves', async ({ sql }) => {
  await setStock(sql, riggedStickBait, 1000)
  const order = await orderOfNewCustomer(sql)
  await sql.rows(
    `insert into auth.users (id, email) select gen_random_uuid(), 'former-' || n || '@example.com' from generate_series(1, 200) n`,
  )
  await copyOrder(sql, order, {
    status: 'cancelled',
    cancelled_at: '2026-01-01',
    cancellation_reason: 'expired',
    expires_at: null,
  })
  await sql.rows('analyze public.orders')
  // PostgreSQL keeps a plan after five calls.
  for (let count = 0; count < 6; count += 1) await orderOfNewCustomer(sql)
  await copyOrder(sql, order)
  const before = await ordersRead(sql)
  await orderOfNewCustomer(sql)

  expect((await ordersRead(sql)) - before).toBeLessThan(20)
})

async function orderOfNewCustomer(sql: TestTransaction): Promise<OrderRecord> {
  return orderOf(sql, await aCustomer(sql), { lines: [{ quantity: 3 }], total: 1500 })
}

/** Adds ten orders of each former customer. */
async function copyOrder(sql: TestTransaction, order: OrderRecord, changes = {}): Promise<void> {
  await sql.rows('set constraints all immediate')
  await sql.rows('alter table public.orders disable trigger user')
  await sql.rows(
    `insert into public.orders select copy.*
     from public.orders o, auth.users u, generate_series(1, 10) as n,
       jsonb_populate_record(o, $2::jsonb || jsonb_build_object('id', gen_random_uuid(), 'customer_id', u.id,
         'order_number', nextval('public.orders_order_number_seq'), 'idempotency_key', gen_random_uuid(), 'copy', n)) as copy
     where o.id = $1 and u.email like 'former-%'`,
    [order.id, JSON.stringify(changes)],
  )
  await sql.rows('alter table public.orders enable trigger user')
}

async function ordersRead(sql: TestTransaction): Promise<number> {
  return sql.value<number>(
    `select (seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relid = 'public.orders'::regclass`,
  )
}
