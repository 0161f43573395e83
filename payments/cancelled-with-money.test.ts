import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { openPayingShop, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'
import type { Person } from '#test/shop.ts'
import { placed } from '#test/shopping.ts'

let paying: PayingShop
let admin: Person
beforeAll(async () => {
  paying = await openPayingShop()
  admin = await paying.shop.admin()
})
beforeEach(async () => {
  paying.payfast.behaviour = 'valid'
  await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
})
afterAll(() => paying.close())

type Way = (payment: PaymentAttempt) => PromiseLike<unknown>

const WAYS: [string, Way][] = [
  [
    'an admin cancels the order',
    ({ order }) => admin.client.from('orders').update({ status: 'cancelled' }).eq('id', order.id),
  ],
  [
    'a bulk change cancels the order',
    ({ order }) => admin.client.rpc('set_order_statuses', { order_ids: [order.id], status: 'cancelled' }),
  ],
  [
    'the customer cancels the order',
    ({ order, buyer }) => buyer.client.rpc('cancel_own_order', { order_id: order.id }),
  ],
  ['the order expires', expire],
  ['the customer closes the account', ({ buyer }) => close(buyer)],
]

describe('an unpaid order with a short payment', () => {
  it.for(WAYS)(
    'requires a refund of the short payment when %s, and e-mails the amount',
    async ([, cancel]) => {
      const payment = await aShortPayment()

      await cancel(payment)

      expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'cancelled' })
      expect(await tasksOf(payment)).toEqual([{ amount: 599, outstanding: 599, is_open: true }])
      expect(await cancellationMails(payment)).toEqual([599])
    },
  )

  it('keeps a partly paid order when the buyer opens the payment page’s cancel link', async () => {
    const payment = await aShortPayment()

    await abandon(payment)

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment' })
  })

  it('includes partly paid orders in the refund total before staff confirm a cancellation', async () => {
    const { order } = await aShortPayment()

    const { data } = await admin.client.rpc('preview_cancellation', { order_ids: [order.id] })

    expect(data).toMatchObject({ orders: 1, mails: 1, to_refund: 599 })
  })

  it('closes the refund task after the short payment was refunded', async () => {
    const payment = await aShortPayment()
    await cancelByAdmin(payment)

    await refund(payment, 599)

    expect(await tasksOf(payment)).toEqual([{ amount: 599, outstanding: 0, is_open: false }])
    expect(await paying.issuesOf(payment.order)).toEqual([])
  })

  it('closes the refund task when an admin accepts the short payment after the cancellation', async () => {
    const payment = await aShortPayment()
    await cancelByAdmin(payment)

    await admin.client.rpc('accept_short_payment', { payment_id: await paymentOf(payment) })

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
    expect(await tasksOf(payment)).toMatchObject([{ is_open: false }])
  })
})

describe('an order whose payment PayFast has not confirmed yet', () => {
  const CANCELLATIONS: [string, Way][] = [
    ['opens the payment page’s cancel link', abandon],
    [
      'cancels it from an outdated order page',
      ({ order, buyer }) => buyer.client.rpc('cancel_own_order', { order_id: order.id }),
    ],
  ]

  it.for(CANCELLATIONS)(
    'keeps its lures and takes no second payment when the buyer %s',
    async ([, cancel]) => {
      const payment = await paying.aPayment()
      paying.payfast.behaviour = 'outage'
      await paying.notify(paying.bodyFor(payment))

      await cancel(payment)

      const { order, buyer } = payment
      expect(await paying.stateOf(order)).toMatchObject({ status: 'pending_payment' })
      expect(await placed(buyer.client, 600), 'the same cart is the same order').toMatchObject({
        id: order.id,
      })
      await expect(paying.askForForm(payment)).rejects.toThrow()

      paying.payfast.behaviour = 'valid'
      await paying.laterJobs()
      expect(await paying.stateOf(order)).toMatchObject({ status: 'new', outcomes: ['paid'] })
    },
  )
})

describe('money after a cancellation', () => {
  it('requires a full refund of a short payment for a cancelled order', async () => {
    const payment = await paying.aPayment()
    await abandon(payment)
    expect(await tasksOf(payment)).toEqual([])

    await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00' }))

    expect(await tasksOf(payment)).toEqual([{ amount: 599, outstanding: 599, is_open: true }])
    expect(await cancellationMails(payment)).toEqual([599])
  })

  it('requires a refund of a late payment for sold-out lures until the order is reinstated', async () => {
    const payment = await paying.aPayment()
    await abandon(payment)
    await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 0')
    await paying.notify(paying.bodyFor(payment))
    expect(await tasksOf(payment)).toEqual([{ amount: 600, outstanding: 600, is_open: true }])

    await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
    await admin.client.rpc('accept_late_payment', { payment_id: await paymentOf(payment) })

    expect(await tasksOf(payment)).toEqual([{ amount: 600, outstanding: 600, is_open: false }])
  })

  it('creates no refund task when a late payment reinstates the order', async () => {
    const payment = await paying.aPayment()
    await abandon(payment)

    await paying.notify(paying.bodyFor(payment))

    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
    expect(await tasksOf(payment)).toEqual([])
    expect(await cancellationMails(payment)).toEqual([])
  })

  it('adds a late payment to the refund task and e-mails the customer the new sum', async () => {
    const payment = await paying.aPayment()
    const again = { form: await paying.askForForm(payment) }
    await paying.notify(paying.bodyFor(payment))
    await cancelByAdmin(payment)

    await paying.notify(paying.bodyFor(again))

    expect(await tasksOf(payment)).toEqual([{ amount: 1200, outstanding: 1200, is_open: true }])
    expect(await cancellationMails(payment)).toEqual([600, 1200])
  })

  it('counts a late payment once when PayFast repeats the notice', async () => {
    const payment = await aShortPayment()
    await cancelByAdmin(payment)
    const late = paying.bodyFor({ form: payment.form }, { amount_gross: '1.00' })

    for (const body of [late, late]) await paying.notify(body)

    expect(await tasksOf(payment)).toEqual([{ amount: 600, outstanding: 600, is_open: true }])
  })

  it('creates a new refund task when money arrives after an admin dismissed the first task', async () => {
    const payment = await aShortPayment()
    await cancelByAdmin(payment)
    const { data } = await admin.client.from('refund_tasks').select('id').eq('order_id', payment.order.id)
    await admin.client.rpc('dismiss_refund_task', { task_id: data?.[0]?.id ?? '', reason: 'A deposit' })

    await paying.notify(paying.bodyFor(payment, { amount_gross: '1.00' }))

    expect(await tasksOf(payment)).toEqual([
      { amount: 599, outstanding: 599, is_open: false },
      { amount: 600, outstanding: 600, is_open: true },
    ])
  })
})

