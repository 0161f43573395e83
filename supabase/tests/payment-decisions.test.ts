import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { POPPER_150 } from '#test/product-names.ts'
import {
  aCustomer,
  anAdmin,
  orderOf,
  popper,
  setStock,
  stockCounts,
  type OrderRecord,
  type UserClaims,
} from './shopping.ts'
import { type TestTransaction, test } from './sql.ts'

interface Scene {
  customer: UserClaims
  admin: UserClaims
  order: OrderRecord
}

/** Two poppers for R320.00 that await payment. */
async function anUnpaidOrder(sql: TestTransaction): Promise<Scene> {
  const [customer, admin] = [await aCustomer(sql), await anAdmin(sql)]
  const order = await orderOf(sql, customer, { lines: [{ ...popper, quantity: 2 }], total: 320 })
  return { customer, admin, order }
}

/** The same, paid by EFT. The session becomes the admin's. */
async function aPaidOrder(sql: TestTransaction): Promise<Scene & { payment: string }> {
  const scene = await anUnpaidOrder(sql)
  await sql.as(scene.admin)
  await sql.rows(`select public.record_payment($1, 'eft')`, [scene.order.id])
  const payment = await sql.value<string>('select id from public.payments where order_id = $1', [
    scene.order.id,
  ])
  return { ...scene, payment }
}

/** PayFast confirms a payment of this amount. Returns its id. The session becomes the shop's. */
async function confirm(sql: TestTransaction, { order }: Scene, amount: number): Promise<string> {
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
  return sql.value<string>('select id from public.payments where pf_payment_id = $1', [attempt])
}

const setStatus = (sql: TestTransaction, { order }: Scene, status: string) =>
  sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])

/** Returns the refund's id. */
const refund = (
  sql: TestTransaction,
  { payment, amount, returned = [] }: { payment: string; amount: number; returned?: object[] },
) =>
  sql.value<string>(`select (public.record_refund($1, $2, 'Parcel lost', $3)).id`, [
    payment,
    amount,
    JSON.stringify(returned),
  ])

const mailed = async (sql: TestTransaction, template: string) => {
  await sql.asShop()
  return sql.value('select props from public.mails where template = $1', [template])
}

describe('a short payment', () => {
  test.for(['customer_id', 'customer_email'])(
    'refuses to ask for the difference of an order without %s',
    async (column, { sql }) => {
      const scene = await anUnpaidOrder(sql)
      const payment = await confirm(sql, scene, 300)
      await sql.rows(`update public.orders set ${column} = null where id = $1`, [scene.order.id])
      await sql.as(scene.admin)

      expect(await sql.refusal('select public.request_top_up($1)', [payment])).toMatchObject({
        code: 'PT409',
        reason: 'no_account',
      })
    },
  )

  test('states what was paid and what is missing in the mail that asks for the difference', async ({
    sql,
  }) => {
    const scene = await anUnpaidOrder(sql)
    const payment = await confirm(sql, scene, 300)
    await sql.as(scene.admin)

    await sql.rows('select public.request_top_up($1)', [payment])

    expect(await mailed(sql, 'payment-top-up')).toMatchObject({ amountPaid: 300, amountDue: 20 })
  })

  test('records on the timeline what was paid and what was waived', async ({ sql }) => {
    const scene = await anUnpaidOrder(sql)
    const payment = await confirm(sql, scene, 300)
    await sql.as(scene.admin)

    await sql.rows('select public.accept_short_payment($1)', [payment])

    expect(
      await sql.value(`select detail from public.order_events where kind = 'short_payment_accepted'`),
    ).toEqual({ amount: 300, shortfall: 20 })
  })

  test('keeps the first note when a second admin resolves its issue', async ({ sql }) => {
    const scene = await anUnpaidOrder(sql)
    await confirm(sql, scene, 300)
    const issue = await sql.value('select id from public.open_payment_issues')
    const resolve = 'select public.resolve_payment_issue($1, $2)'
    await sql.as(scene.admin)
    await sql.rows(resolve, [issue, 'Pieter called'])

    expect(await sql.refusal(resolve, [issue, 'Nothing to do'])).toMatchObject({ reason: 'issue_resolved' })
    expect(await sql.rows('select note, resolved_by from public.payment_issue_resolutions')).toEqual([
      { note: 'Pieter called', resolved_by: scene.admin.sub },
    ])
    expect(await sql.refusal(resolve, [randomUUID(), 'Pieter called'])).toMatchObject({
      code: 'PT404',
      reason: 'issue_not_found',
    })
  })
})

