import type { SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { inTransaction } from '@saltfreak/backend'
import { openPayingShop, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'
import type { Person } from '#test/shop.ts'

let paying: PayingShop
let admin: Person
beforeAll(async () => {
  paying = await openPayingShop()
  admin = await paying.shop.admin()
})
beforeEach(async () => {
  await paying.shop.database.owner.query('update public.product_variants set stock_quantity = 500')
})
afterAll(() => paying.close())

interface ShortPayment extends PaymentAttempt {
  /** The genuine notice of R599.00 for an order of R600.00. */
  notice: string
  pfPaymentId: string
  paymentId: string
}

describe('a repeated genuine notice of a short payment', () => {
  const LATER: [string, (payment: ShortPayment) => Promise<unknown>][] = [
    ['while its order awaits the difference', async () => {}],
    ['after the payment was refunded', (payment) => refund(payment, 599)],
    ['after the order was cancelled', cancel],
    [
      'after the payment was accepted',
      ({ paymentId }) => call('accept_short_payment', { payment_id: paymentId }),
    ],
    [
      'after the difference was requested',
      ({ paymentId }) => call('request_top_up', { payment_id: paymentId }),
    ],
    [
      'after the difference was paid',
      async (payment) => paying.notify(paying.bodyFor(await aTopUp(payment))),
    ],
  ]

  it.for(LATER)('ignores a repeated short-payment notice %s', async ([, happens]) => {
    const payment = await aShortPayment()
    await happens(payment)
    const before = await moneyOf(payment)

    for (const copy of [payment.notice, payment.notice, payment.notice]) await paying.notify(copy)

    expect(await moneyOf(payment)).toEqual(before)
  })

  it.for([
    ['the missing rand', { amount_gross: '600.00' }],
    ['a higher amount', { amount_gross: '6000.00' }],
    ['another status', { payment_status: 'CANCELLED' }],
    ['a blank status', { payment_status: '' }],
  ] as const)('ignores a repeated notice that names %s, even with a valid signature', async ([, changes]) => {
    const payment = await aShortPayment()
    const before = await moneyOf(payment)

    await paying.notify(paying.bodyFor(payment, { pf_payment_id: payment.pfPaymentId, ...changes }))

    expect(await moneyOf(payment)).toEqual(before)
  })

  it('does not pay for another order with a repeated notice, even with a valid signature', async () => {
    const { pfPaymentId } = await aShortPayment()
    const other = await paying.aPayment()

    await paying.notify(paying.bodyFor(other, { pf_payment_id: pfPaymentId }))

    expect(await paying.stateOf(other.order)).toMatchObject({ status: 'pending_payment', payments: 0 })
  })

  it('marks only one order as paid when two concurrent notices name the same payment', async () => {
    const orders = [await paying.aPayment(), await paying.aPayment()]
    const { owner } = paying.shop.database
    const [one, other] = await Promise.all(orders.map(anUnappliedNotice))
    if (!one || !other) throw new Error('no notices')

    const waiting = await inTransaction(owner, async (client) => {
      await client.query(one)
      const applied = owner.query(other)
      await expect.poll(transactionsThatWait).toBe(1)
      return { applied }
    })
    await waiting.applied

    const states = await Promise.all(orders.map(({ order }) => paying.stateOf(order)))
    expect(states).toMatchObject([
      { status: 'new', payments: 1 },
      { status: 'pending_payment', payments: 0 },
    ])
  })
})

it('marks an order as paid once a pending payment is complete', async () => {
  const payment = await paying.aPayment()
  const pf_payment_id = 'pending-first'

  await paying.notify(paying.bodyFor(payment, { pf_payment_id, payment_status: 'PENDING' }))
  expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment', payments: 0 })
  await paying.notify(paying.bodyFor(payment, { pf_payment_id }))

  expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', payments: 1 })
})

describe('a top-up link', () => {
  it('opens the payment form of a top-up link only for the order’s signed-in customer', async () => {
    const payment = await aTopUp(await aShortPayment())
    const stranger = await paying.shop.signUp()

    await expect(askFor(stranger, payment, 1)).rejects.toMatchObject({ context: { status: 404 } })
  })

  it.for([0.01, 0.99, 1.01, 600, -1, 0])(
    'offers a top-up of the missing R1.00 and rejects a top-up of R%s',
    async (amount) => {
      const payment = await aTopUp(await aShortPayment())

      await expect(askFor(payment.buyer, payment, amount)).rejects.toMatchObject({ context: { status: 409 } })
    },
  )

  it('requests no top-up after an order is paid', async () => {
    const payment = await aTopUp(await aShortPayment())
    await paying.notify(paying.bodyFor(payment))

    await expect(askFor(payment.buyer, payment, 1)).rejects.toMatchObject({ context: { status: 409 } })
  })

  it('requests no top-up after an order is cancelled', async () => {
    const payment = await aTopUp(await aShortPayment())
    await cancel(payment)

    await expect(askFor(payment.buyer, payment, 1)).rejects.toMatchObject({ context: { status: 409 } })
  })

  it('requests the whole total, not the difference, after a short payment is refunded', async () => {
    const payment = await aTopUp(await aShortPayment())
    await refund(payment, 599)

    await expect(askFor(payment.buyer, payment, 1)).rejects.toMatchObject({ context: { status: 409 } })
    expect(await askFor(payment.buyer, payment, 600)).toMatchObject({ amount: '600.00' })
  })

  it('requests no top-up for a deleted order, and opens a payment issue for a late payment', async () => {
    const payment = await aTopUp(await aShortPayment())
    await cancel(payment)
    await refund(payment, 599)
    await admin.client.from('order_items').delete().eq('order_id', payment.order.id)
    await admin.client.from('orders').delete().eq('id', payment.order.id)

    await expect(askFor(payment.buyer, payment, 1)).rejects.toMatchObject({ context: { status: 404 } })
    await paying.notify(paying.bodyFor(payment))
    expect(await paying.issuesOf(payment.order)).toEqual(['order_deleted'])
  })

  it('mails a top-up link once when two admins request the difference concurrently', async () => {
    const payment = await aShortPayment()

    const answers = await Promise.all(
      [1, 2].map(() => admin.client.rpc('request_top_up', { payment_id: payment.paymentId })),
    )

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
    expect(await paying.mailsOf(payment.order, 'payment-top-up')).toBe(1)
  })

  it('marks an order as paid once when two tabs pay the top-up, and opens an issue', async () => {
    const first = await aTopUp(await aShortPayment())
    const second = { form: await askFor(first.buyer, first, 1) }

    await Promise.all([paying.notify(paying.bodyFor(first)), paying.notify(paying.bodyFor(second))])

    expect(await moneyOf(first)).toMatchObject({ status: 'new', paid: 600, received: 601 })
    expect(await paying.issuesOf(first.order)).toEqual(['paid_twice'])
  })

  it('opens an issue for a short payment when the customer pays the whole total afterwards', async () => {
    const payment = await aShortPayment()
    await aTopUp(payment)

    await paying.notify(paying.bodyFor(payment))

    expect(await moneyOf(payment)).toMatchObject({ status: 'new', paid: 600, received: 1199 })
    expect(await paying.issuesOf(payment.order)).toEqual(['wrong_amount'])
  })
})

describe('accepting a short payment', () => {
  it.for(['packer', 'customer'] as const)('does not let a %s accept a short payment', async (role) => {
    const payment = await aShortPayment()
    const caller = role === 'packer' ? await paying.shop.packer() : payment.buyer

    const { error } = await caller.client.rpc('accept_short_payment', { payment_id: payment.paymentId })

    expect(error?.code).toBe('42501')
    expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'pending_payment' })
  })

  it('marks an order as paid once when an acceptance and a top-up arrive concurrently', async () => {
    const payment = await aTopUp(await aShortPayment())

    await Promise.all([
      paying.notify(paying.bodyFor(payment)),
      call('accept_short_payment', { payment_id: payment.paymentId }),
    ])

    const { status, paid, shortfall, received } = await moneyOf(payment)
    expect({ status, sum: paid + shortfall, received }).toEqual({ status: 'new', sum: 600, received: 600 })
    expect(await paying.issuesOf(payment.order)).toEqual(shortfall > 0 ? ['paid_twice'] : [])
  })

  it('records one acceptance when two admins accept a short payment concurrently', async () => {
    const payment = await aShortPayment()

    const answers = await Promise.all(
      [1, 2].map(() => call('accept_short_payment', { payment_id: payment.paymentId })),
    )

    expect(new Set(answers)).toEqual(new Set(['order_not_payable', 'paid']))
    expect(await moneyOf(payment)).toMatchObject({ paid: 599, shortfall: 1 })
  })
})

