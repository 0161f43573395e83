import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import {
  aCustomer,
  aVerifiedCustomer,
  anAdmin,
  aPromoCode,
  markOrderPaid,
  orderOf,
  popper,
  riggedStickBait,
  setStock,
  stockCounts,
  type Line,
  type OrderRecord,
  type PromoTerms,
} from './shopping.ts'
import { shop as config } from '#shop'
import { STAFF_RESERVATION_DAYS } from '#domain/staff-reservation.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const TEN_RAND: PromoTerms = { code: 'TENNER', discount_type: 'fixed', discount_value: 10 }

const SOMEONE_ELSE = { ...delivery, email: 'pieter@example.com', phone: '083 765 4321' }

const PLACE = 'select * from public.place_staff_order($1, $2)'

async function staffLines(sql: TestTransaction, lines: Line[]): Promise<object[]> {
  return Promise.all(
    lines.map(async ({ product_name, product_variant, with_hooks, quantity }) => ({
      with_hooks,
      quantity,
      variant_id: await sql.value<string>(
        `select v.id from public.product_variants v join public.products p on p.id = v.product_id where p.name = $1 and v.name = $2`,
        [product_name, product_variant],
      ),
    })),
  )
}

interface StaffOrder {
  lines: Line[]
  total: number
  [more: string]: unknown
}

async function enter(
  sql: TestTransaction,
  { lines, total, key = randomUUID(), ...more }: StaffOrder,
): Promise<OrderRecord> {
  const wanted = { delivery, lines: await staffLines(sql, lines), expected_total: total, ...more }
  return sql.row<OrderRecord>(PLACE, [key, JSON.stringify(wanted)])
}

async function refused(sql: TestTransaction, { lines, total, ...more }: StaffOrder) {
  const wanted = { delivery, lines: await staffLines(sql, lines), expected_total: total, ...more }
  return sql.refusal(PLACE, [randomUUID(), JSON.stringify(wanted)])
}

