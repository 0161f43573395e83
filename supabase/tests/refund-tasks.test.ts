import { describe, expect } from 'vitest'
import {
  aCustomer,
  aPacker,
  anAdmin,
  aPromoCode,
  orderOf,
  type OrderRecord,
  type UserClaims,
  popper,
  riggedStickBait,
  setStock,
  statusOf,
  stockCounts,
} from './shopping.ts'
import { delivery } from '#test/shopping.ts'
import { type TestTransaction, test } from './sql.ts'

const SET_STATUS = 'update public.orders set status = $2 where id = $1'
const MAKE_TO_ORDER = 'update public.products set made_to_order = true where name = $1'
const REFUND = `select public.record_refund($1, $2, 'One came chipped', $3)`

interface Paid {
  order: OrderRecord
  payment: string
  admin: UserClaims
}

/** Three poppers and a stick bait, R930.00, unless stated otherwise, paid by EFT; the session is an admin's. */
async function aPaidOrder(
  sql: TestTransaction,
  cart: Parameters<typeof orderOf>[2] = { lines: [{ ...popper, quantity: 3 }, riggedStickBait], total: 930 },
): Promise<Paid> {
  const order = await orderOf(sql, await aCustomer(sql), cart)
  const admin = await anAdmin(sql)
  await sql.as(admin)
  await sql.rows(`select public.record_payment($1, 'eft', 'FNB 4711')`, [order.id])
  const payment = await sql.value<string>('select id from public.payments where order_id = $1', [order.id])
  return { order, payment, admin }
}

/** The stock of poppers. The session stays the admin's. */
async function poppers(sql: TestTransaction, admin: UserClaims): Promise<number> {
  await sql.asShop()
  const { stock } = await stockCounts(sql, popper)
  await sql.as(admin)
  return stock
}

interface Returnable {
  order_item_id: string
  product_name: string
  returnable: number
}

function returnable(sql: TestTransaction, { order }: Paid): Promise<Returnable[]> {
  return sql.rows<Returnable>(
    'select order_item_id, product_name, returnable from public.returnable_items($1) order by product_name',
    [order.id],
  )
}

async function poppersBack(sql: TestTransaction, paid: Paid, quantity: number): Promise<string> {
  const items = await returnable(sql, paid)
  const item = items.find(({ product_name }) => product_name === popper.product_name)
  return JSON.stringify([{ order_item_id: item?.order_item_id, quantity }])
}

/** How many poppers the brothers make for the order. The sums of the ledger must agree. The session stays the admin's. */
async function poppersStillMade(sql: TestTransaction, { order, admin }: Paid): Promise<number> {
  await sql.asShop()
  const rows = await sql.rows<{ quantity: number }>(
    'select quantity from private.ordered_variants($1) where product_name = $2',
    [order.id, popper.product_name],
  )
  expect(await sql.rows('select * from private.broken_sums()')).toEqual([])
  await sql.as(admin)
  return rows[0]?.quantity ?? 0
}

function tasksOf(sql: TestTransaction, { order }: Paid) {
  return sql.rows(
    'select amount, outstanding, is_open, ended_as from public.refund_tasks where order_id = $1 order by opened_at',
    [order.id],
  )
}

/** Fires the deferred triggers that queue mails. */
async function statusMails(sql: TestTransaction, { order }: Paid) {
  await sql.rows('set constraints all immediate')
  await sql.asShop()
  const mails = await sql.rows<{ props: Record<string, unknown> }>(
    `select props from public.mails where template = 'order-status-update' and props ->> 'orderId' = $1 order by created_at, key`,
    [order.id],
  )
  return mails.map(({ props }) => props)
}

