import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFailed } from 'vitest'
import { inTransaction } from '@saltfreak/backend'
import { openDatabase, seededRandom } from '@saltfreak/backend/testing'
import { aCustomer, anAdmin, aPromoCode, orderOf, markOrderPaid, popper, setStock } from './shopping.ts'
import { type TestTransaction, sqlOn, test } from './sql.ts'

const TEN_RAND = { discount_type: 'fixed', discount_value: 10 } as const

/** The stored totals, and the same totals counted from the orders. */
async function storedAndCounted(sql: TestTransaction) {
  const stored = await sql.rows(
    'select code, paid_orders, revenue::float8, discounted::float8 from public.promo_code_results order by code',
  )
  const counted = await sql.rows(
    `select p.code, count(o.id)::int as paid_orders, coalesce(sum(o.total_amount), 0)::float8 as revenue,
       coalesce(sum(least(o.discount_amount, coalesce(o.subtotal_amount + o.shipping_cost, o.discount_amount))), 0)::float8 as discounted
     from public.promo_codes p
     left join public.orders o on o.promo_code_id = p.id and o.paid_at is not null and o.status <> 'cancelled'
     group by p.code order by p.code`,
  )
  return { stored, counted }
}

async function anOrderWith(sql: TestTransaction, promo: string) {
  return orderOf(sql, await aCustomer(sql), { lines: [popper], total: 200, promo })
}

test('updates a promo code’s totals with each change of an order', async ({ sql }) => {
  await aPromoCode(sql, { code: 'ONE', ...TEN_RAND })
  const other = await aPromoCode(sql, { code: 'TWO', ...TEN_RAND })
  const order = await anOrderWith(sql, 'ONE')
  await markOrderPaid(sql, await anOrderWith(sql, 'TWO'))
  const seen: unknown[] = []
  const look = async () => {
    const { stored, counted } = await storedAndCounted(sql)
    expect(stored).toEqual(counted)
    seen.push(stored.filter(({ code }) => code !== '5OFFFIRST').map(({ revenue }) => revenue))
  }

  await look()
  await markOrderPaid(sql, order)
  await look()
  await sql.rows('update public.orders set promo_code_id = $2 where id = $1', [order.id, other])
  await look()
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
  await look()
  await sql.rows(`delete from public.orders where promo_code_id = $1`, [other])
  await look()

  expect(seen).toEqual([
    [0, 200],
    [200, 200],
    [0, 400],
    [0, 200],
    [0, 0],
  ])
})

test('counts as the discount of a promo code no more than its orders would have cost without it', async ({
  sql,
}) => {
  await aPromoCode(sql, { code: 'VOUCHER', discount_type: 'fixed', discount_value: 500 })
  const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 0, promo: 'VOUCHER' })
  const discounted = () =>
    sql.value<number>(`select discounted::float8 from public.promo_code_results where code = 'VOUCHER'`)

  expect(await discounted()).toBe(110 + 100)

  await sql.rows('update public.orders set subtotal_amount = subtotal_amount + 50 where id = $1', [order.id])
  expect(await discounted()).toBe(160 + 100)
  await sql.rows('update public.orders set shipping_cost = 0 where id = $1', [order.id])
  expect(await discounted()).toBe(160)
})

test('corrects in an upgrade the totals of promo codes that contain more than the orders would have cost', async ({
  sql,
}) => {
  await aPromoCode(sql, { code: 'VOUCHER', discount_type: 'fixed', discount_value: 500 })
  await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 0, promo: 'VOUCHER' })
  // The totals as the previous release stored them.
  await sql.rows('update private.promo_sales set discounted = 500')

  await sql.rows(await readFile(join(import.meta.dirname, '../migrations/0026_discounts_given.sql'), 'utf8'))

  const { stored, counted } = await storedAndCounted(sql)
  expect(stored).toEqual(counted)
})

test('shows promo code totals to admins and can recount the totals from the orders', async ({ sql }) => {
  await aPromoCode(sql, { code: 'ONE', ...TEN_RAND })
  await markOrderPaid(sql, await anOrderWith(sql, 'ONE'))
  await sql.rows('delete from private.promo_sales')

  await sql.rows('select private.recount_sales()')

  const { stored, counted } = await storedAndCounted(sql)
  expect(stored).toEqual(counted)
  await sql.as(await anAdmin(sql))
  expect((await storedAndCounted(sql)).stored).toEqual(counted)
})

/** Events of an order, each in its own transaction. Some are refused, which is fine. */
const ACTS = [
  'select private.mark_order_paid($1, now())',
  'select private.mark_order_paid($1, now())',
  `update public.orders set status = 'cancelled' where id = $1`,
  'update public.orders set promo_code_id = (select id from public.promo_codes order by random() limit 1) where id = $1',
  `update public.orders
   set subtotal_amount = subtotal_amount + 10, total_amount = total_amount + 7, discount_amount = discount_amount + 3
   where id = $1`,
  'delete from public.orders where id = $1',
]

test('keeps promo code totals correct under concurrent changes and rollbacks', async ({ shop }) => {
  const { seed, random } = seededRandom()
  onTestFailed(() => console.error(`PROPERTY_SEED=${seed}`))
  const connections = openDatabase(shop.url, { ownerConnections: 12 })
  const inShop = <T>(work: (sql: TestTransaction) => Promise<T>) =>
    inTransaction(connections.owner, (client) => work(sqlOn(client)))
  const orders = await inShop(async (sql) => {
    await setStock(sql, popper, 1000)
    for (const code of ['ONE', 'TWO', 'THREE']) await aPromoCode(sql, { code, ...TEN_RAND })
    const placed = []
    for (let n = 0; n < 60; n += 1) placed.push(await anOrderWith(sql, ['ONE', 'TWO', 'THREE'][n % 3] ?? ''))
    return placed
  })
  // Drawn before the storm, whose order no seed repeats.
  const storm = orders
    .flatMap(({ id }) => Array.from({ length: 4 }, () => ({ id, place: random() })))
    .toSorted((one, other) => one.place - other.place)
    .map(({ id, place }) => ({
      id,
      place,
      act: ACTS[Math.floor(random() * ACTS.length)] ?? '',
      isTakenBack: random() < 0.2,
    }))

  const outcomes = await Promise.allSettled(
    storm.map(({ id, place, act, isTakenBack }) =>
      inShop(async (sql) => {
        await sql.rows('select setseed($1)', [place])
        await sql.rows(act, [id])
        if (isTakenBack) throw new Error('taken back')
      }),
    ),
  )

  const { stored, counted, rows } = await inShop(async (sql) => ({
    ...(await storedAndCounted(sql)),
    rows: await sql.value<number>(
      'select max(count)::int from (select count(*) from private.promo_sales group by promo_code_id) c',
    ),
  }))
  await connections.close()
  expect(stored).toEqual(counted)
  expect(stored.some(({ revenue }) => Number(revenue) > 0)).toBe(true)
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(100)
  // A code has at most as many rows as there were concurrent changes.
  expect(rows).toBeLessThanOrEqual(12)
})
