import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { STAFF_RESERVATION_DAYS } from '#domain/staff-reservation.ts'
import { delivery } from '#test/shopping.ts'
import {
  aCustomer,
  anAdmin,
  aPacker,
  aPromoCode,
  aVerifiedCustomer,
  orderOf,
  popper,
  setStock,
  stockCounts,
  usesOf,
  type OrderRecord,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const RECORD = `select public.record_payment($1, 'eft', 'FNB 4711', $2)`
const WITHDRAW = 'select public.withdraw_payment($1, $2)'
const SET_STATUS = 'update public.orders set status = $2 where id = $1'
const REASON = 'Recorded on the wrong order'

interface Paid {
  order: OrderRecord
  customer: UserClaims
  admin: UserClaims
  payment: string
}

/** Two poppers for R320.00, paid by EFT; the session is an admin's. */
async function aPaidOrder(sql: TestTransaction): Promise<Paid> {
  const customer = await aCustomer(sql)
  const order = await orderOf(sql, customer, { lines: [{ ...popper, quantity: 2 }], total: 320 })
  const admin = await anAdmin(sql)
  await sql.as(admin)
  await sql.rows(RECORD, [order.id, 320])
  return { order, customer, admin, payment: await newestPaymentOf(sql, order) }
}

const newestPaymentOf = (sql: TestTransaction, order: { id: string }) =>
  sql.value<string>('select id from public.payments where order_id = $1 order by created_at desc limit 1', [
    order.id,
  ])

const stateOf = (sql: TestTransaction, { order }: Paid) =>
  sql.row(
    'select status, paid_at is not null as is_paid, cancellation_reason from public.orders where id = $1',
    [order.id],
  )

const AWAITING = { status: 'pending_payment', is_paid: false, cancellation_reason: null }
const PAID = { status: 'new', is_paid: true, cancellation_reason: null }

/** Confirms a PayFast payment of the order. The session becomes the admin's. */
async function confirmPayfast(sql: TestTransaction, { order, admin }: Paid, amount: number): Promise<string> {
  await sql.asShop()
  const attempt = randomUUID()
  await sql.rows(
    `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
     values ($1, $2, $3, '10000100', 320)`,
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
  await sql.as(admin)
  return newestPaymentOf(sql, order)
}

/** Fires the deferred triggers that queue mails. The session stays the admin's. */
async function mailsOf(sql: TestTransaction, { order, admin }: Paid) {
  await sql.rows('set constraints all immediate')
  await sql.rows('set constraints all deferred')
  await sql.asShop()
  const mails = await sql.rows<{ template: string; props: Record<string, unknown> }>(
    `select template, props from public.mails
     where props ->> 'orderId' = $1 and template in ('order-confirmation', 'order-status-update', 'payment-correction')
     order by template`,
    [order.id],
  )
  await sql.as(admin)
  return mails
}

async function expectSoundBooks(sql: TestTransaction): Promise<void> {
  await sql.asShop()
  expect(await sql.rows('select * from private.broken_sums()')).toEqual([])
}

describe('payment withdrawal', () => {
  test('lets an order await payment again and reserves its lures when its payment is withdrawn', async ({
    sql,
  }) => {
    await setStock(sql, popper, 5)
    const paid = await aPaidOrder(sql)

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('pending_payment')

    expect(await stateOf(sql, paid)).toEqual(AWAITING)
    expect(
      await sql.value('select expires_at > now() from public.orders where id = $1', [paid.order.id]),
    ).toBe(true)
    await sql.rows('set constraints all immediate')
    expect(await sql.value('select public.total_revenue()')).toMatchObject({ revenue: 0, awaiting: 320 })
    expect(
      await sql.rows('select from public.payment_balances where order_id = $1', [paid.order.id]),
    ).toEqual([])
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toMatchObject({ stock: 5, available: 3 })
    await expectSoundBooks(sql)
  })

  test('pays the order with the right payment after the wrong one was withdrawn, and confirms it once more', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await mailsOf(sql, paid)
    await sql.rows(WITHDRAW, [paid.payment, REASON])

    await sql.rows(RECORD, [paid.order.id, 320])

    expect(await stateOf(sql, paid)).toEqual(PAID)
    expect((await mailsOf(sql, paid)).map(({ template }) => template)).toEqual([
      'order-confirmation',
      'order-confirmation',
      'payment-correction',
    ])
    await expectSoundBooks(sql)
  })

  test('pays the order with the customer’s own payment when that was recorded as the second one', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await confirmPayfast(sql, paid, 320)
    await sql.rows(SET_STATUS, [paid.order.id, 'processing'])

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('processing')

    expect(
      await sql.rows('select way, pays_order from public.payment_balances where order_id = $1', [
        paid.order.id,
      ]),
    ).toEqual([{ way: 'payfast', pays_order: true }])
    expect(await sql.rows('select from public.open_payment_issues')).toEqual([])
    expect((await mailsOf(sql, paid)).map(({ template }) => template)).not.toContain('payment-correction')
    await expectSoundBooks(sql)
  })

  test('lets the customer’s own payment pay a shipped order whose money was recorded twice', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await confirmPayfast(sql, paid, 320)
    await sql.rows(SET_STATUS, [paid.order.id, 'shipped'])

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('shipped')

    expect(
      await sql.rows('select way, pays_order from public.payment_balances where order_id = $1', [
        paid.order.id,
      ]),
    ).toEqual([{ way: 'payfast', pays_order: true }])
    await expectSoundBooks(sql)
  })

  test('sends no confirmation of a payment that was withdrawn before the mail server was back', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    const reasons = async () => {
      await sql.rows('set constraints all immediate')
      await sql.asShop()
      const found = await sql.rows<{ reason: string | null }>(
        `select private.reason_not_to_send(m) as reason from public.mails m
         where m.props ->> 'orderId' = $1 and m.template in ('order-confirmation', 'order-notification')`,
        [paid.order.id],
      )
      await sql.as(paid.admin)
      return found.map(({ reason }) => reason)
    }
    expect(await reasons()).toEqual([null, null])

    await sql.rows(WITHDRAW, [paid.payment, REASON])

    expect(await reasons()).toEqual(Array(2).fill('The payment of the order was withdrawn.'))
  })

  test('reminds no customer of an order whose payment was withdrawn: the correction has told them', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(WITHDRAW, [paid.payment, REASON])
    await sql.asShop()
    await sql.rows(`update public.orders set reserved_until = now() - interval '2 hours' where id = $1`, [
      paid.order.id,
    ])

    expect(await sql.value('select private.remind_unpaid_orders()')).toBe(0)
  })

  test('waives nothing of an order once the short payment that was accepted is withdrawn', async ({
    sql,
  }) => {
    const customer = await aCustomer(sql)
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])
    const payment = await newestPaymentOf(sql, order)
    await sql.rows('select public.accept_short_payment($1)', [payment])

    await sql.rows(WITHDRAW, [payment, REASON])

    await sql.as(customer)
    expect(await sql.value('select public.get_order($1)', [order.id])).toMatchObject({ waived_amount: 0 })
  })

  test('cancels an order again that the withdrawn payment had reinstated', async ({ sql }) => {
    const customer = await aCustomer(sql)
    const order = await orderOf(sql, customer, { lines: [popper], total: 210 })
    await sql.rows(`update public.orders set expires_at = now() - interval '1 minute' where id = $1`, [
      order.id,
    ])
    await sql.rows('select private.expire_orders()')
    const before = await stockCounts(sql, popper)
    const admin = await anAdmin(sql)
    await sql.as(admin)
    await sql.rows(RECORD, [order.id, 210])
    const paid = { order, customer, admin, payment: await newestPaymentOf(sql, order) }

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('cancelled')

    expect(await stateOf(sql, paid)).toEqual({
      status: 'cancelled',
      is_paid: false,
      cancellation_reason: 'expired',
    })
    await sql.asShop()
    expect(await stockCounts(sql, popper)).toEqual(before)
    await expectSoundBooks(sql)
  })

  test('makes nothing due of a cancelled order whose payment is withdrawn, and lets the right payment reinstate it', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('cancelled')

    expect(await stateOf(sql, paid)).toMatchObject({ status: 'cancelled', is_paid: false })
    expect(await sql.rows('select from public.refund_tasks where is_open')).toEqual([])
    await sql.rows(RECORD, [paid.order.id, 320])
    expect(await stateOf(sql, paid)).toEqual(PAID)
    await expectSoundBooks(sql)
  })

  test('keeps due what a cancelled order still holds besides the withdrawn payment', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(RECORD, [paid.order.id, 50])
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    await sql.rows(WITHDRAW, [paid.payment, REASON])

    expect(await sql.value('select outstanding from public.refund_tasks where is_open')).toBe('50.00')
    await expectSoundBooks(sql)
  })

  test('does not let a refunded order be reinstated because a surplus beside the refund was withdrawn', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(RECORD, [paid.order.id, 50])
    const surplus = await newestPaymentOf(sql, paid.order)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    await sql.rows(`select public.record_refund($1, 100, 'Chipped')`, [paid.payment])

    await sql.rows(WITHDRAW, [surplus, REASON])

    expect(await sql.refusal(SET_STATUS, [paid.order.id, 'new'])).toMatchObject({ reason: 'order_refunded' })
    await expectSoundBooks(sql)
  })

  test('mails the customer one correction without the reason, which may name another customer', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await mailsOf(sql, paid)

    await sql.rows(WITHDRAW, [paid.payment, 'It was for Johan Smit, order 01043'])

    const [, ...sent] = await mailsOf(sql, paid)
    expect(sent).toMatchObject([
      {
        template: 'payment-correction',
        props: { paymentAmount: 320, status: 'pending_payment', money: { received: 0 } },
      },
    ])
    expect(JSON.stringify(sent)).not.toContain('Johan')
  })

  test('mails nothing else about a cancelled order than the correction', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    const before = await mailsOf(sql, paid)

    await sql.rows(WITHDRAW, [paid.payment, REASON])

    expect((await mailsOf(sql, paid)).slice(before.length)).toMatchObject([
      { template: 'payment-correction', props: { status: 'cancelled' } },
    ])
  })

  test('closes the issue of a short payment that is withdrawn, and lets its order expire again', async ({
    sql,
  }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 100])

    await sql.rows(WITHDRAW, [await newestPaymentOf(sql, order), REASON])

    expect(await sql.rows('select from public.open_payment_issues')).toEqual([])
    expect(await sql.value('select expires_at from public.orders where id = $1', [order.id])).not.toBeNull()
    await sql.rows(RECORD, [order.id, 210])
    expect(await sql.value('select status from public.orders where id = $1', [order.id])).toBe('new')
    await expectSoundBooks(sql)
  })

  test('withdraws a second payment that was recorded on a shipped order, which needs no refund', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(RECORD, [paid.order.id, 320])
    await sql.rows(SET_STATUS, [paid.order.id, 'shipped'])

    expect(await sql.value(WITHDRAW, [await newestPaymentOf(sql, paid.order), REASON])).toBe('shipped')

    expect(await sql.rows('select from public.open_payment_issues')).toEqual([])
    await expectSoundBooks(sql)
  })

  test('counts a refund in full once the surplus beside it is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(RECORD, [paid.order.id, 320])
    const surplus = await newestPaymentOf(sql, paid.order)
    await sql.rows(`select public.record_refund($1, 100, 'Chipped')`, [paid.payment])

    await sql.rows(WITHDRAW, [surplus, REASON])

    await sql.rows('set constraints all immediate')
    expect(await sql.value('select public.total_revenue()')).toMatchObject({ refunds: 100, revenue: 220 })
  })

  test('keeps the use of the promo code while the order awaits payment again', async ({ sql }) => {
    await aPromoCode(sql, { code: 'TENNER', discount_type: 'fixed', discount_value: 10 })
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 200, promo: 'TENNER' })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])

    await sql.rows(WITHDRAW, [await newestPaymentOf(sql, order), REASON])

    await sql.asShop()
    expect(await usesOf(sql, 'TENNER')).toBe(1)
    await expectSoundBooks(sql)
  })
})