describe('refund', () => {
  // covers A14
  test('returns no stock when a refund names no lines', async ({ sql }) => {
    const { payment, admin } = await aPaidOrder(sql)
    const before = await poppers(sql, admin)

    await sql.rows(REFUND, [payment, 140, '[]'])

    expect(await poppers(sql, admin)).toBe(before)
  })

  // covers A14
  test('returns a refunded line’s chosen quantity to stock and records the return', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const before = await poppers(sql, paid.admin)

    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 1)])

    expect(await poppers(sql, paid.admin)).toBe(before + 1)
    expect(await sql.row('select product_name, quantity from public.payment_refund_items')).toEqual({
      product_name: popper.product_name,
      quantity: 1,
    })
    expect(await returnable(sql, paid)).toMatchObject([{ returnable: 2 }, { returnable: 1 }])
  })

  test('tells what the customer paid for a unit of each line after the promo code', async ({ sql }) => {
    await aPromoCode(sql, { code: 'FIVE', discount_type: 'percentage', discount_value: 5 })
    const lines = [{ ...popper, quantity: 3 }, riggedStickBait]
    const { order } = await aPaidOrder(sql, { lines, total: 888.5, promo: 'FIVE' })

    const items = await sql.rows<{ price: string; paid_price: string }>(
      'select price, paid_price from public.returnable_items($1) order by price',
      [order.id],
    )

    expect(items.map((item) => [Number(item.price), Number(item.paid_price)])).toEqual([
      [110, 104.5],
      [500, 475],
    ])
  })

  test('refuses a refund whose form showed another balance, as after a lost response or on an outdated page', async ({
    sql,
  }) => {
    const { payment } = await aPaidOrder(sql)
    const fromForm = `select public.record_refund($1, 110, 'One came chipped', was => $2)`
    await sql.rows(fromForm, [payment, 930])

    expect(await sql.refusal(fromForm, [payment, 930])).toMatchObject({
      reason: 'refund_changed',
      facts: { refundable: 820 },
    })
    await sql.rows(fromForm, [payment, 820])
    expect(
      await sql.value('select sum(amount) from public.payment_refunds where payment_id = $1', [payment]),
    ).toBe('220.00')
  })

  test('refuses to return more units of a line to stock than the order still has', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 2)])

    expect(await sql.refusal(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 2)])).toMatchObject({
      reason: 'return_exceeds_line',
      facts: { returnable: 1 },
    })
  })

  test('refuses to return more units of a line when another line has the same colour with hooks', async ({
    sql,
  }) => {
    const lines = [
      { ...popper, quantity: 2 },
      { ...popper, quantity: 2, price: 142, with_hooks: true },
    ]
    const paid = await aPaidOrder(sql, { lines, total: 604 })
    const back = await poppersBack(sql, paid, 2)
    await sql.rows(REFUND, [paid.payment, 220, back])

    expect(await sql.refusal(REFUND, [paid.payment, 220, back])).toMatchObject({
      reason: 'return_exceeds_line',
      facts: { returnable: 0 },
    })
  })

  test('offers no stock returns after a cancellation has returned all stock', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    expect(await returnable(sql, paid)).toMatchObject([{ returnable: 0 }, { returnable: 0 }])
    expect(await sql.refusal(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 1)])).toMatchObject({
      reason: 'return_exceeds_line',
    })
  })

  test.for(['0', '-1', 'null'])('refuses to return a quantity of %s to stock', async (quantity, { sql }) => {
    const paid = await aPaidOrder(sql)
    const items = (await poppersBack(sql, paid, 1)).replace('"quantity":1', `"quantity":${quantity}`)

    expect(await sql.refusal(REFUND, [paid.payment, 110, items])).toMatchObject({ reason: 'invalid_return' })
  })

  test('takes a refunded lure that is still to be made off the order, and moves no stock', async ({
    sql,
  }) => {
    await setStock(sql, popper, 0)
    await sql.rows(MAKE_TO_ORDER, [popper.product_name])
    const paid = await aPaidOrder(sql)

    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 2)])

    expect(await poppers(sql, paid.admin)).toBe(0)
    expect(await poppersStillMade(sql, paid)).toBe(1)
    expect(await returnable(sql, paid)).toMatchObject([{ returnable: 1 }, { returnable: 1 }])
  })

  test('takes lures that are still to be made off the order before those that were in stock', async ({
    sql,
  }) => {
    await setStock(sql, popper, 1)
    await sql.rows(MAKE_TO_ORDER, [popper.product_name])
    const paid = await aPaidOrder(sql)

    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 1)])
    expect(await poppers(sql, paid.admin)).toBe(0)
    expect(await poppersStillMade(sql, paid)).toBe(1)

    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 2)])
    expect(await poppers(sql, paid.admin)).toBe(1)
    expect(await poppersStillMade(sql, paid)).toBe(0)
  })

  test('offers no stock returns of units that were made to order and shipped', async ({ sql }) => {
    await setStock(sql, popper, 0)
    await sql.rows(MAKE_TO_ORDER, [popper.product_name])

    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'shipped'])

    expect(await returnable(sql, paid)).toMatchObject([
      { product_name: popper.product_name, returnable: 0 },
      { product_name: riggedStickBait.product_name, returnable: 1 },
    ])
  })

  test('takes no stock again for returned units when an order is reinstated', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    const start = (await poppers(sql, paid.admin)) + 3
    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 1)])

    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    expect(await poppers(sql, paid.admin)).toBe(start)
    await sql.rows(SET_STATUS, [paid.order.id, 'new'])

    expect(await poppers(sql, paid.admin)).toBe(start - 2)
  })

  test('shows total payments and refunds in the refund mail', async ({ sql }) => {
    const { payment } = await aPaidOrder(sql)
    await sql.rows(REFUND, [payment, 100, '[]'])
    await sql.rows(REFUND, [payment, 30, '[]'])

    await sql.asShop()
    expect(
      await sql.value(
        `select props -> 'money' from public.mails where template = 'refund' and (props ->> 'refundAmount')::numeric = 30`,
      ),
    ).toEqual({ received: 930, refunded: 130, ways: ['eft'] })
  })

  test('tells the refund mail and those after it how many units of each line were refunded', async ({
    sql,
  }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(REFUND, [paid.payment, 110, await poppersBack(sql, paid, 2)])
    await sql.rows(SET_STATUS, [paid.order.id, 'processing'])
    await sql.rows('set constraints all immediate')

    await sql.asShop()
    const lines = await sql.rows(
      `select template, item -> 'returnedQuantity' as returned
       from public.mails cross join jsonb_array_elements(props -> 'items') item
       where template in ('refund', 'order-status-update') and props ->> 'orderId' = $1
       order by template, item ->> 'productName' = $2`,
      [paid.order.id, popper.product_name],
    )
    expect(lines).toEqual([
      { template: 'order-status-update', returned: 0 },
      { template: 'order-status-update', returned: 2 },
      { template: 'refund', returned: 0 },
      { template: 'refund', returned: 2 },
    ])
  })
})

