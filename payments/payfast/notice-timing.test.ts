import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openPayingShop, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'
import { delivery } from '#test/shopping.ts'

let paying: PayingShop
beforeAll(async () => {
  paying = await openPayingShop()
})
beforeEach(async () => {
  paying.payfast.behaviour = 'valid'
  await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
})
afterAll(() => paying.close())

describe('money at an unusual moment', () => {
  it('retries a notice until its payment attempt is committed, and then records the payment', async () => {
    const { order } = await paying.aPayment()
    const writing = await paying.shop.database.owner.connect()
    await writing.query('begin')
    const { rows } = await writing.query<{ m_payment_id: string; amount: string }>(
      `select m_payment_id, amount from private.start_payment_attempt($1, '10000100')`,
      [order.id],
    )
    const { m_payment_id = '', amount = '' } = rows[0] ?? {}

    expect(await paying.notify(paying.bodyFor({ form: { m_payment_id, amount } }))).toBe(200)
    expect(await paying.stateOf(order)).toMatchObject({ status: 'pending_payment', outcomes: [] })
    await writing.query('commit')
    writing.release()
    await paying.laterJobs()

    expect(await paying.stateOf(order)).toEqual({ status: 'new', payments: 1, outcomes: ['paid'] })
    expect(await paying.issuesOf(order)).toEqual([])
  })

  it('reinstates an expired order and its promo code use when a late payment arrives', async () => {
    const payment = await aDiscountedPayment()
    await expire(payment)
    expect(await usesOf('TENNER')).toBe(0)

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['reinstated'] })
    expect(await usesOf('TENNER')).toBe(1)
    expect(await paying.mailsOf(payment.order, 'order-confirmation')).toBe(1)
    expect(await paying.issuesOf(payment.order)).toEqual([])
  })

  it('creates a payment issue when a late payment arrives and the lures are sold out', async () => {
    const payment = await paying.aPayment()
    await expire(payment)
    await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 0')

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'cancelled', outcomes: ['sold_out'] })
    expect(await paying.issuesOf(payment.order)).toEqual(['sold_out'])
    expect(await paying.mailsOf(payment.order, 'order-confirmation')).toBe(0)
  })

  it('reinstates an order when its payment arrives after the buyer cancelled', async () => {
    const payment = await paying.aPayment()
    await payment.buyer.client.from('orders').update({ status: 'cancelled' }).eq('id', payment.order.id)

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['reinstated'] })
  })

  it('resolves the issue of a missing notice when PayFast delivers the notice after all', async () => {
    const payment = await paying.aPayment()
    const { m_payment_id, amount: gross } = payment.form
    const pf_payment_id = '4999001'
    await paying.shop.database.owner.query(
      'select private.reconcile(current_date - 1, current_date + 1, $1)',
      [JSON.stringify([{ pf_payment_id, m_payment_id, gross }])],
    )
    expect(await paying.issuesOf(payment.order)).toEqual(['missed_notice'])

    await paying.notify(paying.bodyFor(payment, { pf_payment_id }))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    expect(await paying.issuesOf(payment.order)).toEqual([])
  })

  it('records a payment for a deleted order and creates a payment issue', async () => {
    const payment = await paying.aPayment()
    const admin = await paying.shop.admin()
    await admin.client.from('orders').delete().eq('id', payment.order.id)

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toEqual({
      status: null,
      payments: 1,
      outcomes: ['order_deleted'],
    })
    expect(await paying.issuesOf(payment.order)).toEqual(['order_deleted'])
  })

  it('reinstates a replaced order when its payment arrives, and keeps the new order', async () => {
    const payment = await paying.aPayment()
    await payment.buyer.client.from('cart_items').update({ quantity: 2 }).eq('user_id', payment.buyer.userId)
    const { data: next } = await payment.buyer.client
      .rpc('place_order', {
        idempotency_key: crypto.randomUUID(),
        delivery,
        expected_total: 1100,
      })
      .throwOnError()

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['reinstated'] })
    expect(await paying.stateOf(next)).toMatchObject({ status: 'pending_payment' })
  })

  it('records a payment after the order’s price changed, and creates a payment issue', async () => {
    const payment = await paying.aPayment()
    await paying.shop.database.owner.query(
      'update public.orders set subtotal_amount = subtotal_amount + 10, total_amount = total_amount + 10 where id = $1',
      [payment.order.id],
    )

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toEqual({
      status: 'pending_payment',
      payments: 1,
      outcomes: ['wrong_amount'],
    })
    expect(await paying.issuesOf(payment.order)).toEqual(['wrong_amount'])
  })

  it('lets the buyer pay again after a wrong amount was refunded in full', async () => {
    const payment = await paying.aPayment()
    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.99' }))
    await expect(paying.askForForm(payment)).rejects.toThrow()
    const requestRefund = await refundsOf(payment)

    await requestRefund(500)
    await expect(paying.askForForm(payment)).rejects.toThrow()
    await requestRefund(99.99)
    const form = await paying.askForForm(payment)
    await paying.notify(paying.bodyFor({ form }))

    expect(await paying.stateOf(payment.order)).toMatchObject({
      status: 'new',
      outcomes: ['paid', 'wrong_amount'],
    })
  })

  it('lets an order be paid whose wrong payment was refunded four days after it was placed', async () => {
    const payment = await paying.aPayment()
    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.99' }))
    await paying.shop.database.owner.query(
      `update public.orders set placed_at = placed_at - interval '4 days' where id = $1`,
      [payment.order.id],
    )

    const requestRefund = await refundsOf(payment)
    await requestRefund(599.99)
    const endsAt = await expiryOf(payment)
    const form = await paying.askForForm(payment)

    expect(endsAt).toBeInstanceOf(Date)
    expect(await expiryOf(payment)).toEqual(endsAt)
    await paying.notify(paying.bodyFor({ form }))
    expect(await paying.stateOf(payment.order)).toMatchObject({
      status: 'new',
      outcomes: ['paid', 'wrong_amount'],
    })
  })

  it('accepts the price at which the order was placed after the lures became more expensive', async () => {
    const payment = await paying.aPayment()
    await paying.shop.database.owner.query(
      'update public.products set price_with_hooks = price_with_hooks + 50',
    )

    await paying.notify(paying.bodyFor(payment))
    await paying.shop.database.owner.query(
      'update public.products set price_with_hooks = price_with_hooks - 50',
    )

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
  })
})

