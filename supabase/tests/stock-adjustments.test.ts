import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  markOrderPaid,
  orderOf,
  popper,
  riggedStickBait,
  setStock,
  stockCounts,
} from './shopping.ts'
import { POPPER_150, POPPER_200 } from '#test/product-names.ts'
import { type TestTransaction, test } from './sql.ts'

/** Sets the stock of the red popper, signs an admin in and returns the variant id. */
async function aStockedPopper(sql: TestTransaction, stock: number): Promise<string> {
  await setStock(sql, popper, stock)
  await sql.as(await anAdmin(sql))
  return sql.value<string>('select id from public.product_variants where name = $1', [popper.product_variant])
}

const ADJUST = 'select public.adjust_stock($1, $2, $3, $4, $5)'

describe('stock adjustment', () => {
  // covers A23
  test('records a stock adjustment’s reason, author and note, and returns the new stock', async ({ sql }) => {
    const id = await aStockedPopper(sql, 5)

    const after = []
    for (const [reason, quantity] of [
      ['made', 4],
      ['expo', 2],
      ['lost', 1],
      ['counted', 9],
    ]) {
      after.push(await sql.value(ADJUST, [id, reason, quantity, ' Bench  3 ', null]))
    }

    expect(after).toEqual([9, 7, 6, 9])
    expect(
      await sql.rows(
        'select quantity, reason, note, actor_id = auth.uid() as is_mine from public.stock_movements order by id desc limit 4',
      ),
    ).toEqual(
      [
        [3, 'counted'],
        [-1, 'lost'],
        [-2, 'expo'],
        [4, 'made'],
      ].map(([quantity, reason]) => ({ quantity, reason, note: 'Bench 3', is_mine: true })),
    )
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 9, movements: 9 })
  })

  test('records the last unit as lost', async ({ sql }) => {
    const id = await aStockedPopper(sql, 1)

    expect(await sql.value(ADJUST, [id, 'lost', 1, null, null])).toBe(0)
  })

  test('lists stock adjustments in the history with the resulting stock', async ({ sql }) => {
    const id = await aStockedPopper(sql, 5)
    await sql.rows(ADJUST, [id, 'made', 2, 'Bench 3', null])
    await sql.rows(ADJUST, [id, 'lost', 1, null, null])
    const product = await sql.value('select product_id from public.product_variants where id = $1', [id])
    const history = (before: number | null) =>
      sql.rows<{ id: number; quantity: number }>(
        'select id::int, quantity, stock_after, reason, note from public.stock_history($1, $2, $3)',
        [product, id, before],
      )

    const [newest, older, ...rest] = await history(null)

    expect(newest).toMatchObject({ quantity: -1, stock_after: 6, reason: 'lost', note: null })
    expect(older).toMatchObject({ quantity: 2, stock_after: 7, reason: 'made', note: 'Bench 3' })
    expect(rest.length).toBeGreaterThan(0)
    expect(await history(older?.id ?? 0)).toEqual(rest)
  })

  test('lists the movements of one colour, with the address of an author without a name', async ({ sql }) => {
    const id = await aStockedPopper(sql, 5)
    await sql.rows(ADJUST, [id, 'made', 2, null, null])
    const product = await sql.value('select product_id from public.product_variants where id = $1', [id])

    const history = await sql.rows<{ variant_id: string; actor: string | null }>(
      'select variant_id, actor from public.stock_history($1, $2)',
      [product, id],
    )

    expect(new Set(history.map(({ variant_id }) => variant_id))).toEqual(new Set([id]))
    expect(history[0]?.actor).toBe(await sql.value('select email from public.profiles where id = auth.uid()'))
  })

  test('records a count that confirms the stock', async ({ sql }) => {
    const id = await aStockedPopper(sql, 5)

    expect(await sql.value(ADJUST, [id, 'counted', 5, 'Stock-take', null])).toBe(5)

    expect(
      await sql.row('select quantity, reason, note from public.stock_movements order by id desc limit 1'),
    ).toEqual({ quantity: 0, reason: 'counted', note: 'Stock-take' })
  })

  test('refuses a count when units came in or were sold after it began, and accepts it once confirmed', async ({
    sql,
  }) => {
    const count = 'select public.adjust_stock($1, $2, $3, seen => $4)'
    const id = await aStockedPopper(sql, 5)
    await sql.rows(ADJUST, [id, 'made', 3, null, null])

    expect(await sql.refusal(count, [id, 'counted', 5, 5])).toMatchObject({
      code: 'PT409',
      reason: 'stock_changed',
      facts: { stock_quantity: 8 },
    })
    expect(await sql.value(count, [id, 'counted', 5, 8])).toBe(5)
  })

  test('ignores the repetition of a count that confirmed the stock, although units were sold since', async ({
    sql,
  }) => {
    const id = await aStockedPopper(sql, 5)
    const key = randomUUID()
    await sql.rows(ADJUST, [id, 'counted', 5, null, key])
    await sql.rows(ADJUST, [id, 'expo', 2, null, null])

    expect(await sql.value(ADJUST, [id, 'counted', 5, null, key])).toBe(3)
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 3, movements: 3 })
  })

  test.for([
    ['made', 3, { quantity: 4 }],
    ['made', 3, { reason: 'lost' }],
    ['made', 3, { note: 'Bench 4' }],
    ['counted', 7, { quantity: 9 }],
  ] as const)(
    'refuses a correction of a stock adjustment that was saved although its response was lost: %s %i, then %o',
    async ([reason, quantity, change], { sql }) => {
      const id = await aStockedPopper(sql, 5)
      const key = randomUUID()
      const saved = { reason, quantity, note: 'Bench 3' }
      await sql.rows(ADJUST, [id, reason, quantity, saved.note, key])

      const corrected = { ...saved, ...change }

      expect(
        await sql.refusal(ADJUST, [id, corrected.reason, corrected.quantity, corrected.note, key]),
      ).toMatchObject({ reason: 'already_saved' })
      await sql.rows(ADJUST, [id, reason, quantity, ' Bench  3 ', key])
    },
  )

  test('applies a stock adjustment once per idempotency key', async ({ sql }) => {
    const id = await aStockedPopper(sql, 5)
    const key = randomUUID()

    expect(await sql.value(ADJUST, [id, 'made', 3, null, key])).toBe(8)
    expect(await sql.value(ADJUST, [id, 'made', 3, null, key])).toBe(8)
  })

  test('rejects stock adjustments below zero, without a reason or without a number', async ({ sql }) => {
    const id = await aStockedPopper(sql, 2)

    expect(await sql.refusal(ADJUST, [id, 'expo', 3, null, null])).toMatchObject({
      code: 'PT409',
      reason: 'not_on_shelf',
      facts: { stock_quantity: 2 },
    })
    for (const [reason, quantity] of [
      ['sold', 1],
      ['made', 0],
      ['lost', -1],
      ['made', null],
    ]) {
      expect((await sql.refusal(ADJUST, [id, reason, quantity, null, null])).reason).toBe(
        'invalid_adjustment',
      )
    }
    expect((await sql.refusal(ADJUST, [randomUUID(), 'made', 1, null, null])).reason).toBe(
      'variant_not_found',
    )
    expect(await sql.refusal(ADJUST, [id, 'made', 1_000_000, null, null])).toMatchObject({
      reason: 'invalid_adjustment',
      message: 'Stock cannot exceed one million.',
    })
  })
})

