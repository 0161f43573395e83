import { describe, expect } from 'vitest'
import {
  aCustomer,
  aPacker,
  anAdmin,
  orderOf,
  type OrderRecord,
  type UserClaims,
  popper,
  riggedStickBait,
  setStock,
  stockCounts,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const SET_STATUS = 'update public.orders set status = $2 where id = $1'
const WITHDRAW = 'select public.withdraw_refund($1, $2)'
const REASON = 'Recorded on the wrong order'

interface Paid {
  order: OrderRecord
  customer: UserClaims
  payment: string
  admin: UserClaims
}

/** Three poppers and a stick bait, R930.00, paid by EFT; the session is an admin's. */
async function aPaidOrder(sql: TestTransaction): Promise<Paid> {
  const customer = await aCustomer(sql)
  const lines = [{ ...popper, quantity: 3 }, riggedStickBait]
  const order = await orderOf(sql, customer, { lines, total: 930 })
  const admin = await anAdmin(sql)
  await sql.as(admin)
  await sql.rows(`select public.record_payment($1, 'eft', 'FNB 4711')`, [order.id])
  const payment = await sql.value<string>('select id from public.payments where order_id = $1', [order.id])
  return { order, customer, payment, admin }
}

async function refund(
  sql: TestTransaction,
  { payment, order }: Paid,
  { amount = 930, poppersBack = 0 } = {},
) {
  const items = poppersBack
    ? await sql.rows(
        `select order_item_id, $2::int as quantity from public.returnable_items($1) where product_name = $3`,
        [order.id, poppersBack, popper.product_name],
      )
    : []
  return sql.value<string>(`select (public.record_refund($1, $2, 'Parcel lost', $3)).id`, [
    payment,
    amount,
    JSON.stringify(items),
  ])
}

/** The stock of poppers. The session stays the admin's. */
async function poppers(sql: TestTransaction, { admin }: Paid): Promise<number> {
  await sql.asShop()
  const { stock } = await stockCounts(sql, popper)
  await sql.as(admin)
  return stock
}

function poppersOf(sql: TestTransaction, { order }: Paid) {
  return sql.value<number>(
    'select returned_quantity from public.order_items where order_id = $1 and product_name = $2',
    [order.id, popper.product_name],
  )
}

/** Fires the deferred triggers that queue mails and count sales. */
async function mailsOf(sql: TestTransaction, { order, admin }: Paid) {
  await sql.rows('set constraints all immediate')
  await sql.asShop()
  const mails = await sql.rows<{ template: string; props: Record<string, unknown> }>(
    `select template, props from public.mails where props ->> 'orderId' = $1
       and template in ('refund', 'refund-correction', 'order-status-update') order by created_at, template`,
    [order.id],
  )
  await sql.as(admin)
  return mails
}

function tasksOf(sql: TestTransaction, { order }: Paid) {
  return sql.rows('select amount, outstanding, is_open from public.refund_tasks where order_id = $1', [
    order.id,
  ])
}

describe('refund withdrawal', () => {
  test('restores the balance, revenue and order when a refund is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const kept = await refund(sql, paid, { amount: 30 })
    const id = await refund(sql, paid, { amount: 600 })
    await sql.rows('set constraints all immediate')
    await sql.rows('set constraints all deferred')

    await sql.rows(WITHDRAW, [id, REASON])
    await sql.rows('set constraints all immediate')

    expect(
      await sql.row('select given_back, refundable from public.payment_balances where payment_id = $1', [
        paid.payment,
      ]),
    ).toEqual({ given_back: '30.00', refundable: '900.00' })
    expect(await sql.value('select public.total_revenue()')).toMatchObject({ refunds: 30, revenue: 900 })
    expect(await sql.value('select public.get_client($1)', [paid.customer.sub])).toMatchObject({
      spend: 900,
      refunded: 30,
    })
    expect(
      await sql.rows('select id, state, counts from public.refunds where order_id = $1 order by amount', [
        paid.order.id,
      ]),
    ).toEqual([
      { id: kept, state: 'done', counts: true },
      { id, state: 'withdrawn', counts: false },
    ])
    await sql.asShop()
    await sql.as(paid.customer)
    const shown = await sql.value<{ refunds: { amount: number }[]; held_amount: number }>(
      'select public.get_order($1)',
      [paid.order.id],
    )
    expect(shown.refunds.map(({ amount }) => amount)).toEqual([30])
    expect(shown.held_amount).toBe(900)
  })

  test('reopens a cancelled order’s refund task when a refund is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    const id = await refund(sql, paid)
    expect(await tasksOf(sql, paid)).toMatchObject([{ outstanding: '0.00', is_open: false }])

    await sql.rows(WITHDRAW, [id, REASON])

    expect(await tasksOf(sql, paid)).toEqual([{ amount: '930.00', outstanding: '930.00', is_open: true }])
    expect(await sql.value('select public.count_attention()')).toMatchObject({ to_refund: 1 })
    await sql.rows(SET_STATUS, [paid.order.id, 'new'])
    expect(await tasksOf(sql, paid)).toMatchObject([{ is_open: false }])
  })

  test('refuses to reinstate an order whose withdrawn refund was made again', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const id = await refund(sql, paid, { amount: 140 })
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    await sql.rows(WITHDRAW, [id, REASON])

    await refund(sql, paid, { amount: 140 })

    expect(await sql.refusal(SET_STATUS, [paid.order.id, 'new'])).toMatchObject({ reason: 'order_refunded' })
  })

  test('mails the customer one correction when a refund is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const id = await refund(sql, paid)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    const before = await mailsOf(sql, paid)
    await sql.rows('set constraints all deferred')

    await sql.rows(WITHDRAW, [id, 'It was for Johan Smit, order 01043'])

    const sent = (await mailsOf(sql, paid)).filter((mail) => !before.some((was) => same(was, mail)))
    expect(sent).toMatchObject([
      {
        template: 'refund-correction',
        props: { refundAmount: 930, status: 'cancelled', money: { received: 930, refunded: 0 } },
      },
    ])
    expect(JSON.stringify(sent), 'the reason names another customer').not.toContain('Johan')
    expect(await tasksOf(sql, paid)).toMatchObject([{ outstanding: '930.00', is_open: true }])
  })

  test('takes returned units out of stock again when a refund is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const before = await poppers(sql, paid)
    const id = await refund(sql, paid, { poppersBack: 2 })
    expect(await poppers(sql, paid)).toBe(before + 2)

    await sql.rows(WITHDRAW, [id, REASON])

    expect(await poppers(sql, paid)).toBe(before)
    expect(await poppersOf(sql, paid)).toBe(0)
  })

  test('refuses to withdraw a refund when the returned units were sold or reserved', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await setStock(sql, popper, 0)
    await sql.as(paid.admin)
    const id = await refund(sql, paid, { poppersBack: 2 })
    await sql.asShop()
    await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(paid.admin)

    expect(await sql.refusal(WITHDRAW, [id, REASON])).toMatchObject({
      code: 'PT409',
      reason: 'returned_lures_sold',
      facts: { wanted: 2, available: 1 },
    })
    expect(await poppersOf(sql, paid)).toBe(2)
    expect(await sql.value('select state from public.refunds where id = $1', [id])).toBe('done')
  })

  test('withdraws the refund of a lure that was still to be made when none is in stock and no more are made to order', async ({
    sql,
  }) => {
    const makeToOrder = 'update public.products set made_to_order = $2 where name = $1'
    await setStock(sql, popper, 1)
    await sql.rows(makeToOrder, [popper.product_name, true])
    const paid = await aPaidOrder(sql)
    const id = await refund(sql, paid, { poppersBack: 2 })
    await sql.asShop()
    await sql.rows(makeToOrder, [popper.product_name, false])
    await setStock(sql, popper, 5)
    await sql.as(paid.admin)

    await sql.rows(WITHDRAW, [id, REASON])

    expect(await poppersOf(sql, paid)).toBe(0)
    expect(await poppers(sql, paid)).toBe(5)
    await sql.asShop()
    expect(await sql.rows('select * from private.broken_sums()')).toEqual([])
  })

  test('takes no stock when the refund of a later cancelled order is withdrawn', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const start = (await poppers(sql, paid)) + 3
    const id = await refund(sql, paid, { poppersBack: 1 })
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    await sql.rows(WITHDRAW, [id, REASON])

    expect(await poppers(sql, paid)).toBe(start)
    await sql.rows(SET_STATUS, [paid.order.id, 'new'])
    expect(await poppers(sql, paid)).toBe(start - 3)
  })

  test('takes returned units out of stock again when the order was shipped before it was cancelled', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    const before = await poppers(sql, paid)
    await sql.rows(SET_STATUS, [paid.order.id, 'shipped'])
    const id = await refund(sql, paid, { poppersBack: 3 })
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    await sql.rows(WITHDRAW, [id, REASON])

    expect(await poppers(sql, paid)).toBe(before)
  })

  test('records a refund withdrawal and the reason on the timeline for admins', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(WITHDRAW, [await refund(sql, paid), REASON])
    const timeline = () =>
      sql.rows(
        `select detail ->> 'reason' as reason from public.order_events where kind = 'refund_withdrawn'`,
      )

    expect(await timeline()).toEqual([{ reason: REASON }])
    await sql.asShop()
    await sql.as(await aPacker(sql))
    expect(await timeline()).toEqual([])
  })

  test('refuses to withdraw or settle a refund that is already withdrawn', async ({ sql }) => {
    const id = await refund(sql, await aPaidOrder(sql))
    await sql.rows(WITHDRAW, [id, REASON])

    expect(await sql.refusal(WITHDRAW, [id, REASON])).toMatchObject({
      code: 'PT409',
      reason: 'refund_withdrawn',
    })
    for (const outcome of ['done', 'failed']) {
      expect(
        await sql.refusal(`select public.settle_refund($1, $2, 'I looked')`, [id, outcome]),
      ).toMatchObject({
        reason: 'refund_settled',
      })
    }
  })

  test.for(['', '  ', 'ab', 'two\nlines'])(
    'refuses to withdraw a refund with the reason %j',
    async (reason, { sql }) => {
      const id = await refund(sql, await aPaidOrder(sql))

      expect(await sql.refusal(WITHDRAW, [id, reason])).toMatchObject({
        code: 'PT422',
        reason: 'invalid_reason',
      })
    },
  )

  test('refuses to withdraw a refund whose order was deleted', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const id = await refund(sql, paid)
    await sql.rows('delete from public.order_items where order_id = $1', [paid.order.id])
    await sql.rows('delete from public.orders where id = $1', [paid.order.id])

    expect(await sql.refusal(WITHDRAW, [id, REASON])).toMatchObject({ reason: 'refund_without_order' })
  })

  test('does not let customers or packers withdraw refunds', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const id = await refund(sql, paid)

    await sql.asShop()
    const packer = await aPacker(sql)
    for (const person of [paid.customer, packer]) {
      await sql.asShop()
      await sql.as(person)
      expect(await sql.refusal(WITHDRAW, [id, REASON])).toMatchObject({ code: '42501' })
    }
  })
})

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
