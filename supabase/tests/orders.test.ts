import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import {
  aCustomer,
  anAdmin,
  aPromoCode,
  orderOf,
  markOrderPaid,
  place,
  placing,
  PLACE_ORDER,
  popper,
  putInCart,
  setStock,
  statusOf,
} from './shopping.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test, testInOwnShop } from './sql.ts'

const ONE_POPPER = { lines: [popper], total: 210 }
/** Costs the same. */
const OTHER_COLOUR = 'Blue Reaper 150mm'

/** Places an order of R210 from a page that shows these lines. */
function placeShown(lines: unknown): [string, unknown[]] {
  return [PLACE_ORDER.replace('$4)', '$4, $5)'), [...placing({ total: 210 }), JSON.stringify(lines)]]
}

/** Fills the cart of a new customer, whose order of R210 costs `total` with the promo code LEAVES. */
async function fillCart(sql: TestTransaction, total: number, refundWay: 'payfast' | 'by_hand') {
  await sql.rows('select private.set_shop_rules($1)', [{ refund_way: refundWay }])
  await aPromoCode(sql, { code: 'LEAVES', discount_type: 'fixed', discount_value: 210 - total })
  await sql.as(await aCustomer(sql))
  await putInCart(sql, popper)
}

/** Makes all plans when there are three orders, and counts the rows that an order reads when 30 more are unpaid. */
async function rowsReadByLateOrder(sql: TestTransaction, tables: string[]): Promise<number> {
  const read = () =>
    sql.value<number>(
      `select sum(seq_tup_read + idx_tup_fetch)::int from pg_stat_xact_user_tables where relname = any ($1)`,
      [tables],
    )
  const orderOfAnother = async () => orderOf(sql, await aCustomer(sql), ONE_POPPER)
  await setStock(sql, popper, 100)
  for (let few = 0; few < 3; few += 1) await orderOfAnother()
  await sql.asShop()
  await sql.rows('analyze')
  await sql.rows('discard plans')
  await orderOfAnother()
  for (let more = 0; more < 30; more += 1) await orderOfAnother()
  const buyer = await aCustomer(sql)
  await sql.as(buyer)
  await putInCart(sql, popper)
  await sql.asShop()
  const before = await read()
  await sql.as(buyer)
  await place(sql, { total: 210 })
  await sql.asShop()
  return (await read()) - before
}