describe('cancellation of a paid order', () => {
  // covers A18
  test('opens a refund task for a cancelled paid order until refunds cover the amount', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    expect(await tasksOf(sql, paid)).toMatchObject([
      { amount: '930.00', outstanding: '930.00', is_open: true },
    ])
    expect(await sql.value('select public.count_attention()')).toMatchObject({ to_refund: 1 })

    await sql.rows(REFUND, [paid.payment, 626, '[]'])
    expect(await tasksOf(sql, paid)).toMatchObject([{ outstanding: '304.00', is_open: true }])
    await sql.rows(REFUND, [paid.payment, 304, '[]'])

    expect(await tasksOf(sql, paid)).toMatchObject([{ outstanding: '0.00', is_open: false }])
    expect(await sql.value('select public.count_attention()')).toMatchObject({ to_refund: 0 })
  })

  test('previews the orders, mails and refunds of a cancellation', async ({ sql }) => {
    const first = await aPaidOrder(sql)
    await sql.asShop()
    const second = await aPaidOrder(sql)
    await sql.asShop()
    const unpaid = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
    await sql.as(first.admin)
    await sql.rows(SET_STATUS, [second.order.id, 'shipped'])

    expect(
      await sql.value('select public.preview_cancellation($1)', [
        [first.order.id, second.order.id, unpaid.id],
      ]),
    ).toEqual({ orders: 3, mails: 2, to_refund: 1860, shipped: 1 })
  })

  test('tells the customer of a cancelled order by e-mail how the money is refunded', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    expect(await statusMails(sql, paid)).toMatchObject([
      { status: 'cancelled', money: { received: 930, refunded: 0, ways: ['eft'] } },
    ])
  })

  test('dismisses a refund task only once and with a reason', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    const task = await sql.value<string>('select id from public.refund_tasks')
    const dismiss = 'select public.dismiss_refund_task($1, $2)'
    expect(await sql.refusal(dismiss, [task, ' '])).toMatchObject({ reason: 'invalid_reason' })

    await sql.rows(dismiss, [task, 'Kept as a deposit for a custom lure'])

    expect(await tasksOf(sql, paid)).toMatchObject([{ is_open: false, ended_as: 'dismissed' }])
    expect(await sql.refusal(dismiss, [task, 'Twice'])).toMatchObject({ reason: 'refund_task_ended' })
  })

  test('opens a new refund task when an order is cancelled again after a dismissal', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
    await sql.rows(
      `select public.dismiss_refund_task(id, 'They took credit') from public.refund_tasks where order_id = $1`,
      [paid.order.id],
    )
    await sql.rows(SET_STATUS, [paid.order.id, 'new'])

    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    expect(await tasksOf(sql, paid)).toMatchObject([
      { is_open: false },
      { outstanding: '930.00', is_open: true },
    ])
  })

  test('shows events about money to admins and not to packers', async ({ sql }) => {
    const { order, admin } = await aPaidOrder(sql)
    const kinds = [
      'paid_by_hand',
      'payment_withdrawn',
      'refund_dismissed',
      'refund_due',
      'refund_failed',
      'refund_requested',
      'refund_withdrawn',
      'refunded',
      'short_payment_accepted',
      'top_up_requested',
      'topped_up',
    ]
    await sql.asShop()
    await sql.rows('delete from public.order_events')
    await sql.rows('insert into public.order_events (order_id, kind) select $1, unnest($2::text[])', [
      order.id,
      [...kinds, 'status_changed'],
    ])
    const seenBy = async (who: UserClaims) => {
      await sql.as(who)
      const events = await sql.rows<{ kind: string }>('select kind from public.order_events order by kind')
      await sql.asShop()
      return events.map(({ kind }) => kind)
    }

    expect(await seenBy(await aPacker(sql))).toEqual(['status_changed'])
    expect(await seenBy(admin)).toEqual([...kinds, 'status_changed'].toSorted())
  })

  test('hides refund tasks and refund amounts from packers', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])

    await sql.asShop()
    await sql.as(await aPacker(sql))
    expect(await tasksOf(sql, paid)).toEqual([])
    const events = await sql.rows<{ kind: string }>(
      'select kind from public.order_events where order_id = $1 order by id',
      [paid.order.id],
    )
    expect(events.map(({ kind }) => kind)).toEqual(['placed', 'paid', 'cancelled'])
    expect(await sql.value('select public.count_attention()')).not.toHaveProperty('to_refund')
    expect(await sql.refusal('select public.preview_cancellation($1)', [[paid.order.id]])).toMatchObject({
      code: '42501',
    })
  })
})

