import type { PoolClient } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { inTransaction } from '@saltfreak/backend'
import { aBuyer, placeOrder, readOrder, type Buyer, type BuyerOrder } from '#test/buyer.ts'
import { as, shopDatabase, type TestDatabase } from '#test/database.ts'

let shop: TestDatabase
let admin: Buyer

beforeAll(async () => {
  shop = await shopDatabase()
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  admin = await aBuyer(shop.database)
  await shop.database.owner.query(`insert into public.user_roles (user_id, role) values ($1, 'admin')`, [
    admin.userId,
  ])
})
afterAll(() => shop.close())

describe('a payment for sold-out lures', () => {
  it('marks an order of sold-out lures as paid after an admin restocks and accepts its payment', async () => {
    const { order, paymentId } = await aLatePayment()
    expect(await openIssues(order)).toEqual([{ kind: 'sold_out', payment_id: paymentId }])
    await expect(accept(paymentId)).rejects.toMatchObject({ code: 'PT409', detail: 'sold_out' })

    await setStock(order, 5)
    await accept(paymentId)

    expect((await readOrder(shop.database, order.id))?.status).toBe('new')
    expect(await openIssues(order)).toEqual([])
    expect(await stockOf(order)).toBe(4)
    await expect(accept(paymentId)).rejects.toMatchObject({ code: 'PT409', detail: 'order_not_payable' })
  })

  it('lets only staff accept a late payment, and only if the lures were sold out', async () => {
    const { paymentId } = await aLatePayment()
    const { paymentId: paid } = await aPaidOrder()

    await expect(
      acting(await aBuyer(shop.database), (client) =>
        client.query('select public.accept_late_payment($1)', [paymentId]),
      ),
    ).rejects.toMatchObject({ code: '42501' })
    await expect(accept(paid)).rejects.toMatchObject({ code: 'PT404' })
  })

  it('asks to refund a payment whose order has no lines any more, instead of to add stock', async () => {
    const buyer = await aBuyer(shop.database)
    const order = await placeOrder(shop.database, buyer)
    await acting(admin, (client) =>
      client.query('delete from public.order_items where order_id = $1', [order.id]),
    )
    const paymentId = await confirm(order)
    expect(await openIssues(order)).toEqual([{ kind: 'sold_out', payment_id: paymentId }])

    await expect(accept(paymentId)).rejects.toMatchObject({
      detail: 'order_without_items',
      message: 'This order has no items any more. Refund its payment.',
    })
  })

  it('refuses to accept a late payment that was refunded in part', async () => {
    const { order, paymentId } = await aLatePayment()
    await setStock(order, 5)
    await refund(paymentId, '1.00')

    await expect(accept(paymentId)).rejects.toMatchObject({ detail: 'payment_refunded' })
  })
})