describe('manual order', () => {
  // covers A16
  test('calculates the price of a manual order, takes the stock and records the cash payment', async ({
    sql,
  }) => {
    const before = await stockCounts(sql, riggedStickBait)
    const admin = await anAdmin(sql)
    await sql.as(admin)

    const order = await enter(sql, {
      lines: [riggedStickBait, popper],
      total: 710,
      paid_by: 'cash',
      reference: 'Expo, stand 12',
    })

    expect(order).toMatchObject({
      status: 'new',
      total_amount: '710.00',
      shipping_cost: '100.00',
      customer_id: null,
    })
    expect(
      await sql.row(
        'select way, reference, amount_gross, recorded_by, outcome from public.payments where order_id = $1',
        [order.id],
      ),
    ).toEqual({
      way: 'cash',
      reference: 'Expo, stand 12',
      amount_gross: '710.00',
      recorded_by: admin.sub,
      outcome: 'paid',
    })
    const events = await sql.rows(
      'select kind, actor_id from public.order_events where order_id = $1 order by id',
      [order.id],
    )
    expect(events).toEqual(
      ['placed', 'entered_by_hand', 'paid', 'paid_by_hand'].map((kind) => ({ kind, actor_id: admin.sub })),
    )
    await sql.asShop()
    expect(await stockCounts(sql, riggedStickBait)).toMatchObject({ stock: before.stock - 1 })
  })

  test('leaves the account of a mistyped address once the address is corrected', async ({ sql }) => {
    const [stranger, customer] = [await aVerifiedCustomer(sql), await aVerifiedCustomer(sql)]
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, {
      lines: [popper],
      total: 210,
      paid_by: 'cash',
      delivery: { ...delivery, email: stranger.email },
    })
    expect(order).toMatchObject({ customer_id: stranger.sub })
    const correct = async (email: string) => {
      await sql.rows('select public.change_delivery($1, $2, $3)', [
        order.id,
        '{}',
        JSON.stringify({ customer_email: email }),
      ])
      return sql.value('select customer_id from public.orders where id = $1', [order.id])
    }

    expect(await correct(customer.email)).toBe(customer.sub)
    expect(await correct('nobody@example.com')).toBeNull()
  })

  test('rejects a manual order with a wrong total, without stock or without lines', async ({ sql }) => {
    await setStock(sql, popper, 1)
    await sql.as(await anAdmin(sql))

    expect(await refused(sql, { lines: [popper], total: 209.99 })).toMatchObject({
      reason: 'price_changed',
      facts: { subtotal: 110, shipping: 100, discount: 0, total: 210 },
    })
    expect(await refused(sql, { lines: [{ ...popper, quantity: 2 }], total: 320 })).toMatchObject({
      reason: 'sold_out',
    })
    expect(await refused(sql, { lines: [], total: 0 })).toMatchObject({ reason: 'empty_order' })
  })

  test('creates one manual order per idempotency key', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const key = randomUUID()

    const first = await enter(sql, { lines: [popper], total: 210, key })
    const second = await enter(sql, { lines: [popper], total: 210, key })

    expect(second.id).toBe(first.id)
  })

  test('refuses a correction of a manual order that was created although its response was lost', async ({
    sql,
  }) => {
    await sql.as(await anAdmin(sql))
    const key = randomUUID()
    const { order_number } = await enter(sql, { lines: [popper], total: 210, key })
    const corrected = { delivery: SOMEONE_ELSE, lines: await staffLines(sql, [popper]), expected_total: 210 }

    expect(await sql.refusal(PLACE, [key, JSON.stringify(corrected)])).toMatchObject({
      reason: 'already_saved',
      message: `Order #${String(order_number).padStart(5, '0')} was created before you changed this form. Open it to correct it.`,
    })
    expect(await sql.value('select count(*)::int from public.orders')).toBe(1)
  })

  test('does not return a customer’s order for the idempotency key of a manual order', async ({ sql }) => {
    const key = randomUUID()
    const own = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210, key })
    await sql.as(await anAdmin(sql))

    expect((await enter(sql, { lines: [popper], total: 210, key })).id).not.toBe(own.id)
  })

  test('keeps an unpaid manual order without an account until staff cancel it, because an EFT takes days', async ({
    sql,
  }) => {
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, { lines: [popper], total: 210 })
    await sql.asShop()
    await sql.rows(`update public.orders set expires_at = expires_at - interval '2 days'`)

    expect(await sql.value('select private.expire_orders()')).toBe(0)
    expect(await sql.value('select status from public.orders where id = $1', [order.id])).toBe(
      'pending_payment',
    )
  })

  test('reserves the lures of an unpaid manual order for as long as the form says', async ({ sql }) => {
    await setStock(sql, popper, 1)
    await sql.as(await anAdmin(sql))
    const { id } = await enter(sql, { lines: [popper], total: 210 })

    const ends = await sql.row(
      `select o.reserved_until - now() = make_interval(days => $2) as of_order, h.expires_at = o.reserved_until as of_lures
       from public.orders o join public.stock_reservations h on h.order_id = o.id where o.id = $1`,
      [id, STAFF_RESERVATION_DAYS],
    )

    expect(ends).toEqual({ of_order: true, of_lures: true })
  })

  test('reserves the lures of a customer’s replaced order no longer than the checkout does', async ({
    sql,
  }) => {
    const before = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    const { id } = await enter(sql, { lines: [popper], total: 210, replaces: before.id })

    expect(
      await sql.value(
        `select h.expires_at - now() = make_interval(mins => $2)
         from public.stock_reservations h where h.order_id = $1`,
        [id, config.orders.reservationMinutes],
      ),
    ).toBe(true)
  })

  test('reinstates a cancelled order when an admin records the payment that arrived later', async ({
    sql,
  }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    await sql.rows(`select public.record_payment($1, 'eft', 'FNB 4711')`, [order.id])

    expect(await sql.value('select status from public.orders where id = $1', [order.id])).toBe('new')
    expect(
      await sql.row('select outcome, amount_gross from public.payments where order_id = $1', [order.id]),
    ).toEqual({ outcome: 'reinstated', amount_gross: '210.00' })
  })

  test('records no second payment for a paid order that was cancelled', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, { lines: [popper], total: 210, paid_by: 'cash' })
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    expect(await sql.refusal(`select public.record_payment($1, 'cash')`, [order.id])).toMatchObject({
      reason: 'order_not_payable',
    })
  })

  test('refuses a manual order for a product that is not live', async ({ sql }) => {
    await sql.rows(`update public.products set status = 'hidden' where name = $1`, [popper.product_name])
    await sql.as(await anAdmin(sql))

    expect(await refused(sql, { lines: [popper], total: 210 })).toMatchObject({ reason: 'unknown_product' })
    expect(
      await sql.refusal('select public.quote_staff_order($1)', [
        JSON.stringify(await staffLines(sql, [popper])),
      ]),
    ).toMatchObject({ reason: 'unknown_product' })
  })

  test('links a paid manual order to the customer’s account and keeps the customer’s unpaid order', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    const own = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, {
      lines: [riggedStickBait],
      total: 600,
      paid_by: 'eft',
      reference: 'FNB 21 Nov',
    })

    expect(order.customer_id).toBe(customer.sub)
    expect(await sql.value('select status from public.orders where id = $1', [own.id])).toBe(
      'pending_payment',
    )
  })

  test('does not link an unpaid manual order, which the customer’s next checkout would cancel', async ({
    sql,
  }) => {
    await aVerifiedCustomer(sql, 'thandi@example.com')
    await sql.as(await anAdmin(sql))

    expect((await enter(sql, { lines: [popper], total: 210 })).customer_id).toBeNull()
  })

  test('links an unpaid manual order to the customer’s account when its payment is recorded', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, { lines: [popper], total: 210 })

    await sql.rows(`select public.record_payment($1, 'eft')`, [order.id])

    expect(await sql.value('select customer_id from public.orders where id = $1', [order.id])).toBe(
      customer.sub,
    )
  })

  test.for([
    ['without an account has none', 'pieter@example.com', false],
    ['with an account has one', 'thandi@example.com', true],
  ] as const)('tells the confirmation mail that an order %s', async ([, email, hasAccount], { sql }) => {
    await aVerifiedCustomer(sql, 'thandi@example.com')
    await sql.as(await anAdmin(sql))
    await enter(sql, { lines: [popper], total: 210, paid_by: 'eft', delivery: { ...delivery, email } })
    await sql.rows('set constraints all immediate')
    await sql.asShop()

    expect(
      await sql.value(`select props -> 'hasAccount' from public.mails where template = 'order-confirmation'`),
    ).toBe(hasAccount)
  })

  test.for([
    ['must still be made', 0, true],
    ['is in stock', 1, false],
  ] as const)(
    'tells the confirmation mail that a made-to-order lure %s',
    async ([, stock, mustBeMade], { sql }) => {
      await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
      await setStock(sql, popper, stock)
      await sql.as(await anAdmin(sql))
      await enter(sql, { lines: [popper], total: 210, paid_by: 'eft' })
      await sql.rows('set constraints all immediate')
      await sql.asShop()

      expect(
        await sql.value(
          `select props -> 'mustBeMade' from public.mails where template = 'order-confirmation'`,
        ),
      ).toBe(mustBeMade)
    },
  )

  test('sends no payment reminder for an order without an account', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    await enter(sql, { lines: [popper], total: 210 })
    await sql.asShop()
    await sql.rows(`update public.orders set reserved_until = now() - interval '2 hours'`)

    expect(await sql.value('select private.remind_unpaid_orders()')).toBe(0)
  })

  test('records cash below PayFast’s minimum in live mode', async ({ sql }) => {
    await sql.rows(`select private.set_shop_rules('{"refund_way": "payfast"}')`)
    await aPromoCode(sql, { code: 'LEAVES', discount_type: 'fixed', discount_value: 206 })
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, { lines: [popper], total: 4, promo_code: 'LEAVES', paid_by: 'cash' })

    expect(order).toMatchObject({ status: 'new', total_amount: '4.00' })
  })

  test('links a manual order that costs nothing to the customer’s account', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    await aPromoCode(sql, { code: 'GIFT', discount_type: 'fixed', discount_value: 210 })
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, { lines: [popper], total: 0, promo_code: 'GIFT' })

    expect(order).toMatchObject({ status: 'new', customer_id: customer.sub })
  })

  test('adds up equal lines of a manual order', async ({ sql }) => {
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, { lines: [popper, { ...popper, quantity: 2 }], total: 430 })

    expect(await sql.rows('select quantity from public.order_items where order_id = $1', [order.id])).toEqual(
      [{ quantity: 3 }],
    )
  })

  test.for([
    ['none of a lure', { quantity: 0 }, 'impossible_quantity'],
    ['a thousand of a lure', { quantity: 1000 }, 'impossible_quantity'],
    ['no choice of hooks', { with_hooks: null }, 'hooks_not_chosen'],
    ['hooks that are not offered', { with_hooks: true }, 'hooks_not_offered'],
  ] as const)('refuses a manual order with %s', async ([, change, reason], { sql }) => {
    await sql.rows('update public.products set price_with_hooks = null where name = $1', [
      popper.product_name,
    ])
    await sql.as(await anAdmin(sql))
    const [line] = await staffLines(sql, [popper])

    expect(
      await sql.refusal('select public.quote_staff_order($1)', [JSON.stringify([{ ...line, ...change }])]),
    ).toMatchObject({ code: 'PT422', reason })
  })

  test('does not link a manual order to an account with an unverified mailbox', async ({ sql }) => {
    await aCustomer(sql, 'thandi@example.com')
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, { lines: [popper], total: 210, paid_by: 'cash' })

    expect(order.customer_id).toBeNull()
  })

  test('records the EFT payment of an unpaid manual order once', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, { lines: [popper], total: 210 })
    const record = `select public.record_payment($1, 'eft', 'FNB 21 Nov')`
    expect(order.status).toBe('pending_payment')

    await sql.rows(record, [order.id])

    expect(await sql.value('select status from public.orders where id = $1', [order.id])).toBe('new')
    expect(await sql.refusal(record, [order.id])).toMatchObject({ reason: 'order_not_payable' })
  })
})