it('does not mark a topped-up order as paid when the first payment is refunded concurrently', async () => {
  const payment = await aTopUp(await aShortPayment())

  await Promise.all([paying.notify(paying.bodyFor(payment)), refund(payment, 599)])

  const { rows } = await paying.shop.database.owner.query<{ kind: string }>(
    `select kind from public.order_events where order_id = $1 and kind in ('topped_up', 'refunded') order by id`,
    [payment.order.id],
  )
  expect([['topped_up', 'refunded'], ['refunded']]).toContainEqual(rows.map(({ kind }) => kind))
})

async function aShortPayment(): Promise<ShortPayment> {
  const payment = await paying.aPayment()
  const notice = paying.bodyFor(payment, { amount_gross: '599.00' })
  await paying.notify(notice)
  const { data } = await admin.client
    .from('payments')
    .select('id, pf_payment_id')
    .eq('order_id', payment.order.id)
    .single()
    .throwOnError()
  return { ...payment, notice, paymentId: data.id, pfPaymentId: data.pf_payment_id ?? '' }
}

/** The statement by which the job applies a notice that PayFast has confirmed. */
async function anUnappliedNotice({ form: { m_payment_id } }: PaymentAttempt) {
  const { rows } = await paying.shop.database.owner.query<{ id: string }>(
    `insert into public.payment_notices (raw_body, m_payment_id, headers) values ('m_payment_id=1', $1, '{}') returning id`,
    [m_payment_id],
  )
  const payment = { m_payment_id, pf_payment_id: 'shared', amount_gross: '600.00' }
  return { text: 'select private.apply_confirmed_notice($1, $2)', values: [rows[0]?.id, payment] }
}