describe('the reservation after a withdrawn payment', () => {
  test('is one of days for a manual order, which does not expire although the payment gave it an account', async ({
    sql,
  }) => {
    const customer = await aVerifiedCustomer(sql, 'thandi@example.com')
    const admin = await anAdmin(sql)
    await sql.as(admin)
    const variant = await sql.value<string>(
      'select v.id from public.product_variants v join public.products p on p.id = v.product_id where p.name = $1 and v.name = $2',
      [popper.product_name, popper.product_variant],
    )
    const lines = [{ variant_id: variant, with_hooks: false, quantity: 1 }]
    const wanted = { delivery, lines, expected_total: 210, paid_by: 'eft' }
    const order = await sql.row<OrderRecord>('select * from public.place_staff_order($1, $2)', [
      randomUUID(),
      JSON.stringify(wanted),
    ])
    expect(order.customer_id).toBe(customer.sub)

    await sql.rows(WITHDRAW, [await newestPaymentOf(sql, order), REASON])

    expect(
      await sql.row(
        `select o.expires_at, o.reserved_until - now() = make_interval(days => $2) as of_order, h.expires_at = o.reserved_until as of_lures
         from public.orders o join public.stock_reservations h on h.order_id = o.id where o.id = $1`,
        [order.id, STAFF_RESERVATION_DAYS],
      ),
    ).toEqual({ expires_at: null, of_order: true, of_lures: true })
    const accountOf = () => sql.value('select customer_id from public.orders where id = $1', [order.id])
    expect(await accountOf(), 'its checkout would replace the order').toBeNull()
    await sql.rows(RECORD, [order.id, 210])
    expect(await accountOf()).toBe(customer.sub)
  })

  test('is none when the lures have left the stock in the meantime', async ({ sql }) => {
    await setStock(sql, popper, 2)
    const paid = await aPaidOrder(sql)
    // Promised to another order, and then lost.
    await sql.asShop()
    await setStock(sql, popper, 2)
    await orderOf(sql, await aCustomer(sql), { lines: [{ ...popper, quantity: 2 }], total: 320 })
    await setStock(sql, popper, 0)
    await sql.as(paid.admin)

    expect(await sql.value(WITHDRAW, [paid.payment, REASON])).toBe('pending_payment')

    expect(
      await sql.rows('select from public.stock_reservations where order_id = $1', [paid.order.id]),
    ).toEqual([])
    await expectSoundBooks(sql)
  })

  test('leaves out lures that had to be made', async ({ sql }) => {
    await sql.rows('update public.products set made_to_order = true where name = $1', [popper.product_name])
    await setStock(sql, popper, 1)
    const paid = await aPaidOrder(sql)

    await sql.rows(WITHDRAW, [paid.payment, REASON])

    expect(
      await sql.rows('select quantity from public.stock_reservations where order_id = $1', [paid.order.id]),
    ).toEqual([{ quantity: 1 }])
    await sql.rows(RECORD, [paid.order.id, 320])
    await expectSoundBooks(sql)
  })
})