/** An EFT for an unpaid manual order whose lure was sold in the meantime; the session is an admin's. */
async function aLateEft(sql: TestTransaction, { isCancelled = false } = {}) {
  await sql.as(await anAdmin(sql))
  const order = await enter(sql, { lines: [popper], total: 210 })
  if (isCancelled) await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])
  await setStock(sql, popper, 0)
  await sql.rows(`select public.record_payment($1, 'eft', 'FNB 21 Nov')`, [order.id])
  const payment = await sql.value<string>('select id from public.payments where order_id = $1', [order.id])
  return { order, payment }
}

const issuesOf = (sql: TestTransaction, order: OrderRecord) =>
  sql.rows('select kind, payment_id, amount_gross from public.open_payment_issues where order_id = $1', [
    order.id,
  ])

describe('an EFT that arrives after the lures were sold', () => {
  test('records an EFT for lures that were sold in the meantime, and leaves it to an admin', async ({
    sql,
  }) => {
    await aVerifiedCustomer(sql, 'thandi@example.com')
    const { order, payment } = await aLateEft(sql)

    expect(await issuesOf(sql, order)).toEqual([
      { kind: 'sold_out', payment_id: payment, amount_gross: '210.00' },
    ])
    expect(
      await sql.row('select way, reference, outcome from public.payments where id = $1', [payment]),
    ).toEqual({ way: 'eft', reference: 'FNB 21 Nov', outcome: 'sold_out' })
    expect(
      await sql.row('select status, paid_at, customer_id from public.orders where id = $1', [order.id]),
    ).toEqual({ status: 'pending_payment', paid_at: null, customer_id: null })
    await sql.asShop()
    expect(await sql.rows('select * from private.broken_sums()')).toEqual([])
  })

  test('opens a refund task for an EFT whose cancelled order cannot be reinstated', async ({ sql }) => {
    const { order } = await aLateEft(sql, { isCancelled: true })

    expect(
      await sql.rows('select outstanding from public.refund_tasks where order_id = $1 and is_open', [
        order.id,
      ]),
    ).toEqual([{ outstanding: '210.00' }])
    expect(await issuesOf(sql, order)).toMatchObject([{ kind: 'sold_out' }])
  })

  test('records the EFT for sold lures once', async ({ sql }) => {
    const { order } = await aLateEft(sql)

    expect(await sql.refusal(`select public.record_payment($1, 'eft')`, [order.id])).toMatchObject({
      reason: 'payment_being_confirmed',
    })
  })

  test('keeps a manual order waiting for its customer after its EFT for sold lures was refunded', async ({
    sql,
  }) => {
    const { order, payment } = await aLateEft(sql)

    await sql.rows(`select public.record_refund($1, 210, 'Belongs to another order')`, [payment])

    expect(await sql.value('select expires_at from public.orders where id = $1', [order.id])).toBeNull()
  })

  test('lets the EFT for sold lures pay its order when an admin restocks and accepts it', async ({ sql }) => {
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    const { order, payment } = await aLateEft(sql)
    await setStock(sql, popper, 1)

    expect(await sql.value('select public.accept_late_payment($1)', [payment])).toBe('paid')

    expect(await sql.row('select status, customer_id from public.orders where id = $1', [order.id])).toEqual({
      status: 'new',
      customer_id: customer.sub,
    })
    expect(await issuesOf(sql, order)).toEqual([])
  })

  test('resolves the issue of an EFT for sold lures by its refund, and raises it again when that is withdrawn', async ({
    sql,
  }) => {
    const { order, payment } = await aLateEft(sql)

    const refund = await sql.value(`select id from public.record_refund($1, 210, 'Sold meanwhile')`, [
      payment,
    ])
    expect(await issuesOf(sql, order)).toEqual([])
    await sql.rows(`select public.withdraw_refund($1, 'Recorded by mistake')`, [refund])

    expect(await issuesOf(sql, order)).toMatchObject([{ kind: 'sold_out', payment_id: payment }])
  })
})