it('lets an admin reinstate a cancelled order after the second payment was refunded', async () => {
  const payment = await paying.aPayment()
  const again = { form: await paying.askForForm(payment) }
  await paying.notify(paying.bodyFor(payment))
  await paying.notify(paying.bodyFor(again))
  await cancelByAdmin(payment)
  expect(await tasksOf(payment)).toEqual([{ amount: 1200, outstanding: 1200, is_open: true }])

  const { data } = await admin.client
    .from('open_payment_issues')
    .select('payment_id')
    .eq('order_id', payment.order.id)
  await refund(payment, 600, data?.[0]?.payment_id ?? undefined)
  await admin.client.from('orders').update({ status: 'new' }).eq('id', payment.order.id)

  expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new' })
})

it('leaves the cart of the customer alone when an admin reinstates an order', async () => {
  const payment = await paying.aPayment()
  const { order, buyer } = payment
  const cart = buyer.client.from('cart_items')
  await cart.update({ quantity: 3 }).eq('user_id', buyer.userId).throwOnError()
  await paying.notify(paying.bodyFor(payment))
  await cancelByAdmin(payment)

  await admin.client.from('orders').update({ status: 'new' }).eq('id', order.id).throwOnError()

  const { data } = await cart.select('quantity').throwOnError()
  expect(data, 'one of three was bought').toEqual([{ quantity: 2 }])
})

it('creates a refund task when a refund fails after the order’s cancellation', async () => {
  const payment = await paying.aPayment()
  await paying.notify(paying.bodyFor(payment))
  const { owner } = paying.shop.database
  const refundId = '00000000-0000-4000-8000-000000000001'
  const step = (state: string) =>
    owner.query('insert into public.payment_refund_events (refund_id, state) values ($1, $2)', [
      refundId,
      state,
    ])
  await owner.query(
    `insert into public.payment_refunds (id, payment_id, order_id, amount, reason, restocked, way, recorded_by)
     select $1, p.id, p.order_id, 600, 'Asked for', false, 'payfast', $3 from public.payments p where p.order_id = $2`,
    [refundId, payment.order.id, admin.userId],
  )
  await step('requested')
  await cancelByAdmin(payment)
  expect(await tasksOf(payment)).toEqual([])

  await step('failed')

  expect(await tasksOf(payment)).toEqual([{ amount: 600, outstanding: 600, is_open: true }])
})

async function aShortPayment(): Promise<PaymentAttempt> {
  const payment = await paying.aPayment()
  await paying.notify(paying.bodyFor(payment, { amount_gross: '599.00' }))
  return payment
}

/** Cancels the order like the page /payment-cancelled. */
async function abandon({ buyer, order }: PaymentAttempt): Promise<void> {
  await buyer.client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('id', order.id)
    .eq('status', 'pending_payment')
}

async function cancelByAdmin({ order }: PaymentAttempt): Promise<void> {
  const { error } = await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', order.id)
  if (error) throw error
}

async function expire({ order }: PaymentAttempt): Promise<void> {
  const { owner } = paying.shop.database
  await owner.query(`update public.orders set expires_at = now() - interval '1 minute' where id = $1`, [
    order.id,
  ])
  await owner.query('select private.expire_orders()')
}

async function close({ client }: Person): Promise<void> {
  const { error } = await client.rpc('close_account')
  if (error) throw error
}

async function refund(payment: PaymentAttempt, amount: number, paymentId?: string): Promise<void> {
  const { error } = await admin.client.rpc('record_refund', {
    payment_id: paymentId ?? (await paymentOf(payment)),
    amount,
    reason: 'It was cancelled',
  })
  if (error) throw error
}

async function paymentOf({ order }: PaymentAttempt): Promise<string> {
  const { data } = await admin.client.from('payment_balances').select('payment_id').eq('order_id', order.id)
  return data?.[0]?.payment_id ?? ''
}

async function tasksOf({ order }: PaymentAttempt) {
  const { data, error } = await admin.client
    .from('refund_tasks')
    .select('amount, outstanding, is_open')
    .eq('order_id', order.id)
    .order('opened_at')
  if (error) throw error
  return data
}

/** Returns the received amounts in rand of all cancellation mails. */
async function cancellationMails({ order }: PaymentAttempt): Promise<number[]> {
  const { rows } = await paying.shop.database.owner.query<{ received: number }>(
    `select (props -> 'money' ->> 'received')::float as received from public.mails
     where template = 'order-status-update' and props ->> 'orderId' = $1 and props ->> 'status' = 'cancelled'
     order by created_at`,
    [order.id],
  )
  return rows.map(({ received }) => received)
}