describe('a payment that cannot be withdrawn', () => {
  test.for(['shipped', 'delivered'])('is that of an order that is %s', async (status, { sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, status])

    expect(await sql.refusal(WITHDRAW, [paid.payment, REASON])).toMatchObject({
      code: 'PT409',
      reason: 'order_has_left',
    })
  })

  test('is that of an order that was shipped before it was cancelled', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'shipped'])
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    expect(await sql.refusal(WITHDRAW, [paid.payment, REASON])).toMatchObject({ reason: 'order_has_left' })
  })

  test('is one that was refunded in part', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(`select public.record_refund($1, 10, 'Chipped')`, [paid.payment])

    expect(await sql.refusal(WITHDRAW, [paid.payment, REASON])).toMatchObject({ reason: 'payment_refunded' })
  })

  test('is one through PayFast, which has moved money', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const second = await confirmPayfast(sql, paid, 320)

    expect(await sql.refusal(WITHDRAW, [second, REASON])).toMatchObject({ reason: 'payment_not_by_hand' })
  })

  test('is one of two that paid an order together', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(await anAdmin(sql))
    await sql.rows(RECORD, [order.id, 200])
    await sql.rows(RECORD, [order.id, 10])

    expect(await sql.refusal(WITHDRAW, [await newestPaymentOf(sql, order), REASON])).toMatchObject({
      reason: 'paid_by_several',
    })
  })

  test('is one that was withdrawn already, which cannot be refunded or accepted either', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(WITHDRAW, [paid.payment, REASON])

    for (const statement of [
      `select public.withdraw_payment($1, 'Once more')`,
      `select public.record_refund($1, 10, 'Chipped')`,
      'select public.accept_short_payment($1)',
      'select public.request_top_up($1)',
    ]) {
      expect(await sql.refusal(statement, [paid.payment])).toMatchObject({ reason: 'payment_withdrawn' })
    }
  })

  test.for(['', '  ', 'ab', 'two\nlines'])('is one withdrawn with the reason %j', async (reason, { sql }) => {
    const { payment } = await aPaidOrder(sql)

    expect(await sql.refusal(WITHDRAW, [payment, reason])).toMatchObject({
      code: 'PT422',
      reason: 'invalid_reason',
    })
  })

  test('is any for customers and packers', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.asShop()
    const packer = await aPacker(sql)

    for (const person of [paid.customer, packer]) {
      await sql.asShop()
      await sql.as(person)
      expect(await sql.refusal(WITHDRAW, [paid.payment, REASON])).toMatchObject({ code: '42501' })
    }
  })
})

test('does not let an admin set a paid order back to awaiting payment without withdrawing its payment', async ({
  sql,
}) => {
  const paid = await aPaidOrder(sql)

  expect(await sql.refusal(SET_STATUS, [paid.order.id, 'pending_payment'])).toMatchObject({
    reason: 'not_a_step',
  })
})

test('records a payment withdrawal and its reason on the timeline for admins only', async ({ sql }) => {
  const paid = await aPaidOrder(sql)
  await sql.rows(WITHDRAW, [paid.payment, REASON])
  const timeline = () =>
    sql.rows(`select detail ->> 'reason' as reason from public.order_events where kind = 'payment_withdrawn'`)

  expect(await timeline()).toEqual([{ reason: REASON }])
  await sql.asShop()
  await sql.as(await aPacker(sql))
  expect(await timeline()).toEqual([])
})