const RECORD = `select public.record_payment($1, 'eft', 'FNB 4711', $2)`

/** An unpaid manual order of R210.00; the session is an admin's. */
async function aWaitingOrder(sql: TestTransaction): Promise<OrderRecord> {
  await sql.as(await anAdmin(sql))
  return enter(sql, { lines: [popper], total: 210 })
}

const paymentsOf = (sql: TestTransaction, order: { id: string }) =>
  sql.rows<{ id: string; outcome: string; amount_gross: string }>(
    'select id, outcome, amount_gross from public.payments where order_id = $1 order by created_at',
    [order.id],
  )

const stateOf = (sql: TestTransaction, order: { id: string }) =>
  sql.row('select status, paid_at is not null as is_paid, expires_at from public.orders where id = $1', [
    order.id,
  ])

const UNPAID = { status: 'pending_payment', is_paid: false, expires_at: null }
const PAID = { status: 'new', is_paid: true, expires_at: null }

/** Confirms a PayFast payment; an order of R210.00 is then short unless it is the whole total. The session becomes an admin's. */
async function confirmPayfast(sql: TestTransaction, order: OrderRecord, amount: number) {
  await sql.asShop()
  const attempt = randomUUID()
  await sql.rows(
    `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
     values ($1, $2, $3, '10000100', 210)`,
    [order.id, order.order_number, attempt],
  )
  const notice = await sql.value(
    `select private.store_notice('payment_status=COMPLETE', $1, '{}', '127.0.0.1')`,
    [attempt],
  )
  await sql.rows('select private.apply_confirmed_notice($1, $2)', [
    notice,
    JSON.stringify({ pf_payment_id: attempt, m_payment_id: attempt, amount_gross: amount }),
  ])
  await sql.as(await anAdmin(sql))
}