describe('duplicate money', () => {
  it('creates a payment issue for the second payment when a buyer pays in two tabs', async () => {
    const first = await paying.aPayment()
    const second = { ...first, form: await paying.askForForm(first) }

    await Promise.all([paying.notify(paying.bodyFor(first)), paying.notify(paying.bodyFor(second))])
    await paying.laterJobs()
    expect(await paying.stateOf(first.order)).toEqual({
      status: 'new',
      payments: 2,
      outcomes: ['paid', 'paid_twice'],
    })
    expect(await paying.issuesOf(first.order)).toEqual(['paid_twice'])

    const admin = await paying.shop.admin()
    const { data: issue } = await admin.client
      .from('open_payment_issues')
      .select('payment_id')
      .eq('order_id', first.order.id)
      .single()
    const refund = await admin.client.rpc('record_refund', {
      payment_id: issue?.payment_id ?? '',
      amount: 600,
      reason: 'Paid twice',
    })

    expect(refund.error).toBeNull()
    expect(await paying.issuesOf(first.order)).toEqual([])
    expect(await paying.stateOf(first.order)).toMatchObject({ status: 'new' })
  })

  it('records one payment when PayFast repeats a payment’s notice', async () => {
    const payment = await paying.aPayment()
    const body = paying.bodyFor(payment)

    const answers = await Promise.all(Array.from({ length: 10 }, () => paying.notify(body)))

    expect(new Set(answers)).toEqual(new Set([200]))
    expect(await paying.stateOf(payment.order)).toMatchObject({
      payments: 1,
      outcomes: ['paid', ...Array<string>(9).fill('repeated')],
    })
    expect(await paying.mailsOf(payment.order)).toBe(2)
  })
})

/** Places an order with a single-use promo code worth R10. */
async function aDiscountedPayment(): Promise<PaymentAttempt> {
  const { owner } = paying.shop.database
  await owner.query(
    `insert into public.promo_codes (code, discount_type, discount_value, usage_limit) values ('TENNER', 'fixed', 10, 1)`,
  )
  const { buyer } = await paying.aPayment()
  const { data, error } = await buyer.client.rpc('place_order', {
    idempotency_key: crypto.randomUUID(),
    delivery,
    expected_total: 590,
    promo_code: 'TENNER',
  })
  if (error) throw error
  return { buyer, order: data, url: '', form: await paying.askForForm({ buyer, order: data }) }
}

/** Returns a function with which an admin refunds the payment of an order. */
async function refundsOf({ order }: PaymentAttempt) {
  const { rows } = await paying.shop.database.owner.query<{ id: string }>(
    'select id from public.payments where order_id = $1',
    [order.id],
  )
  const admin = await paying.shop.admin()
  return (amount: number) =>
    admin.client.rpc('record_refund', { payment_id: rows[0]?.id ?? '', amount, reason: 'A cent short' })
}

async function expiryOf({ order }: PaymentAttempt): Promise<Date | null | undefined> {
  const { rows } = await paying.shop.database.owner.query<{ expires_at: Date | null }>(
    'select expires_at from public.orders where id = $1',
    [order.id],
  )
  return rows[0]?.expires_at
}

async function expire({ order }: PaymentAttempt): Promise<void> {
  const { owner } = paying.shop.database
  await owner.query('update public.orders set expires_at = now() where id = $1', [order.id])
  await owner.query('select private.expire_orders()')
  expect(await paying.stateOf(order)).toMatchObject({ status: 'cancelled' })
}

async function usesOf(code: string): Promise<number | undefined> {
  const { rows } = await paying.shop.database.owner.query<{ times_used: number }>(
    'select times_used from public.promo_codes where code = $1',
    [code],
  )
  return rows[0]?.times_used
}