describe('order placement', () => {
  test('writes a new order’s row once and starts the order’s timeline', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    await sql.as(buyer)
    await putInCart(sql, popper)
    await sql.asShop()
    const written = `select n_tup_ins::int as inserted, n_tup_upd::int as updated
      from pg_stat_xact_user_tables where relid = $1::regclass`
    const before = await sql.row<{ inserted: number }>(written, ['public.orders'])
    await sql.as(buyer)
    const order = await place(sql, { total: 210 })
    await sql.asShop()

    expect(await sql.row(written, ['public.orders'])).toEqual({ ...before, inserted: before.inserted + 1 })
    expect(
      await sql.rows('select kind, actor_id from public.order_events where order_id = $1', [order.id]),
    ).toEqual([{ kind: 'placed', actor_id: buyer.sub }])
  })

  testInOwnShop(
    'reads neither the carts nor the rights of others, also with the plans of a new shop',
    async ({ sql }) => {
      expect(await rowsReadByLateOrder(sql, ['cart_items', 'user_roles'])).toBeLessThan(15)
    },
  )

  testInOwnShop(
    'adds up the reservations of its own variants only, also with the plans of a new shop',
    async ({ sql }) => {
      // Of the 34 reservations, twice: before anything is written, and while the variant is locked.
      expect(await rowsReadByLateOrder(sql, ['stock_reservations'])).toBeLessThan(100)
    },
  )

  test('stores an order’s name, address and lines as a snapshot', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, {
      ...ONE_POPPER,
      delivery: {
        ...delivery,
        address: ' 14  Beach\nRoad ',
        shipping_method: 'locker',
        locker_location: 'Gateway Mall',
        notes: 'Ring\ntwice',
      },
    })

    expect(order).toMatchObject({
      customer_id: buyer.sub,
      status: 'pending_payment',
      customer_name: 'Thandi Mokoena',
      customer_email: 'thandi@example.com',
      customer_phone: '082 123 4567',
      shipping_address: '14 Beach Road',
      shipping_method: 'locker',
      locker_location: 'Gateway Mall',
      notes: 'Ring\ntwice',
      subtotal_amount: '110.00',
      shipping_cost: '100.00',
      total_amount: '210.00',
    })
    expect(
      await sql.row(
        'select product_name, product_variant, price, quantity, with_hooks, image_url from public.order_items where order_id = $1',
        [order.id],
      ),
    ).toEqual({
      ...popper,
      price: '110.00',
      image_url: '/storage/v1/object/public/catalogue/popper-150-red-head.jpg',
    })
  })

  test('returns the same order for a repeated idempotency key, even if the cart has changed', async ({
    sql,
  }) => {
    const key = randomUUID()
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    const order = await place(sql, { key, total: 210 })
    await putInCart(sql)

    expect((await place(sql, { key, total: 999 })).id).toBe(order.id)
  })

  test('creates separate orders for two customers with the same idempotency key', async ({ sql }) => {
    const key = randomUUID()
    const first = await orderOf(sql, await aCustomer(sql), { ...ONE_POPPER, key })
    const second = await orderOf(sql, await aCustomer(sql), { ...ONE_POPPER, key })

    expect(second.id).not.toBe(first.id)
  })

  test('returns the unpaid order when a customer orders the same cart with a new idempotency key', async ({
    sql,
  }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    expect((await place(sql, { total: 210 })).id).toBe((await place(sql, { total: 210 })).id)
  })

  test('places another order for another colour of the same price', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const first = await orderOf(sql, buyer, ONE_POPPER)
    await sql.rows('delete from public.cart_items where user_id = $1', [buyer.sub])

    const second = await orderOf(sql, buyer, {
      lines: [{ ...popper, product_variant: OTHER_COLOUR }],
      total: 210,
    })

    expect(await statusOf(sql, first)).toBe('cancelled')
    expect(
      await sql.rows('select product_variant from public.order_items where order_id = $1', [second.id]),
    ).toEqual([{ product_variant: OTHER_COLOUR }])
  })

  test.for([{ zip_code: '6191' }, { state: 'Western Cape' }])(
    'places another order for another delivery address: %o',
    async (change, { sql }) => {
      await sql.as(await aCustomer(sql))
      await putInCart(sql, popper)
      const first = await place(sql, { total: 210 })

      const second = await place(sql, { total: 210, delivery: { ...delivery, ...change } })

      expect(second.id).not.toBe(first.id)
    },
  )

  test('takes a paid order out of its own customer’s cart only', async ({ sql }) => {
    const [buyer, other] = [await aCustomer(sql), await aCustomer(sql)]
    await sql.as(other)
    await putInCart(sql, { ...popper, quantity: 3 })
    const order = await orderOf(sql, buyer, ONE_POPPER)

    await markOrderPaid(sql, order)

    const quantities = 'select quantity from public.cart_items where user_id = $1'
    expect(await sql.rows(quantities, [buyer.sub])).toEqual([])
    expect(await sql.rows(quantities, [other.sub])).toEqual([{ quantity: 3 }])
  })

  test('replaces the unpaid order when the customer orders a different cart', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const first = await orderOf(sql, buyer, ONE_POPPER)

    const second = await orderOf(sql, buyer, {
      lines: [{ ...popper, with_hooks: true, price: 142 }],
      total: 352,
    })

    expect(second.id).not.toBe(first.id)
    expect(
      await sql.row('select status, cancellation_reason from public.orders where id = $1', [first.id]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'replaced',
    })
  })

  test.for([
    ['e-mail address', { email: 'sipho@example.com' }],
    ['name', { full_name: 'Sipho Ndlovu' }],
    ['phone number', { phone: '083 765 4321' }],
    ['address', { address: '15 Beach Road' }],
    ['locker', { locker_location: 'Pavilion' }],
    ['note', { notes: 'Ring twice' }],
  ] as const)('replaces the unpaid order when the customer changes its %s', async ([, change], { sql }) => {
    const toLocker = { ...delivery, shipping_method: 'locker', locker_location: 'Gateway Mall' }
    const buyer = await aCustomer(sql)
    const first = await orderOf(sql, buyer, { ...ONE_POPPER, delivery: toLocker })
    await sql.as(buyer)

    const second = await place(sql, { total: 210, delivery: { ...toLocker, ...change } })

    expect(second.id).not.toBe(first.id)
    expect(await statusOf(sql, first)).toBe('cancelled')
  })

  test('refuses an order whose cart has another colour than the page showed, at the same total', async ({
    sql,
  }) => {
    await sql.as(await aCustomer(sql))
    await putInCart(sql, { ...popper, product_variant: OTHER_COLOUR })

    expect(await sql.refusal(...placeShown([popper]))).toMatchObject({
      code: 'PT409',
      reason: 'cart_changed',
    })
    expect(await sql.refusal(...placeShown([]))).toMatchObject({ reason: 'cart_changed' })
    expect(await sql.rows(...placeShown([{ ...popper, product_variant: OTHER_COLOUR }]))).toHaveLength(1)
  })

  test('places an order whose page shows the lines of the cart in another order', async ({ sql }) => {
    await sql.as(await aCustomer(sql))
    const lines = [popper, { ...popper, product_variant: OTHER_COLOUR, quantity: 2 }]
    for (const line of lines) await putInCart(sql, line)

    const [order] = await sql.rows(PLACE_ORDER.replace('$4)', '$4, $5)'), [
      ...placing({ total: 430 }),
      JSON.stringify(lines.toReversed()),
    ])

    expect(order).toMatchObject({ total_amount: '430.00' })
  })

  test('does not return an unpaid order whose lures were sold since', async ({ sql }) => {
    await setStock(sql, popper, 1)
    const buyer = await aCustomer(sql)
    await orderOf(sql, buyer, ONE_POPPER)
    await sql.rows(`update public.stock_reservations set expires_at = now() - interval '1 second'`)
    await markOrderPaid(sql, await orderOf(sql, await aCustomer(sql), ONE_POPPER))
    await sql.as(buyer)

    expect(await sql.refusal(PLACE_ORDER, placing({ total: 210 }))).toMatchObject({ reason: 'sold_out' })
  })

  test('marks an order with a total of zero as paid and empties the cart', async ({ sql }) => {
    await aPromoCode(sql, { code: 'GIFT', discount_type: 'fixed', discount_value: 210 })
    const buyer = await aCustomer(sql)

    const order = await orderOf(sql, buyer, { ...ONE_POPPER, total: 0, promo: 'GIFT' })

    expect(order).toMatchObject({ status: 'new', total_amount: '0.00' })
    expect(order['paid_at']).not.toBeNull()
    expect(await sql.rows('select * from public.cart_items where user_id = $1', [buyer.sub])).toEqual([])
  })

  test.for(
    Object.entries({
      full_name: ['T', 'Name must be at least 2 characters'],
      email: ['thandi@', 'Invalid email address'],
      phone: ['082123456', 'Phone number must be at least 10 digits'],
      address: ['14 B', 'Address must be at least 5 characters'],
      city: ['D', 'City must be at least 2 characters'],
      state: [null, 'State/Province must be at least 2 characters'],
      zip_code: ['400', 'Postal code must be at least 4 characters'],
      shipping_method: ['drone', 'Please select a shipping method'],
      notes: ['x'.repeat(501), 'Notes must be less than 500 characters'],
    }),
  )(
    'rejects an order with an invalid %s with the specified message',
    async ([field, [value, sentence]], { sql }) => {
      await sql.as(await aCustomer(sql))
      await putInCart(sql, popper)

      expect(
        await sql.refusal(PLACE_ORDER, placing({ total: 210, delivery: { ...delivery, [field]: value } })),
      ).toMatchObject({
        code: 'PT422',
        reason: 'invalid_delivery',
        message: 'Please check all required fields',
        facts: { [field]: sentence },
      })
    },
  )

  test('accepts fields of the longest length and rejects one character more', async ({ sql }) => {
    const lengths = { full_name: 100, phone: 20, address: 200, city: 50, state: 50, zip_code: 10 }
    const filled = (more: number) =>
      Object.fromEntries(Object.entries(lengths).map(([field, length]) => [field, '0'.repeat(length + more)]))
    await sql.as(await aCustomer(sql))
    await putInCart(sql, popper)

    expect(
      await sql.refusal(PLACE_ORDER, placing({ total: 210, delivery: { ...delivery, ...filled(1) } })),
    ).toMatchObject({
      facts: {
        full_name: 'Name is too long',
        phone: 'Phone number is too long',
        address: 'Address is too long',
        city: 'City is too long',
        state: 'State/Province is too long',
        zip_code: 'Postal code is too long',
      },
    })
    expect(await place(sql, { total: 210, delivery: { ...delivery, ...filled(0) } })).toMatchObject({
      shipping_city: '0'.repeat(50),
    })
  })

  test('requires an order for locker delivery to name a locker', async ({ sql }) => {
    await sql.as(await aCustomer(sql))

    expect(
      await sql.refusal(PLACE_ORDER, placing({ total: 210, delivery: { shipping_method: 'locker' } })),
    ).toMatchObject({
      facts: {
        locker_location: 'Please specify your nearest locker location',
        email: 'Invalid email address',
      },
    })
  })

  test('requires an account and an idempotency key to place an order', async ({ sql }) => {
    await sql.as('anon')
    expect(await sql.refusal(PLACE_ORDER, placing({ total: 210 }))).toMatchObject({ code: '42501' })

    await sql.asShop()
    await sql.as(await aCustomer(sql))
    expect(
      await sql.refusal('select public.place_order(null, $1, 1)', [JSON.stringify(delivery)]),
    ).toMatchObject({ reason: 'missing_key' })
  })
})