async function expectSoundBooks(sql: TestTransaction): Promise<void> {
  await sql.asShop()
  expect(await sql.rows('select * from private.broken_sums()')).toEqual([])
}

describe('an EFT of another amount than the order', () => {
  test('records less than the total as a wrong amount that needs a decision, and keeps the order waiting', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    await sql.rows(RECORD, [order.id, 200])

    const [payment] = await paymentsOf(sql, order)
    expect(payment).toMatchObject({ outcome: 'wrong_amount', amount_gross: '200.00' })
    expect(await issuesOf(sql, order)).toEqual([
      { kind: 'wrong_amount', payment_id: payment?.id, amount_gross: '200.00' },
    ])
    expect(await stateOf(sql, order)).toEqual(UNPAID)
    await expectSoundBooks(sql)
  })

  test('lets an admin accept an EFT that is short, and records what was waived', async ({ sql }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 200])
    const [payment] = await paymentsOf(sql, order)

    expect(await sql.value('select public.accept_short_payment($1)', [payment?.id])).toBe('paid')

    expect(await stateOf(sql, order)).toEqual(PAID)
    expect(await issuesOf(sql, order)).toEqual([])
    expect(await sql.value('select shortfall from public.payment_acceptances')).toBe('10.00')
    await expectSoundBooks(sql)
  })

  test('lets an admin ask the customer to pay the rest of an EFT that is short', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])
    const [payment] = await paymentsOf(sql, order)

    expect(await sql.value('select amount from public.request_top_up($1)', [payment?.id])).toBe('10.00')
  })

  test('lets an order expire again when its short EFT is refunded', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])
    const [payment] = await paymentsOf(sql, order)

    await sql.rows(`select public.record_refund($1, 200, 'They ordered again')`, [payment?.id])

    expect(await issuesOf(sql, order)).toEqual([])
    expect(await stateOf(sql, order)).not.toMatchObject({ expires_at: null })
  })

  test.for(['EFT', 'PayFast payment'] as const)(
    'pays the order when an admin records exactly the rest of a short %s',
    async (first, { sql }) => {
      const order = await aWaitingOrder(sql)
      if (first === 'EFT') await sql.rows(RECORD, [order.id, 200])
      else await confirmPayfast(sql, order, 200)

      await sql.rows(RECORD, [order.id, 10])

      expect(await paymentsOf(sql, order)).toMatchObject([
        { outcome: 'wrong_amount', amount_gross: '200.00' },
        { outcome: 'paid', amount_gross: '10.00' },
      ])
      expect(await stateOf(sql, order)).toEqual(PAID)
      expect(await issuesOf(sql, order)).toEqual([])
      expect(
        await sql.rows('select pays_order from public.payment_balances where order_id = $1', [order.id]),
      ).toEqual([{ pays_order: true }, { pays_order: true }])
      await expectSoundBooks(sql)
    },
  )

  test('pays the order with the rest that the customer was asked for, however it arrives', async ({
    sql,
  }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])
    const [payment] = await paymentsOf(sql, order)
    await sql.rows('select public.request_top_up($1)', [payment?.id])

    await sql.rows(RECORD, [order.id, 10])

    expect(await stateOf(sql, order)).toEqual(PAID)
    expect(await sql.value('select count(*)::int from public.payment_top_ups')).toBe(1)
    await expectSoundBooks(sql)
  })

  test('accepts both payments when the rest of a short EFT arrived after the lures were sold', async ({
    sql,
  }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 200])
    await setStock(sql, popper, 0)
    await sql.rows(RECORD, [order.id, 10])
    const [, rest] = await paymentsOf(sql, order)
    expect(rest).toMatchObject({ outcome: 'sold_out' })
    await setStock(sql, popper, 1)

    expect(await sql.value('select public.accept_late_payment($1)', [rest?.id])).toBe('paid')

    expect(await issuesOf(sql, order)).toEqual([])
    await expectSoundBooks(sql)
  })

  test('does not record a second part of an order that leaves it short, which no decision could accept with the first', async ({
    sql,
  }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 100])

    expect(await sql.refusal(RECORD, [order.id, 50])).toMatchObject({
      code: 'PT409',
      reason: 'rest_still_missing',
      facts: { missing: 60 },
      message: expect.stringContaining('R60.00 would still be missing.'),
    })
  })

  test('records what exceeds the total as paid twice, so that it can be refunded', async ({ sql }) => {
    const order = await aWaitingOrder(sql)

    await sql.rows(RECORD, [order.id, 240])

    const [paid, surplus] = await paymentsOf(sql, order)
    expect([paid, surplus]).toMatchObject([
      { outcome: 'paid', amount_gross: '210.00' },
      { outcome: 'paid_twice', amount_gross: '30.00' },
    ])
    expect(await stateOf(sql, order)).toEqual(PAID)
    expect(await issuesOf(sql, order)).toMatchObject([{ kind: 'paid_twice', payment_id: surplus?.id }])
    expect(
      await sql.value(`select detail from public.order_events where kind = 'paid_by_hand'`),
    ).toMatchObject({ amount: 240, surplus: 30 })
    await sql.rows(`select public.record_refund($1, 30, 'Paid too much')`, [surplus?.id])
    expect(await issuesOf(sql, order)).toEqual([])
    await expectSoundBooks(sql)
  })

  test('records what exceeds the rest of a short EFT as paid twice', async ({ sql }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 200])

    await sql.rows(RECORD, [order.id, 25])

    expect(await paymentsOf(sql, order)).toMatchObject([
      { outcome: 'wrong_amount' },
      { outcome: 'paid', amount_gross: '10.00' },
      { outcome: 'paid_twice', amount_gross: '15.00' },
    ])
    await expectSoundBooks(sql)
  })

  test('records an EFT for an order that is paid already, so that it can be refunded', async ({ sql }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 210])

    await sql.rows(RECORD, [order.id, 210])

    const [, second] = await paymentsOf(sql, order)
    expect(second).toMatchObject({ outcome: 'paid_twice', amount_gross: '210.00' })
    expect(await issuesOf(sql, order)).toMatchObject([{ kind: 'paid_twice', payment_id: second?.id }])
    await sql.rows(`select public.record_refund($1, 210, 'Paid twice')`, [second?.id])
    await expectSoundBooks(sql)
  })

  test('makes an EFT for a cancelled order that was paid due for refund too', async ({ sql }) => {
    const order = await aWaitingOrder(sql)
    await sql.rows(RECORD, [order.id, 210])
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [order.id])

    await sql.rows(RECORD, [order.id, 50])

    expect(await sql.value('select outstanding from public.refund_tasks where is_open')).toBe('260.00')
    await expectSoundBooks(sql)
  })

  test('records no payment beside one that needs a decision first', async ({ sql }) => {
    const { order } = await aLateEft(sql)

    expect(await sql.refusal(RECORD, [order.id, 210])).toMatchObject({
      code: 'PT409',
      reason: 'payment_undecided',
    })
  })

  test('refuses a repeated EFT whose first response was lost, instead of recording it as paid twice', async ({
    sql,
  }) => {
    const order = await aWaitingOrder(sql)
    const record = `select public.record_payment($1, 'eft', null, 210, null, 0)`
    await sql.rows(record, [order.id])

    expect(await sql.refusal(record, [order.id])).toMatchObject({
      code: 'PT409',
      reason: 'payments_changed',
      facts: { received: 210 },
    })
  })

  test.for([0, -1, 0.001, 120.555, 100_000_000])('refuses an EFT of R%d', async (amount, { sql }) => {
    const order = await aWaitingOrder(sql)

    expect(await sql.refusal(RECORD, [order.id, amount])).toMatchObject({
      code: 'PT422',
      reason: 'invalid_amount',
    })
  })
})