describe('a refund', () => {
  it('never refunds more than the payment, even with two concurrent refunds', async () => {
    const { paymentId } = await aPaidOrder()
    await refund(paymentId, '100.00')

    const both = await Promise.allSettled([refund(paymentId, '100.00'), refund(paymentId, '100.00')])

    expect(both.map(({ status }) => status).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'fulfilled',
      'rejected',
    ])
    await expect(refund(paymentId, '40.01')).rejects.toMatchObject({
      code: 'PT409',
      detail: 'refund_exceeds_payment',
      hint: '{"refundable": 40.00}',
    })
    await refund(paymentId, '40.00')
  })

  it.each(['0', '-1', '0.001'])('refuses to record a refund of R%s', async (amount) => {
    const { paymentId } = await aPaidOrder()

    await expect(refund(paymentId, amount)).rejects.toMatchObject({ code: '23514' })
  })

  it('restocks the refunded lures once on request and e-mails the customer', async () => {
    const { order, paymentId, buyer } = await aPaidOrder()
    const before = await stockOf(order)

    const [item] = await returnableOf(order)
    await refund(paymentId, '100.00', [item])
    await expect(refund(paymentId, '140.00', [item])).rejects.toMatchObject({
      detail: 'return_exceeds_line',
    })
    await refund(paymentId, '140.00')

    expect(await stockOf(order)).toBe(before + 1)
    const { rows } = await shop.database.owner.query(
      `select recipient, props ->> 'refundAmount' as amount from public.mails
       where template = 'refund' and props ->> 'orderId' = $1 order by created_at`,
      [order.id],
    )
    expect(rows).toEqual([
      { recipient: buyer.email, amount: '100.00' },
      { recipient: buyer.email, amount: '140.00' },
    ])
  })

  it('closes a payment issue when an admin refunds its payment', async () => {
    const { order, paymentId } = await aLatePayment()

    await refund(paymentId, '500.00')

    expect(await openIssues(order)).toEqual([])
  })

  it('keeps the issue of a payment open until all of the payment is refunded', async () => {
    const { order, paymentId } = await aLatePayment()

    await refund(paymentId, '100.00')
    expect(await openIssues(order)).toHaveLength(1)
    await refund(paymentId, '400.00')

    expect(await openIssues(order)).toEqual([])
  })

  it('raises the issue of a payment again when any part of its refund is withdrawn', async () => {
    const { order, paymentId } = await aLatePayment()
    const first = await refund(paymentId, '100.00')
    const second = await refund(paymentId, '400.00')

    await withdraw(first)
    expect(await openIssues(order)).toHaveLength(1)
    await refund(paymentId, '100.00')
    expect(await openIssues(order)).toEqual([])
    await withdraw(second)

    expect(await openIssues(order)).toHaveLength(1)
  })

  it('raises no issue again that was settled before the withdrawn refund', async () => {
    const { order, paymentId } = await aLatePayment()
    await setStock(order, 5)
    await accept(paymentId)

    await withdraw(await refund(paymentId, '100.00'))

    expect(await openIssues(order)).toEqual([])
  })

  it('allows only admins to record a refund', async () => {
    const { paymentId, buyer } = await aPaidOrder()

    await expect(
      acting(buyer, (client) =>
        client.query(`select public.record_refund($1, 1, 'give it back')`, [paymentId]),
      ),
    ).rejects.toMatchObject({ code: '42501' })
  })
})

describe('an unpaid order', () => {
  it('sends one payment reminder between the end of the reservation and the order’s expiry', async () => {
    const order = await placeOrder(shop.database, await aBuyer(shop.database))
    await remind()
    expect(await remindersOf(order)).toBe(0)

    await age(order, '2 hours')
    const reminded = [await remind(), await remind()]

    expect(reminded, 'orders reminded by each run').toEqual([1, 0])
    expect(await remindersOf(order)).toBe(1)
  })

  it('sends no payment reminder for an order that expires soon, is cancelled, or has a pending payment', async () => {
    const late = await placeOrder(shop.database, await aBuyer(shop.database))
    await age(late, '23 hours 30 minutes')
    const cancelled = await placeOrder(shop.database, await aBuyer(shop.database))
    await age(cancelled, '2 hours')
    await shop.database.owner.query('select private.cancel_order($1, $2)', [cancelled.id, 'customer'])
    const waiting = await placeOrder(shop.database, await aBuyer(shop.database))
    await age(waiting, '2 hours')
    await shop.database.owner.query('update public.orders set expires_at = null where id = $1', [waiting.id])

    await remind()

    for (const order of [late, cancelled, waiting]) expect(await remindersOf(order)).toBe(0)
  })
})

interface Paid {
  order: BuyerOrder
  buyer: Buyer
  paymentId: string
}

async function aPaidOrder(): Promise<Paid> {
  const buyer = await aBuyer(shop.database)
  const order = await placeOrder(shop.database, buyer)
  return { order, buyer, paymentId: await confirm(order) }
}

/** Creates a cancelled order whose lures are sold out and whose payment arrives afterwards. */
async function aLatePayment(): Promise<Paid> {
  await shop.database.owner.query('update public.product_variants set stock_quantity = 500')
  const buyer = await aBuyer(shop.database)
  const order = await placeOrder(shop.database, buyer, { product: 'Slow Sinking Stick Bait (180mm/150G)' })
  await shop.database.owner.query('select private.cancel_order($1, $2)', [order.id, 'expired'])
  await setStock(order, 0)
  return { order, buyer, paymentId: await confirm(order) }
}

