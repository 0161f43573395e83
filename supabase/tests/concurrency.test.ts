import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { customers, orderAs, test, WAITING, withCart } from './crowd.ts'
import {
  anAdmin,
  aPromoCode,
  type OrderRecord,
  markOrderPaid,
  type UserClaims,
  place,
  popper,
  riggedStickBait,
  setStock,
  stockCounts,
  usesOf,
} from './shopping.ts'
import type { TestTransaction } from './sql.ts'

function idsOf(orders: (OrderRecord | string)[]): string[] {
  return orders.map((order) => (typeof order === 'string' ? order : order.id))
}

/** Counts each outcome. */
function tally(outcomes: (OrderRecord | string)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) {
    const name = typeof outcome === 'string' ? outcome : 'placed'
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

describe('concurrent requests', () => {
  test('sells three units to exactly three of fifty simultaneous buyers', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 3))
    const buyers = await customers(crowd, 50)
    await withCart(crowd, buyers, () => [popper])

    const outcomes = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 210 }))))

    expect(tally(outcomes)).toEqual({ placed: 3, sold_out: 47 })
    const placed = outcomes.filter((outcome) => typeof outcome !== 'string')
    const paid = await Promise.all(
      [...placed, ...placed].map((order) =>
        crowd.shop((sql) => sql.value<string>('select private.mark_order_paid($1, now())', [order.id])),
      ),
    )
    expect(tally(paid)).toEqual({ paid: 3, already_paid: 3 })
    expect(await crowd.shop((sql) => stockCounts(sql, popper))).toEqual({
      stock: 0,
      available: 0,
      movements: 0,
    })
  })

  test('redeems a promo code with a limit of five exactly five times for a hundred buyers', async ({
    crowd,
  }) => {
    await crowd.shop((sql) =>
      aPromoCode(sql, { code: 'FIVE', discount_type: 'fixed', discount_value: 10, usage_limit: 5 }),
    )
    await crowd.shop((sql) => setStock(sql, riggedStickBait, 1_000))
    const buyers = await customers(crowd, 100)
    await withCart(crowd, buyers, () => [riggedStickBait])

    const outcomes = await Promise.all(
      buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 590, promo: 'FIVE' }))),
    )

    expect(tally(outcomes)).toEqual({ placed: 5, promo_invalid: 95 })
    expect(await crowd.shop((sql) => usesOf(sql, 'FIVE'))).toBe(5)
  })

  test.for([
    ['one use per customer', 'ONCE', { per_customer_limit: 1 }],
    ['first orders only', 'FIRST', { first_order_only: true }],
  ] as const)(
    'redeems a promo code once for twenty accounts of one person: %s',
    async ([, code, limit], { crowd }) => {
      await crowd.shop((sql) =>
        aPromoCode(sql, { code, discount_type: 'fixed', discount_value: 10, ...limit }),
      )
      await crowd.shop((sql) => setStock(sql, popper, 100))
      const accounts = await customers(crowd, 20)
      await withCart(crowd, accounts, () => [popper])

      const outcomes = await Promise.all(
        accounts.map((who) => crowd.person(who, (sql) => place(sql, { total: 200, promo: code }))),
      )

      expect(tally(outcomes)).toEqual({ placed: 1, promo_invalid: 19 })
      expect(await crowd.shop((sql) => usesOf(sql, code))).toBe(1)
    },
  )

  test('creates one order from twenty simultaneous requests with equal or different idempotency keys', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])
    const key = randomUUID()
    const ids = async (keys: string[]) => {
      const outcomes = await Promise.all(
        keys.map((each) => crowd.person(buyer, orderAs(0, { total: 210, key: each }))),
      )
      return new Set(outcomes.map((outcome) => (typeof outcome === 'string' ? outcome : outcome.id)))
    }

    const one = await ids(Array.from({ length: 20 }, () => key))
    const other = await ids(Array.from({ length: 20 }, () => randomUUID()))

    expect(one.size).toBe(1)
    expect(other).toEqual(one)
  })

  test('returns one order to two checkouts of a customer that both wait for the last lures', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])

    const { checkouts } = await crowd.shop(async (sql) => {
      await sql.rows('select from public.product_variants where name = $1 for update', [
        popper.product_variant,
      ])
      const both = Promise.all(
        [randomUUID(), randomUUID()].map((key) => crowd.person(buyer, orderAs(0, { total: 210, key }))),
      )
      await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(2)
      return { checkouts: both }
    })

    expect(new Set(idsOf(await checkouts)).size).toBe(1)
  })

  test('does not deadlock when payments reinstate orders and customers renew reservations', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => setStock(sql, popper, 500))
    const buyers = await customers(crowd, 40)
    await withCart(crowd, buyers, () => [popper])
    const first = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 210 }))))
    await withCart(crowd, buyers, () => [{ ...popper, price: 142, with_hooks: true }])
    const next = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 352 }))))

    const call = (name: string) => (id: string) =>
      crowd.shop((sql) => sql.value<string>(`select private.${name}`, [id]))
    const outcomes = await Promise.all([
      ...idsOf(first).map(call('mark_order_paid($1, now())')),
      ...idsOf(next).map(call('renew_reservation($1)')),
    ])

    expect(tally(outcomes)).toEqual({ reinstated: 40, held: 40 })
  })

  test('does not deadlock when buyers order the same variants in opposite order', async ({ crowd }) => {
    const stickBait = { ...riggedStickBait, product_variant: 'Mahi Mahi' }
    const bigPopper = {
      ...popper,
      product_name: 'Chisel Nose Popper 200mm/50G',
      product_variant: 'Mahi Mahi 200mm',
      price: 140,
    }
    await crowd.shop(async (sql) => {
      await setStock(sql, stickBait, 40)
      await setStock(sql, bigPopper, 40)
      await aPromoCode(sql, { code: 'A', discount_type: 'fixed', discount_value: 1 })
      await aPromoCode(sql, { code: 'B', discount_type: 'fixed', discount_value: 1 })
    })
    const buyers = await customers(crowd, 40)
    await withCart(crowd, buyers, (i) => (i % 2 ? [stickBait, bigPopper] : [bigPopper, stickBait]))

    await Promise.all(
      buyers.map(async (who, i) => {
        await crowd.person(who, orderAs(i, { total: 739, promo: i % 2 ? 'A' : 'B' }))
        const order = await crowd.person(who, orderAs(i, { total: 739, promo: i % 2 ? 'B' : 'A' }))
        if (typeof order === 'string') throw new Error(order)
        await Promise.all([
          crowd.shop((sql) => sql.value<string>('select private.mark_order_paid($1, now())', [order.id])),
          i % 3 === 0 &&
            crowd.shop((sql) => sql.value(`select private.cancel_order($1, 'shop')`, [order.id])),
        ])
      }),
    )

    const live = await crowd.shop((sql) =>
      sql.value<number>(
        `select count(*)::int from public.orders o where o.status = 'new' and o.promo_code in ('A', 'B')`,
      ),
    )
    const cancelledAtOnce = 14
    expect(live).toBeGreaterThanOrEqual(40 - cancelledAtOnce)
    expect(
      (await crowd.shop((sql) => usesOf(sql, 'A'))) + (await crowd.shop((sql) => usesOf(sql, 'B'))),
    ).toBe(live)
    for (const line of [stickBait, bigPopper]) {
      expect(await crowd.shop((sql) => stockCounts(sql, line))).toEqual({
        stock: 40 - live,
        available: 40 - live,
        movements: 40 - live,
      })
    }
  })

  test('does not deadlock when staff delete paid orders while buyers use the same promo code', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => aPromoCode(sql, { code: 'BOTH', discount_type: 'fixed', discount_value: 10 }))
    await crowd.shop((sql) => setStock(sql, popper, 500))
    const buyers = await customers(crowd, 48)
    await withCart(crowd, buyers, () => [popper])
    const buy = (who: UserClaims, i: number) => crowd.person(who, orderAs(i, { total: 200, promo: 'BOTH' }))
    const paid = await Promise.all(buyers.slice(24).map((who, i) => buy(who, 24 + i)))
    await Promise.all(
      idsOf(paid).map((id) =>
        crowd.shop((sql) => sql.rows('select private.mark_order_paid($1, now())', [id])),
      ),
    )

    const [bought] = await Promise.all([
      Promise.all(buyers.slice(0, 24).map(buy)),
      ...idsOf(paid).map((id) =>
        crowd.shop((sql) => sql.rows('delete from public.orders where id = $1', [id])),
      ),
    ])

    expect(tally(bought)).toEqual({ placed: 24 })
    expect(await crowd.shop((sql) => usesOf(sql, 'BOTH'))).toBe(24)
  })

  test('does not deadlock when simultaneous payments take different colours of the same products', async ({
    crowd,
  }) => {
    // Sorted by id, the colours alternate between the two products, so that naive updates of the product sums would
    // lock them in opposite order.
    const colours = ['North', 'South', 'South', 'North']
    await crowd.shop(async (sql) => {
      await sql.rows(`insert into public.products (name, price) values ('North', 100), ('South', 100)`)
      for (const [i, lure] of colours.entries()) {
        await sql.rows(
          `insert into public.product_variants (id, product_id, name, stock_quantity)
          select $1, id, $2, 100 from public.products where name = $3`,
          [`00000000-0000-4000-8000-00000000000${i}`, `Colour ${i}`, lure],
        )
      }
    })
    const lines = colours.map((lure, i) => ({
      ...popper,
      product_name: lure,
      product_variant: `Colour ${i}`,
      price: 100,
    }))
    const buyers = await customers(crowd, 40)
    await withCart(crowd, buyers, (i) => (i % 2 ? lines.slice(0, 2) : lines.slice(2)))
    const orders = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 300 }))))
    expect(tally(orders)).toEqual({ placed: 40 })

    const paid = await Promise.all(
      orders.map(async (order) =>
        typeof order === 'string' ? order : crowd.shop((sql) => markOrderPaid(sql, order)),
      ),
    )

    expect(tally(paid)).toEqual({ paid: 40 })
    expect(
      await crowd.shop((sql) =>
        sql.rows(
          `select name, stock_quantity from public.products where name in ('North', 'South') order by name`,
        ),
      ),
    ).toEqual([
      { name: 'North', stock_quantity: 160 },
      { name: 'South', stock_quantity: 160 },
    ])
  })

  test('reserves the last units for exactly three of forty buyers who renew at once', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 1_000))
    const buyers = await customers(crowd, 40)
    await withCart(crowd, buyers, () => [popper])
    const orders = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 210 }))))
    await crowd.shop(async (sql) => {
      await sql.rows('delete from public.stock_reservations')
      await setStock(sql, popper, 3)
    })

    const renewed = await Promise.all(
      idsOf(orders).map((id) =>
        crowd.shop((sql) => sql.value<string>('select private.renew_reservation($1)', [id])),
      ),
    )

    expect(tally(renewed)).toEqual({ held: 3, sold_out: 37 })
  })

  test('keeps every one of twenty simultaneous stock adjustments', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const variant = await crowd.shop((sql) => sql.row<VariantRow>(VARIANT, [popper.product_variant]))

    await Promise.all(
      Array.from({ length: 20 }, () =>
        crowd.person(brother, (sql) => sql.rows(`select public.adjust_stock($1, 'made', 1)`, [variant.id])),
      ),
    )

    expect(await crowd.shop((sql) => stockCounts(sql, popper))).toMatchObject({ stock: 120, movements: 120 })
  })

  test('expires other orders while one is locked by its payment', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const buyers = await customers(crowd, 2)
    await withCart(crowd, buyers, () => [popper])
    const orders = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 210 }))))
    const [paying, other] = idsOf(orders)
    await crowd.shop((sql) =>
      sql.rows(`update public.orders set expires_at = now() - interval '1 minute' where id = any ($1)`, [
        [paying, other],
      ]),
    )

    await crowd.shop(async (payment) => {
      await payment.rows('select from public.orders where id = $1 for update', [paying])
      await crowd.shop(async (job) => {
        await job.rows(`set local lock_timeout = '5s'`)
        await job.rows('select private.expire_orders()')
      })
    })

    expect(
      await crowd.shop((sql) =>
        sql.rows('select id, status from public.orders where id = any ($1) order by status', [
          [paying, other],
        ]),
      ),
    ).toEqual([
      { id: other, status: 'cancelled' },
      { id: paying, status: 'pending_payment' },
    ])
  })

  test('does not pay an order while an admin deletes its lines', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])
    const [id] = idsOf([await crowd.person(buyer, orderAs(0, { total: 210 }))])

    const { paying } = await crowd.shop(async (admin) => {
      await admin.rows('delete from public.order_items where order_id = $1', [id])
      const payment = crowd.shop((sql) => sql.value('select private.mark_order_paid($1, now())', [id]))
      await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(1)
      return { paying: payment }
    })

    expect(await paying).toBe('sold_out')
  })

  test('places no draft that its customer cancels while its lines are on their way', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const code = await crowd.shop((sql) =>
      aPromoCode(sql, { code: 'RACE', discount_type: 'fixed', discount_value: 10, usage_limit: 1 }),
    )
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    const draft = await crowd.person(buyer, (sql) =>
      sql.value<string>(
        `insert into public.orders (customer_id, total_amount, shipping_cost, discount_amount, promo_code_id, shipping_method,
           shipping_address, shipping_city, shipping_state, shipping_zip)
         values ($1, 200, 100, 10, $2, 'door-to-door', '14 Beach Road', 'Durban', 'KwaZulu-Natal', '4001') returning id`,
        [buyer.sub, code],
      ),
    )

    const { placing } = await crowd.shop(async (sql) => {
      await sql.as(buyer)
      await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [draft])
      const lines = crowd.person(buyer, (other) =>
        other.rows(
          `insert into public.order_items (order_id, product_name, product_variant, price, quantity, with_hooks) values ($1, $2, $3, 110, 1, false)`,
          [draft, popper.product_name, popper.product_variant],
        ),
      )
      await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(1)
      return { placing: lines }
    })

    expect(await placing).toBe('order_cancelled')
    expect(await crowd.shop((sql) => usesOf(sql, 'RACE'))).toBe(0)
    expect(
      await crowd.shop((sql) =>
        sql.rows('select from public.stock_reservations where order_id = $1', [draft]),
      ),
    ).toEqual([])
  })

  test('refuses an order whose price changes while it waits for its lures', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])

    const order = await crowd.shop(async (sql) => {
      await sql.rows('select from public.product_variants where name = $1 for update', [
        popper.product_variant,
      ])
      const waiting = crowd.person(buyer, orderAs(0, { total: 210 }))
      await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(1)
      await reprice(sql, 120)
      return { waiting }
    })

    expect(await order.waiting).toBe('price_changed')
    await crowd.shop((sql) => reprice(sql, popper.price))
  })

  test('tells a buyer that a variant is sold out while another order of it is not finished', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => setStock(sql, popper, 0))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])

    const outcome = await crowd.shop(async (sql) => {
      await sql.rows('select from public.product_variants where name = $1 for update', [
        popper.product_variant,
      ])
      return crowd.person(buyer, async (waiting) => {
        await waiting.rows(`set local lock_timeout = '5s'`)
        return orderAs(0, { total: 210 })(waiting)
      })
    })

    expect(outcome).toBe('sold_out')
  })

  test('does not deadlock when staff save a product whose colour is being ordered', async ({ crowd }) => {
    await crowd.shop((sql) => setStock(sql, popper, 100))
    const [buyer] = await customers(crowd, 1)
    if (!buyer) throw new Error('no buyer')
    await withCart(crowd, [buyer], () => [popper])

    const order = await crowd.shop(async (staff) => {
      await staff.rows(`select from public.product_variants where name = $1 for update`, [
        popper.product_variant,
      ])
      const waiting = crowd.person(buyer, orderAs(0, { total: 210 }))
      await expect.poll(() => crowd.shop((other) => other.value<number>(WAITING))).toBe(1)
      await staff.rows(`select from public.products where name = $1 for update`, [popper.product_name])
      return { waiting }
    })

    expect(tally([await order.waiting])).toEqual({ placed: 1 })
  })

  test('applies simultaneous payments, stock adjustments and product saves without deadlock', async ({
    crowd,
  }) => {
    await crowd.shop((sql) => setStock(sql, popper, 10_000))
    await crowd.shop((sql) => setStock(sql, riggedStickBait, 10_000))
    const brother = await crowd.shop((sql) => anAdmin(sql))
    const buyers = await customers(crowd, 20)
    await withCart(crowd, buyers, () => [popper, riggedStickBait])
    const orders = await Promise.all(buyers.map((who, i) => crowd.person(who, orderAs(i, { total: 710 }))))
    const variant = await crowd.shop((sql) => sql.row<VariantRow>(VARIANT, [popper.product_variant]))

    await Promise.all([
      ...idsOf(orders).map((id) =>
        crowd.shop((sql) => sql.rows('select private.mark_order_paid($1, now())', [id])),
      ),
      ...Array.from({ length: 20 }, () =>
        crowd.person(brother, (sql) => sql.rows(`select public.adjust_stock($1, 'made', 3)`, [variant.id])),
      ),
      ...Array.from({ length: 10 }, (_, i) =>
        crowd.person(brother, (sql) =>
          sql.rows('select public.save_product($1, $2)', [
            variant.product_id,
            JSON.stringify({
              variants: { [variant.id]: { image_alt: { was: variant.image_alt, now: `Red ${i}` } } },
            }),
          ]),
        ),
      ),
      ...Array.from({ length: 5 }, () =>
        crowd.shop((sql) => sql.rows('select private.queue_low_stock_alerts()')),
      ),
    ])

    expect(await crowd.shop((sql) => stockCounts(sql, popper))).toMatchObject({
      stock: 10_040,
      movements: 10_040,
    })
    expect(await crowd.shop((sql) => stockCounts(sql, riggedStickBait))).toMatchObject({
      stock: 9980,
      movements: 9980,
    })
  })
})

async function reprice(sql: TestTransaction, price: number): Promise<void> {
  await sql.rows('update public.products set price = $2 where name = $1', [popper.product_name, price])
}

interface VariantRow {
  id: string
  product_id: string
  image_alt: string
}

const VARIANT = 'select id, product_id, image_alt from public.product_variants where name = $1'