describe('smallest payment', () => {
  test('refuses an order below PayFast’s minimum in live mode, where it could not be paid', async ({
    sql,
  }) => {
    await fillCart(sql, 4.99, 'payfast')

    expect(await sql.refusal(PLACE_ORDER, placing({ total: 4.99, promo: 'LEAVES' }))).toMatchObject({
      code: 'PT422',
      reason: 'amount_too_small',
      message: expect.stringContaining('Please add a lure or remove the promo code.'),
    })
  })

  test.for([
    ['at PayFast’s minimum in live mode', 5, 'payfast'],
    ['that costs nothing in live mode', 0, 'payfast'],
    ['below PayFast’s minimum outside live mode', 4.99, 'by_hand'],
  ] as const)('accepts an order %s', async ([, total, refundWay], { sql }) => {
    await fillCart(sql, total, refundWay)

    expect(await place(sql, { total, promo: 'LEAVES' })).toMatchObject({ total_amount: total.toFixed(2) })
  })
})

describe('payment', () => {
  test('removes bought lines from the cart and keeps lines that were added later', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, { lines: [{ ...popper, quantity: 2 }], total: 320 })
    await sql.rows('update public.cart_items set quantity = 3')
    await sql.as(buyer)
    await putInCart(sql)
    await sql.asShop()

    await markOrderPaid(sql, order)

    expect(
      await sql.rows('select product_name, quantity from public.cart_items order by quantity'),
    ).toMatchObject([{ quantity: 1 }, { quantity: 1 }])
  })

  test('keeps the same lure in the cart with the other hook choice or when it was added again', async ({
    sql,
  }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.rows(`update public.cart_items set created_at = now() + interval '1 minute'`)
    await sql.as(buyer)
    await putInCart(sql, { ...popper, with_hooks: true, price: 142 })
    await sql.asShop()

    await markOrderPaid(sql, order)

    expect(await sql.rows('select with_hooks from public.cart_items order by with_hooks')).toEqual([
      { with_hooks: false },
      { with_hooks: true },
    ])
  })

  test.for(['a new', 'the same'])(
    'empties the cart of a lure that was taken out and put back before the same order was placed again with %s idempotency key',
    async (which, { sql }) => {
      const key = randomUUID()
      const buyer = await aCustomer(sql)
      const order = await orderOf(sql, buyer, { ...ONE_POPPER, key })
      await sql.rows(`update public.orders set placed_at = placed_at - interval '1 hour' where id = $1`, [
        order.id,
      ])
      await sql.rows('delete from public.cart_items')

      const again = await orderOf(sql, buyer, { ...ONE_POPPER, ...(which === 'the same' && { key }) })
      expect(again.id).toBe(order.id)
      await markOrderPaid(sql, order)

      expect(await sql.rows('select product_name from public.cart_items')).toEqual([])
    },
  )

  test('reports the payment of an unknown order as not found', async ({ sql }) => {
    expect(await sql.value('select private.mark_order_paid($1, now())', [randomUUID()])).toBe('not_found')
  })

  // covers A12
  test('lets staff set an unpaid order only to cancelled', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const admin = await anAdmin(sql)
    await sql.as(admin)

    for (const status of ['new', 'processing', 'shipped', 'delivered']) {
      expect(
        await sql.refusal('update public.orders set status = $2 where id = $1', [order.id, status]),
      ).toMatchObject({ code: 'PT409', reason: 'not_paid' })
    }
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
    expect(
      await sql.refusal(`update public.orders set status = 'new' where id = $1`, [order.id]),
    ).toMatchObject({ reason: 'not_paid' })
    expect(
      await sql.refusal(`update public.orders set paid_at = now() where id = $1`, [order.id]),
    ).toMatchObject({ code: '42501' })
  })

  // covers A4.2
  test('lets staff set a paid order to any of the five statuses', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await markOrderPaid(sql, order)
    await sql.as(await anAdmin(sql))

    for (const status of ['shipped', 'processing', 'cancelled', 'new', 'delivered']) {
      await sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])
      expect(await statusOf(sql, order)).toBe(status)
    }
    for (const status of ['pending_payment', 'pending']) {
      expect(
        await sql.refusal('update public.orders set status = $2 where id = $1', [order.id, status]),
      ).toMatchObject({ reason: 'not_a_step' })
    }
    expect(
      await sql.refusal(`update public.orders set status = 'lost' where id = $1`, [order.id]),
    ).toMatchObject({ constraint: 'unknown_status' })
  })
})