/** As if the order had been placed four days ago. */
async function anOlderOrder(sql: TestTransaction): Promise<OrderRecord> {
  const order = await aWaitingOrder(sql)
  await sql.asShop()
  await sql.rows(`update public.orders set placed_at = now() - interval '4 days' where id = $1`, [order.id])
  await sql.as(await anAdmin(sql))
  return order
}

const RECORD_OF = `select public.record_payment($1, 'eft', null, 210, (now() at time zone 'Africa/Johannesburg')::date + $2::int)`

describe('the day of an EFT', () => {
  test('counts a sale on the day on which its EFT arrived, not on which it was recorded', async ({ sql }) => {
    const order = await anOlderOrder(sql)

    await sql.rows(RECORD_OF, [order.id, -2])

    expect(
      await sql.row(
        `select (o.paid_at at time zone 'Africa/Johannesburg')::date - (now() at time zone 'Africa/Johannesburg')::date as sale,
           (b.received_at at time zone 'Africa/Johannesburg')::date = b.received_on as is_received_then
         from public.orders o join public.payment_balances b on b.order_id = o.id where o.id = $1`,
        [order.id],
      ),
    ).toEqual({ sale: -2, is_received_then: true })
    expect(
      await sql.row(
        `with today as (select (now() at time zone 'Africa/Johannesburg')::date as day)
         select s.orders, s.revenue from today, public.sales_by_day(today.day - 2, today.day - 2, 'Africa/Johannesburg') s`,
      ),
    ).toEqual({ orders: 1, revenue: '210.00' })
  })

  test('keeps the time of a payment that arrived today', async ({ sql }) => {
    const order = await anOlderOrder(sql)

    await sql.rows(RECORD_OF, [order.id, 0])

    expect(
      await sql.row(
        `select b.received_on, b.received_at = p.created_at as is_now
         from public.payment_balances b join public.payments p on p.id = b.payment_id where b.order_id = $1`,
        [order.id],
      ),
    ).toEqual({ received_on: null, is_now: true })
  })

  test('does not date a sale before its order when its EFT arrived on the day of the order', async ({
    sql,
  }) => {
    const order = await anOlderOrder(sql)

    await sql.rows(RECORD_OF, [order.id, -4])

    expect(await sql.value('select paid_at >= placed_at from public.orders where id = $1', [order.id])).toBe(
      true,
    )
  })

  test.for([
    ['tomorrow', 1],
    ['before its order was placed', -5],
  ] as const)('refuses an EFT that is said to have arrived %s', async ([, days], { sql }) => {
    const order = await anOlderOrder(sql)

    expect(await sql.refusal(RECORD_OF, [order.id, days])).toMatchObject({
      code: 'PT422',
      reason: 'invalid_day',
    })
  })
})