/** Applies a confirmed notice without using the network. */
async function confirm(order: BuyerOrder): Promise<string> {
  const mPaymentId = `test-${order.order_number}`
  const { owner } = shop.database
  await owner.query(
    `insert into public.payment_attempts (order_id, order_number, m_payment_id, merchant_id, amount)
     values ($1, $2, $3, '10000100', $4)`,
    [order.id, order.order_number, mPaymentId, order.total_amount],
  )
  const { rows } = await owner.query<{ id: string }>(
    `insert into public.payment_notices (raw_body, m_payment_id, headers) values ('a=b', $1, '{}') returning id`,
    [mPaymentId],
  )
  const payment = { m_payment_id: mPaymentId, pf_payment_id: mPaymentId, amount_gross: order.total_amount }
  await owner.query('select private.apply_confirmed_notice($1, $2)', [rows[0]?.id, payment])
  const written = await owner.query<{ id: string }>('select id from public.payments where order_id = $1', [
    order.id,
  ])
  return written.rows[0]?.id ?? ''
}

function acting<T>({ userId }: Buyer, work: (client: PoolClient) => Promise<T>): Promise<T> {
  return inTransaction(shop.database.owner, async (client) => {
    await as(client, { sub: userId })
    return work(client)
  })
}

function accept(paymentId: string) {
  return acting(admin, (client) => client.query('select public.accept_late_payment($1)', [paymentId]))
}

/** Returns the refund's id. */
async function refund(paymentId: string, amount: string, returned: unknown[] = []): Promise<string> {
  const { rows } = await acting(admin, (client) =>
    client.query<{ id: string }>(`select id from public.record_refund($1, $2, 'Bent hook', $3)`, [
      paymentId,
      amount,
      JSON.stringify(returned),
    ]),
  )
  return rows[0]?.id ?? ''
}

function withdraw(refundId: string) {
  return acting(admin, (client) =>
    client.query(`select public.withdraw_refund($1, 'Never paid')`, [refundId]),
  )
}

async function returnableOf(order: BuyerOrder) {
  const { rows } = await acting(admin, (client) =>
    client.query('select order_item_id, returnable as quantity from public.returnable_items($1)', [order.id]),
  )
  return rows
}

async function openIssues(order: BuyerOrder) {
  const { rows } = await acting(admin, (client) =>
    client.query('select kind, payment_id from public.open_payment_issues where order_id = $1', [order.id]),
  )
  return rows
}

async function setStock(order: BuyerOrder, quantity: number): Promise<void> {
  await shop.database.owner.query(
    `update public.product_variants set stock_quantity = $2
     where id in (select variant_id from public.order_items where order_id = $1)`,
    [order.id, quantity],
  )
}

async function stockOf(order: BuyerOrder): Promise<number> {
  const { rows } = await shop.database.owner.query<{ stock_quantity: number }>(
    `select stock_quantity from public.product_variants
     where id in (select variant_id from public.order_items where order_id = $1)`,
    [order.id],
  )
  return rows[0]?.stock_quantity ?? Number.NaN
}

/** Moves the order's times into the past. */
async function age(order: BuyerOrder, by: string): Promise<void> {
  await shop.database.owner.query(
    `update public.orders set placed_at = placed_at - $2::interval, reserved_until = reserved_until - $2::interval,
       expires_at = expires_at - $2::interval where id = $1`,
    [order.id, by],
  )
}

/** Returns how many orders the job reminded. */
async function remind(): Promise<number | undefined> {
  const { rows } = await shop.database.owner.query<{ reminded: number }>(
    'select private.remind_unpaid_orders() as reminded',
  )
  return rows[0]?.reminded
}

async function remindersOf(order: BuyerOrder): Promise<number> {
  const { rowCount } = await shop.database.owner.query(
    `select from public.mails where template = 'payment-reminder' and props ->> 'orderId' = $1`,
    [order.id],
  )
  return rowCount ?? 0
}