describe('cancellation', () => {
  test('lets customers cancel unpaid orders and records that the customer cancelled', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.as(buyer)

    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(
      await sql.row('select status, cancellation_reason from public.orders where id = $1', [order.id]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'customer',
    })
  })

  test('does not let customers cancel paid orders or orders of other customers', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const paid = await orderOf(sql, buyer, ONE_POPPER)
    await markOrderPaid(sql, paid)
    const foreign = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await sql.as(buyer)

    for (const order of [paid, foreign]) {
      expect(
        await sql.rows(`update public.orders set status = 'cancelled' where id = $1 returning id`, [
          order.id,
        ]),
      ).toEqual([])
    }
  })

  test('cancels only the caller’s own unpaid order through cancel_own_order', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const paid = await orderOf(sql, buyer, ONE_POPPER)
    await markOrderPaid(sql, paid)
    const unpaid = await orderOf(sql, buyer, ONE_POPPER)
    const foreign = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const cancel = (order: { id: string }) => sql.value('select public.cancel_own_order($1)', [order.id])
    await sql.as(buyer)

    expect([await cancel(paid), await cancel(foreign), await cancel(unpaid)]).toEqual([false, false, true])

    await sql.asShop()
    expect([await statusOf(sql, paid), await statusOf(sql, foreign)]).toEqual(['new', 'pending_payment'])
  })

  test('lets customers change orders only by cancelling', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await sql.as(buyer)

    expect(
      await sql.refusal(`update public.orders set status = 'shipped' where id = $1`, [order.id]),
    ).toMatchObject({ reason: 'not_paid' })
    expect(
      await sql.refusal(
        `update public.orders set status = 'cancelled', tracking_number = 'X' where id = $1`,
        [order.id],
      ),
    ).toMatchObject({ code: '42501' })
    expect(
      await sql.refusal(`update public.orders set total_amount = 1 where id = $1`, [order.id]),
    ).toMatchObject({ code: '42501' })
  })

  test('cancels an order once when the request is repeated', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    const cancel = () => sql.value(`select private.cancel_order($1, 'shop')`, [order.id])

    expect([await cancel(), await cancel()]).toEqual(['cancelled', 'already_cancelled'])
    expect(await sql.value(`select private.cancel_order($1, 'shop')`, [randomUUID()])).toBe('not_found')
  })
})

