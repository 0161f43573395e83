import { expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, markOrderPaid, popper, riggedStickBait, setStock } from './shopping.ts'
import { POPPER_150, POPPER_200, STICK_BAIT } from '#test/product-names.ts'
import { type TestTransaction, test } from './sql.ts'

const ZONE = 'Africa/Johannesburg'

/** Creates an order paid at this time (UTC). */
async function aSale(sql: TestTransaction, at: string, line = riggedStickBait): Promise<string> {
  const order = await orderOf(sql, await aCustomer(sql), { lines: [line], total: line.price + 100 })
  await markOrderPaid(sql, order)
  await sql.rows('update public.orders set paid_at = $2 where id = $1', [order.id, at])
  // Fires deferred triggers now, because the transaction of a test never commits.
  await sql.rows('set constraints all immediate')
  return order.id
}

const figures = (sql: TestTransaction, name: string, [from, to]: [string, string]) =>
  sql.rows(`select * from public.${name}($1, $2, $3)`, [from, to, ZONE])

test('counts a sale on the South African payment day, including the first and last day of the period', async ({
  sql,
}) => {
  await aSale(sql, '2025-03-01T21:59:00Z')
  await aSale(sql, '2025-03-01T22:00:00Z')
  await aSale(sql, '2025-03-03T21:59:00Z')
  await aSale(sql, '2025-03-03T22:00:00Z')
  await sql.as(await anAdmin(sql))

  const days = await sql.rows(
    `select to_char(day, 'DD') as day, orders, revenue::int from public.sales_by_day('2025-03-02', '2025-03-03', $1)`,
    [ZONE],
  )

  expect(days).toEqual([
    { day: '02', orders: 1, revenue: 600 },
    { day: '03', orders: 1, revenue: 600 },
  ])
})

test('excludes cancelled orders from sales and lists days without sales', async ({ sql }) => {
  const cancelled = await aSale(sql, '2025-03-02T10:00:00Z')
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled])
  await sql.as(await anAdmin(sql))

  const days = await figures(sql, 'sales_by_day', ['2025-03-02', '2025-03-04'])
  expect(days.map(({ orders, revenue }) => [orders, Number(revenue)])).toEqual([
    [0, 0],
    [0, 0],
    [0, 0],
  ])
  expect(await figures(sql, 'sales_by_product', ['2025-03-02', '2025-03-04'])).toEqual([])
})

// covers A30
test('reports sales by product, variant and province, best first', async ({ sql }) => {
  await aSale(sql, '2025-03-02T10:00:00Z', popper)
  await aSale(sql, '2025-03-02T11:00:00Z')
  await aSale(sql, '2025-03-02T12:00:00Z')
  await sql.as(await anAdmin(sql))
  const day: [string, string] = ['2025-03-02', '2025-03-02']

  expect(await figures(sql, 'sales_by_product', day)).toEqual([
    { product_name: STICK_BAIT, orders: 2, pieces: 2, revenue: '1000.00' },
    { product_name: popper.product_name, orders: 1, pieces: 1, revenue: '110.00' },
  ])
  expect(await figures(sql, 'sales_by_variant', day)).toMatchObject([
    { product_variant: 'Blue Reaper', pieces: 2 },
    { product_variant: 'Redhead 150mm', pieces: 1 },
  ])
  expect(await figures(sql, 'sales_by_province', day)).toEqual([
    { province: 'KwaZulu-Natal', orders: 3, revenue: '1410.00' },
  ])
})

test('lists variants in stock that were not sold in the period', async ({ sql }) => {
  await aSale(sql, '2025-03-02T10:00:00Z')
  await sql.as(await anAdmin(sql))

  const unsold = await figures(sql, 'unsold_variants', ['2025-03-02', '2025-03-02'])

  expect(unsold).not.toContainEqual(
    expect.objectContaining({ product_name: STICK_BAIT, product_variant: 'Blue Reaper' }),
  )
  expect(unsold).toContainEqual(
    expect.objectContaining({ product_variant: 'Redhead 150mm', last_sold: null }),
  )
})

test('lists as unsold only live variants in stock, with their last sale that was not cancelled', async ({
  sql,
}) => {
  await aSale(sql, '2025-01-05T10:00:00Z')
  const cancelled = await aSale(sql, '2025-01-09T10:00:00Z')
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled])
  await setStock(sql, popper, 0)
  await sql.rows(`update public.products set status = 'hidden' where name = $1`, [POPPER_200])
  await sql.as(await anAdmin(sql))

  const unsold = await figures(sql, 'unsold_variants', ['2025-03-02', '2025-03-02'])

  const names = unsold.map(({ product_variant }) => product_variant)
  expect(names).toContain('Blue Reaper 150mm')
  expect(names).not.toContain(popper.product_variant)
  expect(new Set(unsold.map(({ product_name }) => product_name))).toEqual(new Set([STICK_BAIT, POPPER_150]))
  expect(unsold.find(({ product_variant }) => product_variant === 'Blue Reaper')?.['last_sold']).toEqual(
    new Date('2025-01-05T10:00:00Z'),
  )
})

test('refuses figures of more than ten years', async ({ sql }) => {
  await sql.as(await anAdmin(sql))
  const sales = `select public.sales_by_product('2015-01-01', $1, '${ZONE}')`

  await sql.rows(sales, ['2024-12-31'])
  expect(await sql.refusal(sales, ['2025-02-01'])).toMatchObject({ reason: 'invalid_period' })
})

test.for(['sales_by_day', 'sales_by_product', 'sales_by_variant', 'sales_by_province', 'unsold_variants'])(
  'rejects calls of %s by customers and for periods that end before the start',
  async (name, { sql }) => {
    const question = `select * from public.${name}($1, $2, '${ZONE}')`
    const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
    await sql.as(customer)
    expect(await sql.refusal(question, ['2025-03-01', '2025-03-02'])).toMatchObject({ code: '42501' })

    await sql.as(admin)
    expect(await sql.refusal(question, ['2025-03-02', '2025-03-01'])).toMatchObject({
      reason: 'invalid_period',
    })
  },
)

test('adds up paid, uncancelled orders in the total revenue', async ({ sql }) => {
  await aSale(sql, '2025-03-02T10:00:00Z')
  await aSale(sql, '2025-03-02T10:00:00Z', popper)
  const cancelled = await aSale(sql, '2025-03-02T10:00:00Z')
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [cancelled])
  await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
  await sql.as(admin)

  expect(await sql.value('select public.total_revenue()')).toEqual({
    orders: 4,
    gross: 810,
    refunds: 0,
    revenue: 810,
    paid_orders: 2,
    average: 405,
    awaiting: 210,
  })
  await sql.as(customer)
  expect(await sql.refusal('select public.total_revenue()')).toMatchObject({ code: '42501' })
})