describe('payment by hand', () => {
  test('records the cash refund of a cash payment in the ledger', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const order = await enter(sql, { lines: [popper], total: 210, paid_by: 'cash' })
    const payment = await sql.value('select payment_id from public.payment_balances where order_id = $1', [
      order.id,
    ])

    expect(
      await sql.refusal(`select public.record_refund($1, 10, 'Bent hook', '[]', 'payfast')`, [payment]),
    ).toMatchObject({
      reason: 'refund_by_hand',
    })
    await sql.rows(`select public.record_refund($1, 10, 'Bent hook')`, [payment])

    expect(
      await sql.row('select given_back, refund_way from public.payment_balances where payment_id = $1', [
        payment,
      ]),
    ).toEqual({
      given_back: '10.00',
      refund_way: 'by_hand',
    })
  })

  test('does not search for cash payments in PayFast’s history', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    await enter(sql, { lines: [popper], total: 210, paid_by: 'cash' })
    await sql.asShop()

    expect(await sql.value(`select private.reconcile(current_date - 2, current_date + 2, '[]')`)).toBe(0)
  })
})

describe('replacement of an unpaid order', () => {
  test('replaces an unpaid order with a new manual order for the same customer', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const before = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    const after = await enter(sql, { lines: [popper, riggedStickBait], total: 710, replaces: before.id })

    expect(after).toMatchObject({
      status: 'pending_payment',
      customer_id: customer.sub,
      total_amount: '710.00',
    })
    expect(
      await sql.row('select status, cancellation_reason from public.orders where id = $1', [before.id]),
    ).toEqual({
      status: 'cancelled',
      cancellation_reason: 'replaced',
    })
  })

  test('names the replaced order on the timeline of the new one', async ({ sql }) => {
    const before = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    const after = await enter(sql, { lines: [popper], total: 210, replaces: before.id })

    expect(
      await sql.value(
        `select detail from public.order_events where order_id = $1 and kind = 'entered_by_hand'`,
        [after.id],
      ),
    ).toMatchObject({ replaces: before.order_number })
  })

  test('names the new order on the timeline of the replaced one, with its id for a link', async ({ sql }) => {
    const before = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    const after = await enter(sql, { lines: [popper], total: 210, replaces: before.id })

    expect(
      await sql.value(`select detail from public.order_events where order_id = $1 and kind = 'replaced'`, [
        before.id,
      ]),
    ).toEqual({ order_id: after.id, order_number: after.order_number })
  })

  test.for([`'eft'`, `'eft', null, 210`])(
    'refuses an EFT under the number of a replaced order, which it would revive beside the new one: %s',
    async (money, { sql }) => {
      const before = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
      await sql.as(await anAdmin(sql))
      const between = await enter(sql, { lines: [popper], total: 210, replaces: before.id })
      const after = await enter(sql, { lines: [popper], total: 210, replaces: between.id })
      const record = `select public.record_payment($1, ${money})`

      for (const replaced of [before, between]) {
        expect(await sql.refusal(record, [replaced.id])).toMatchObject({
          code: 'PT409',
          reason: 'order_replaced',
          message: `This order was replaced. Record it on #${String(after.order_number).padStart(5, '0')}.`,
          facts: { order_id: after.id, order_number: after.order_number },
        })
      }
      await sql.rows(record, [after.id])
      expect(await sql.refusal(record, [before.id])).toMatchObject({ reason: 'order_replaced' })
    },
  )

  test('records an EFT that arrived before the lines of its order were changed', async ({ sql }) => {
    const before = await anOlderOrder(sql)
    const after = await enter(sql, { lines: [popper], total: 210, replaces: before.id })

    await sql.rows(RECORD_OF, [after.id, -4])

    expect(
      await sql.row(
        `select o.paid_at = o.placed_at as is_no_earlier, p.received_on is not null as has_day
         from public.orders o join public.payments p on p.order_id = o.id where o.id = $1`,
        [after.id],
      ),
    ).toEqual({ is_no_earlier: true, has_day: true })
    expect(await sql.refusal(RECORD_OF, [after.id, -5])).toMatchObject({ reason: 'invalid_day' })
  })

  test('records an EFT on a replaced order once the new one is cancelled', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const before = await enter(sql, { lines: [popper], total: 210 })
    const after = await enter(sql, { lines: [popper], total: 210, replaces: before.id })
    await sql.rows(`update public.orders set status = 'cancelled' where id = $1`, [after.id])

    await sql.rows(`select public.record_payment($1, 'eft')`, [before.id])

    expect(await sql.value('select status from public.orders where id = $1', [before.id])).toBe('new')
  })

  test('counts the promo code of a replacement as used by the customer’s account', async ({ sql }) => {
    const code = await aPromoCode(sql, { ...TEN_RAND, per_customer_limit: 1 })
    const customer = await aCustomer(sql)
    const before = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    const after = await enter(sql, {
      lines: [popper],
      total: 200,
      promo_code: 'TENNER',
      replaces: before.id,
      delivery: SOMEONE_ELSE,
    })

    await sql.asShop()
    await markOrderPaid(sql, after)
    expect(
      await sql.value('select customer_id from public.promo_redemptions where order_id = $1', [after.id]),
    ).toBe(customer.sub)
    await sql.as(customer)
    expect(await sql.row('select * from public.validate_promo_code($1)', ['TENNER'])).toMatchObject({
      error_message: 'You have already used this promo code',
    })
    expect(await sql.value('select public.increment_promo_usage($1)', [code])).toBe(true)
  })

  test('counts the promo code of a manual order as used by the account that it is attached to', async ({
    sql,
  }) => {
    await aPromoCode(sql, TEN_RAND)
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    await sql.as(await anAdmin(sql))

    const order = await enter(sql, { lines: [popper], total: 200, promo_code: 'TENNER', paid_by: 'cash' })

    expect(
      await sql.value('select customer_id from public.promo_redemptions where order_id = $1', [order.id]),
    ).toBe(customer.sub)
  })

  test('refuses a promo code that the customer’s account has used, although staff enter another contact', async ({
    sql,
  }) => {
    await aPromoCode(sql, { ...TEN_RAND, per_customer_limit: 1 })
    const customer = await aCustomer(sql)
    const first = await orderOf(sql, customer, { lines: [popper], total: 200, promo: 'TENNER' })
    await markOrderPaid(sql, first)
    const before = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))

    expect(
      await refused(sql, {
        lines: [popper],
        total: 200,
        promo_code: 'TENNER',
        replaces: before.id,
        delivery: SOMEONE_ELSE,
      }),
    ).toMatchObject({ reason: 'promo_invalid', facts: { problem: 'already_used' } })
  })

  test('quotes a replacement with the promo code that the replaced order has used up', async ({ sql }) => {
    await aPromoCode(sql, { ...TEN_RAND, usage_limit: 1 })
    await sql.as(await anAdmin(sql))
    const before = await enter(sql, { lines: [popper], total: 200, promo_code: 'TENNER' })
    const lines = JSON.stringify(await staffLines(sql, [popper]))
    const quote = `select public.quote_staff_order($1, 'TENNER', 'door-to-door', $2)`

    expect(await sql.value(quote, [lines, before.id])).toMatchObject({ discount: 10, total: 200 })
    expect(await sql.refusal(quote, [lines, null])).toMatchObject({ facts: { problem: 'used_up' } })
    expect(
      await enter(sql, { lines: [popper], total: 200, promo_code: 'TENNER', replaces: before.id }),
    ).toMatchObject({ promo_code: 'TENNER' })
  })

  test('refuses to replace a paid order with a manual order', async ({ sql }) => {
    await sql.as(await anAdmin(sql))
    const paid = await enter(sql, { lines: [popper], total: 210, paid_by: 'cash' })

    expect(await refused(sql, { lines: [popper], total: 210, replaces: paid.id })).toMatchObject({
      reason: 'lines_are_paid',
    })
  })
})