describe('unpaid order', () => {
  test('cancels an unpaid order at the expiry time, not earlier', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    expect(await sql.value('select private.expire_orders()')).toBe(0)
    await sql.rows(`update public.orders set expires_at = now() - interval '1 second'`)

    expect(await sql.value('select private.expire_orders()')).toBe(1)

    expect(
      await sql.row('select status, cancellation_reason, reserved_until from public.orders where id = $1', [
        order.id,
      ]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'expired',
      reserved_until: null,
    })
  })

  test('renews an order’s reservation and expiry each time the buyer opens the payment page', async ({
    sql,
  }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await sql.rows(`update public.orders set expires_at = now() + interval '1 minute'`)
    await sql.rows(`update public.stock_reservations set expires_at = now() - interval '1 minute'`)

    expect(await sql.value('select private.renew_reservation($1)', [order.id])).toBe('held')

    expect(
      await sql.row(
        `select expires_at - now() = interval '24 hours' as kept, reserved_until - now() = interval '30 minutes' as held from public.orders where id = $1`,
        [order.id],
      ),
    ).toEqual({ kept: true, held: true })
    await markOrderPaid(sql, order)
    expect(await sql.value('select private.renew_reservation($1)', [order.id])).toBe('not_waiting')
  })

  test('keeps an unpaid order for at most three days', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    /** At the moment when it would expire. */
    const renewAfter = async (age: string) => {
      await sql.rows(
        `update public.orders set placed_at = now() - $1::interval, expires_at = now() where id = $2`,
        [age, order.id],
      )
      return sql.value('select private.renew_reservation($1)', [order.id])
    }
    const hoursKept = () =>
      sql.value(
        `select round(extract(epoch from expires_at - now()) / 3600)::int from public.orders where id = $1`,
        [order.id],
      )

    expect([await renewAfter('47 hours'), await hoursKept()]).toEqual(['held', 24])
    expect([await renewAfter('71 hours'), await hoursKept()]).toEqual(['held', 1])
    expect([await renewAfter('72 hours'), await hoursKept()]).toEqual(['not_waiting', 0])
  })

  test('refuses a payment for an order whose reservation can no longer be renewed', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), ONE_POPPER)
    await sql.rows(
      `update public.orders set placed_at = now() - interval '72 hours', expires_at = now() where id = $1`,
      [order.id],
    )

    expect(
      await sql.refusal(`select private.start_payment_attempt($1, '10000100')`, [order.id]),
    ).toMatchObject({ code: 'PT409', reason: 'order_not_payable' })
  })
})

