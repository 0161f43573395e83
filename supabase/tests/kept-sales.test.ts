import { expect } from 'vitest'
import { aCustomer, anAdmin, orderOf, markOrderPaid, popper, riggedStickBait } from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

/** The stored totals, and the same totals counted from the orders. */
async function storedAndCounted(sql: TestTransaction) {
  await sql.rows('set constraints all immediate')
  const kept = await sql.row(
    `select sum(orders)::int as orders, sum(paid_orders)::int as paid, sum(revenue)::float8 as revenue from private.sales_days`,
  )
  const counted = await sql.row(
    `select count(*)::int as orders, count(*) filter (where paid_at is not null and status <> 'cancelled')::int as paid,
       coalesce(sum(total_amount) filter (where paid_at is not null and status <> 'cancelled'), 0)::float8 as revenue
     from public.orders where placed_at is not null`,
  )
  return { kept, counted }
}

test('updates the daily sales totals with each change of an order', async ({ sql }) => {
  const lines = [popper]
  const kept = await orderOf(sql, await aCustomer(sql), { lines: [riggedStickBait], total: 600 })
  await markOrderPaid(sql, kept)
  const order = await orderOf(sql, await aCustomer(sql), { lines, total: 210 })
  const seen: unknown[] = []
  const look = async () => {
    const sums = await storedAndCounted(sql)
    expect(sums.kept).toEqual(sums.counted)
    seen.push(Object.values(sums.kept))
  }

  await look()
  await markOrderPaid(sql, order)
  await look()
  await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
  await look()
  await sql.rows(`delete from public.orders where id = $1`, [order.id])
  await look()
  await sql.rows(`update public.orders set paid_at = paid_at - interval '40 days' where id = $1`, [kept.id])
  await look()

  expect(seen).toEqual([
    [2, 1, 600],
    [2, 2, 810],
    [2, 1, 600],
    [1, 1, 600],
    [1, 1, 600],
  ])
})

test('returns the same daily sales from stored totals as from the orders themselves', async ({ sql }) => {
  for (const at of [
    '2025-03-01T21:59:00Z',
    '2025-03-01T22:00:00Z',
    '2025-03-03T21:59:00Z',
    '2025-03-03T22:00:00Z',
  ]) {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await markOrderPaid(sql, order)
    await sql.rows('update public.orders set paid_at = $2 where id = $1', [order.id, at])
  }
  await sql.rows('set constraints all immediate')
  await sql.as(await anAdmin(sql))
  const days = (zone: string) =>
    sql.rows(
      `select day::text, orders, revenue::float8 from public.sales_by_day('2025-02-28', '2025-03-05', $1)`,
      [zone],
    )

  expect(await days('Africa/Johannesburg')).toEqual(await days('Etc/GMT-2'))
  expect((await days('Africa/Johannesburg')).map(({ orders }) => orders)).toEqual([0, 1, 1, 1, 1, 0])
})

test('recounts the daily sales totals from the orders', async ({ sql }) => {
  await markOrderPaid(sql, await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 }))
  await sql.rows('set constraints all immediate')
  await sql.rows('delete from private.sales_days')

  await sql.rows('select private.recount_sales()')

  const { kept, counted } = await storedAndCounted(sql)
  expect(kept).toEqual(counted)
})