test('lists the lures that paid orders have taken from the stock until their parcels leave', async ({
  sql,
}) => {
  const admin = await anAdmin(sql)
  await setStock(sql, popper, 10)
  const orders = []
  for (const quantity of [2, 3, 1]) {
    const lines = [{ ...popper, quantity }]
    orders.push(await orderOf(sql, await aCustomer(sql), { lines, total: 100 + 110 * quantity }))
  }
  const [first, second] = orders
  if (!first || !second) throw new Error('two orders are needed')
  const setStatus = async (order: { id: string }, status: string) => {
    await sql.asShop()
    await sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])
  }
  const unshippedUnits = async () => {
    await sql.as(admin)
    return sql.rows(
      `select u.order_id, u.order_number, u.quantity, v.name as colour
       from public.products p, public.unshipped_units(p.id) u join public.product_variants v on v.id = u.variant_id
       where p.name = $1`,
      [POPPER_150],
    )
  }
  const unitsOf = ({ id, order_number }: typeof first, quantity: number) => ({
    order_id: id,
    order_number,
    quantity,
    colour: popper.product_variant,
  })

  expect(await unshippedUnits(), 'unpaid orders reserve stock and have not taken it').toEqual([])
  await markOrderPaid(sql, first)
  await markOrderPaid(sql, second)
  await setStatus(second, 'processing')
  expect(await unshippedUnits()).toEqual([unitsOf(first, 2), unitsOf(second, 3)])
  await setStatus(second, 'shipped')
  expect(await unshippedUnits()).toEqual([unitsOf(first, 2)])
  await setStatus(first, 'cancelled')
  expect(await unshippedUnits()).toEqual([])
})