async function transactionsThatWait(): Promise<number> {
  const { rows } = await paying.shop.database.owner.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.length
}

/** A requested difference whose customer has opened the payment page. */
async function aTopUp(payment: ShortPayment): Promise<ShortPayment> {
  await call('request_top_up', { payment_id: payment.paymentId })
  return { ...payment, form: await askFor(payment.buyer, payment, 1) }
}

function askFor(buyer: Person, { order }: PaymentAttempt, amount: number): Promise<Record<string, string>> {
  return paying.askForForm({ buyer, order: { ...order, total_amount: amount } })
}

async function cancel({ order }: PaymentAttempt): Promise<void> {
  await admin.client.from('orders').update({ status: 'cancelled' }).eq('id', order.id)
}

function refund({ paymentId }: ShortPayment, amount: number): Promise<unknown> {
  return call('record_refund', { payment_id: paymentId, amount, reason: 'They changed their mind' })
}

/** Returns the function's result, or its error code. */
async function call(name: string, given: Record<string, unknown>): Promise<unknown> {
  const client: SupabaseClient = admin.client
  const { data, error } = await client.rpc(name, given)
  return error ? error.details : data
}

interface Money {
  status: string
  received: number
  paid: number
  shortfall: number
  refunded: number
  due: number
  mails: number
}

/** All amounts of the order that a replay could change, in rand. */
async function moneyOf({ order }: PaymentAttempt): Promise<Money> {
  const { rows } = await paying.shop.database.owner.query<Money>(
    `select o.status, sum(b.amount_gross)::float as received, sum(b.given_back)::float as refunded,
       coalesce(sum(b.amount_gross) filter (where b.pays_order), 0)::float as paid,
       coalesce((select sum(a.shortfall) from public.payment_acceptances a where a.order_id = o.id), 0)::float as shortfall,
       coalesce((select sum(t.outstanding) from public.refund_tasks t where t.order_id = o.id and t.is_open), 0)::float as due,
       (select count(*) from public.mails m where m.props ->> 'orderId' = o.id::text)::int as mails
     from public.orders o join public.payment_balances b on b.order_id = o.id
     where o.id = $1 group by o.id`,
    [order.id],
  )
  const [money] = rows
  if (!money) throw new Error('no money came for this order')
  return money
}