async function aCancelledOrder(sql: TestTransaction): Promise<Paid> {
  const paid = await aPaidOrder(sql)
  await sql.rows(SET_STATUS, [paid.order.id, 'cancelled'])
  return paid
}

describe('cancelled order', () => {
  test.for(['shipped', 'delivered'])('refuses to set a cancelled order to %s', async (status, { sql }) => {
    const { order } = await aCancelledOrder(sql)

    expect(await sql.refusal(SET_STATUS, [order.id, status])).toMatchObject({
      code: 'PT409',
      reason: 'order_cancelled',
    })
  })

  test('refuses a tracking number for a cancelled order', async ({ sql }) => {
    const { order } = await aCancelledOrder(sql)

    for (const change of [`tracking_number = 'TCG1'`, `tracking_number = 'TCG1', status = 'shipped'`]) {
      expect(await sql.refusal(`update public.orders set ${change} where id = $1`, [order.id])).toMatchObject(
        {
          reason: 'order_cancelled',
        },
      )
    }
  })

  test('skips cancelled orders in a bulk status change and gives the reason', async ({ sql }) => {
    const { order } = await aCancelledOrder(sql)

    for (const status of ['shipped', 'new', 'processing']) {
      expect(await sql.value('select public.set_order_statuses($1, $2)', [[order.id], status])).toEqual({
        done: [],
        skipped: [{ order_number: order.order_number, reason: 'It is cancelled. Open it to reinstate it.' }],
      })
    }
  })

  test.for(['new', 'processing'])(
    'reinstates an order as %s, takes the stock and withdraws the refund task',
    async (status, { sql }) => {
      const paid = await aCancelledOrder(sql)
      const before = await poppers(sql, paid.admin)
      await sql.rows(SET_STATUS, [paid.order.id, status])

      expect(await poppers(sql, paid.admin)).toBe(before - 3)
      expect(await tasksOf(sql, paid)).toMatchObject([{ is_open: false, ended_as: 'withdrawn' }])
      expect(await statusMails(sql, paid)).toMatchObject([{ status, isReinstated: true }])
    },
  )

  test('refuses to reinstate an order whose lures are sold out', async ({ sql }) => {
    const paid = await aCancelledOrder(sql)
    await setStock(sql, popper, 2)

    expect(await sql.refusal(SET_STATUS, [paid.order.id, 'new'])).toMatchObject({ reason: 'sold_out' })
    expect(await statusOf(sql, paid.order)).toBe('cancelled')
  })

  test.for([100, 930])('refuses to reinstate an order after a refund of R%s', async (amount, { sql }) => {
    const paid = await aCancelledOrder(sql)
    await sql.rows(REFUND, [paid.payment, amount, '[]'])

    expect(await sql.refusal(SET_STATUS, [paid.order.id, 'new'])).toMatchObject({
      reason: 'order_refunded',
      message: expect.stringContaining('Money was refunded for this order, so it stays cancelled.'),
    })
  })

  test('reinstates an order that was partly refunded before the cancellation', async ({ sql }) => {
    const paid = await aPaidOrder(sql)
    await sql.rows(REFUND, [paid.payment, 140, '[]'])

    for (const status of ['cancelled', 'new', 'cancelled'])
      await sql.rows(SET_STATUS, [paid.order.id, status])

    expect(await tasksOf(sql, paid)).toMatchObject([
      { amount: '790.00', ended_as: 'withdrawn' },
      { amount: '790.00', is_open: true },
    ])
  })

  test('does not let a packer reinstate an order', async ({ sql }) => {
    const { order } = await aCancelledOrder(sql)
    await sql.asShop()
    await sql.as(await aPacker(sql))

    expect(await sql.refusal(SET_STATUS, [order.id, 'new'])).toMatchObject({ code: '42501' })
  })
})