const listLowStock = (sql: TestTransaction) =>
  sql.rows<{ name: string; available: number }>(
    'select name, available, low_stock_threshold, is_own_threshold from public.list_low_stock()',
  )

describe('low stock', () => {
  // covers A24
  test('lists a variant as low at the product’s or the shop’s threshold', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await aStockedPopper(sql, 5)
    expect(await listLowStock(sql)).toEqual([])

    await sql.rows('select public.set_low_stock_threshold(6)')
    expect(await listLowStock(sql)).toEqual([
      { name: popper.product_variant, available: 5, low_stock_threshold: 6, is_own_threshold: false },
    ])
    expect(await sql.value('select public.low_stock_threshold()')).toBe(6)

    await sql.rows('update public.products set low_stock_threshold = 4 where name = $1', [POPPER_150])
    expect(await listLowStock(sql)).toEqual([])
    for (const threshold of ['-1', '1001', 'null']) {
      const refusal = await sql.refusal(`select public.set_low_stock_threshold(${threshold})`)
      expect([threshold, refusal.reason]).toEqual([threshold, 'invalid_threshold'])
    }
    await sql.rows('select public.set_low_stock_threshold(0)')
    expect(await sql.value('select public.low_stock_threshold()')).toBe(0)
  })

  test('lists the variant with the fewest units first, and none that is made to order or hidden', async ({
    sql,
  }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await sql.rows(
      `update public.product_variants v set stock_quantity = 1 from public.products p where p.id = v.product_id and p.name = $1`,
      [POPPER_200],
    )
    await sql.rows('update public.products set made_to_order = true where name = $1', [POPPER_200])
    await setStock(sql, riggedStickBait, 1)
    await aStockedPopper(sql, 2)

    const names = async () => (await listLowStock(sql)).map(({ name }) => name)
    expect(await names()).toEqual([riggedStickBait.product_variant, popper.product_variant])

    await sql.rows(`update public.products set status = 'hidden' where name = $1`, [POPPER_150])
    expect(await names()).toEqual([riggedStickBait.product_variant])
  })

  test('mails about a product at its own threshold', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await sql.rows('update public.products set low_stock_threshold = 20 where name = $1', [POPPER_150])
    await setStock(sql, popper, 20)

    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(1)
  })

  test('mails about a product without stock two days before its launch', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await setStock(sql, popper, 0)
    const launchIn = (hours: number) =>
      sql.rows(
        `update public.products set status = 'announced', publish_at = now() + make_interval(hours => $2) where name = $1`,
        [POPPER_150, hours],
      )

    await launchIn(49)
    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(0)
    await launchIn(47)
    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(1)
  })

  test('mails about the lowest stock first', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await setStock(sql, { ...popper, product_variant: 'Blue Reaper 150mm' }, 2)
    await setStock(sql, popper, 1)

    await sql.rows('select private.queue_low_stock_alerts()')

    expect(
      await sql.value(
        `select jsonb_path_query_array(props, '$.colours[*].left') from public.mails where template = 'low-stock'`,
      ),
    ).toEqual([1, 2])
  })

  // covers A24
  test('sends one low-stock mail per variant until the stock rises above the threshold', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await setStock(sql, popper, 3)
    const queueAlerts = () => sql.value('select private.queue_low_stock_alerts()')

    expect([await queueAlerts(), await queueAlerts()]).toEqual([1, 0])
    await setStock(sql, popper, 2)
    expect(await queueAlerts()).toBe(0)
    await setStock(sql, popper, 4)
    expect(await queueAlerts()).toBe(0)
    await setStock(sql, popper, 0)
    expect(await queueAlerts()).toBe(1)

    expect(
      await sql.rows(
        `select recipient, status, props -> 'colours' -> 0 ->> 'variantName' as colour, props -> 'colours' -> 0 ->> 'left' as left
        from public.mails where template = 'low-stock' order by props -> 'colours' -> 0 ->> 'left' desc`,
      ),
    ).toEqual(
      ['3', '0'].map((left) => ({ recipient: null, status: 'queued', colour: popper.product_variant, left })),
    )
  })

  test('sends no low-stock mail for reserved, made-to-order or hidden products', async ({ sql }) => {
    await sql.rows('update public.product_variants set stock_quantity = 100')
    await setStock(sql, popper, 4)
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })

    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(0)
    await setStock(sql, popper, 0)
    await sql.rows('update public.products set made_to_order = true where name = $1', [POPPER_150])
    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(0)
    await sql.rows(`update public.products set made_to_order = false, status = 'hidden' where name = $1`, [
      POPPER_150,
    ])
    expect(await sql.value('select private.queue_low_stock_alerts()')).toBe(0)
  })
})