describe('the refund task of a cancelled order', () => {
  test('records on the timeline what was kept after a partial refund, and nothing is due any more', async ({
    sql,
  }) => {
    const scene = await aPaidOrder(sql)
    await setStatus(sql, scene, 'cancelled')
    await refund(sql, { payment: scene.payment, amount: 100 })

    await sql.rows(`select public.dismiss_refund_task(id, 'They took credit') from public.refund_tasks`)

    expect(await sql.value(`select detail from public.order_events where kind = 'refund_dismissed'`)).toEqual(
      { amount: 220, reason: 'They took credit' },
    )
    await sql.as(scene.customer)
    expect(await sql.value('select public.get_order($1)', [scene.order.id])).toMatchObject({
      refund_due: 0,
      held_amount: 220,
    })
  })

  test('counts a payment that arrives after a partial refund in full', async ({ sql }) => {
    const scene = await aPaidOrder(sql)
    await setStatus(sql, scene, 'cancelled')
    await refund(sql, { payment: scene.payment, amount: 100 })

    await confirm(sql, scene, 320)

    expect(await sql.row('select amount, outstanding from public.refund_tasks')).toEqual({
      amount: '640.00',
      outstanding: '540.00',
    })
  })

  test('names the admin who reinstated the order', async ({ sql }) => {
    const scene = await aPaidOrder(sql)
    await setStatus(sql, scene, 'cancelled')
    await setStatus(sql, scene, 'new')

    expect(await sql.row('select ended_as, ended_by from public.refund_tasks')).toEqual({
      ended_as: 'withdrawn',
      ended_by: scene.admin.sub,
    })
  })
})

describe('mail about a refund', () => {
  test('names no method of money that the order no longer holds', async ({ sql }) => {
    const { payment } = await aPaidOrder(sql)

    await refund(sql, { payment, amount: 320 })

    expect(await mailed(sql, 'refund')).toMatchObject({ money: { received: 320, refunded: 320, ways: [] } })
  })

  test.for([true, false])(
    'says in its correction whether lures had come back: %s',
    async (hadReturns, { sql }) => {
      const { order, payment } = await aPaidOrder(sql)
      const returned = await sql.rows(
        'select order_item_id, 1 as quantity from public.returnable_items($1) where $2',
        [order.id, hadReturns],
      )
      const id = await refund(sql, { payment, amount: 100, returned })

      await sql.rows(`select public.withdraw_refund($1, 'Never paid')`, [id])

      expect(await mailed(sql, 'refund-correction')).toMatchObject({ refundAmount: 100, hadReturns })
    },
  )
})

test('takes only the units in stock when the refund of made-to-order lures is withdrawn', async ({ sql }) => {
  await setStock(sql, popper, 2)
  const { admin, order, payment } = await aPaidOrder(sql)
  const returned = await sql.rows('select order_item_id, 2 as quantity from public.returnable_items($1)', [
    order.id,
  ])
  const id = await refund(sql, { payment, amount: 100, returned })
  await sql.asShop()
  await sql.rows('update public.products set made_to_order = true where name = $1', [POPPER_150])
  await setStock(sql, popper, 1)
  await sql.as(admin)

  await sql.rows(`select public.withdraw_refund($1, 'Never paid')`, [id])

  await sql.asShop()
  expect((await stockCounts(sql, popper)).stock).toBe(0)
})