describe('order with money', () => {
  test('refuses to delete a paid order or any of the lines, and explains the next step', async ({ sql }) => {
    const { order } = await aPaidOrder(sql)

    for (const statement of [
      'delete from public.order_items where order_id = $1',
      'delete from public.orders where id = $1',
    ]) {
      expect(await sql.refusal(statement, [order.id])).toMatchObject({
        code: 'PT409',
        reason: 'order_holds_money',
        message: expect.stringContaining('Cancel and refund it before you delete it.'),
      })
    }
  })

  test('deletes a cancelled and refunded order', async ({ sql }) => {
    const { order, payment } = await aPaidOrder(sql)
    await sql.rows(SET_STATUS, [order.id, 'cancelled'])
    await sql.rows(REFUND, [payment, 930, '[]'])

    await sql.rows('delete from public.order_items where order_id = $1', [order.id])
    await sql.rows('delete from public.orders where id = $1', [order.id])

    expect(await sql.value('select count(*)::int from public.orders where id = $1', [order.id])).toBe(0)
  })

  test('deletes an unpaid order together with all lines', async ({ sql }) => {
    const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210, delivery })
    await sql.as(await anAdmin(sql))

    await sql.rows('delete from public.order_items where order_id = $1', [order.id])
    await sql.rows('delete from public.orders where id = $1', [order.id])

    expect(await sql.value('select count(*)::int from public.orders where id = $1', [order.id])).toBe(0)
  })
})