describe('timeline', () => {
  test('records each event of an order and the person who caused the event', async ({ sql }) => {
    const buyer = await aCustomer(sql)
    const admin = await anAdmin(sql)
    const courier = await sql.value(`select id from public.courier_companies where name = 'The Courier Guy'`)
    const order = await orderOf(sql, buyer, ONE_POPPER)
    await markOrderPaid(sql, order)
    await sql.as(admin)
    await sql.rows(
      `update public.orders set status = 'shipped', tracking_number = 'TCG1', courier_company_id = $2 where id = $1`,
      [order.id, courier],
    )

    expect(await timelineOf(sql, order.id)).toEqual([
      { kind: 'placed', actor_id: buyer.sub, detail: { total_amount: 210, promo_code: null } },
      { kind: 'paid', actor_id: null, detail: { from: 'pending_payment', to: 'new' } },
      { kind: 'status_changed', actor_id: admin.sub, detail: { from: 'new', to: 'shipped' } },
      {
        kind: 'tracking_changed',
        actor_id: admin.sub,
        detail: { tracking_number: 'TCG1', courier: 'The Courier Guy' },
      },
    ])
  })
})

function timelineOf(sql: TestTransaction, orderId: string) {
  return sql.rows('select kind, actor_id, detail from public.order_events where order_id = $1 order by id', [
    orderId,
  ])
}
