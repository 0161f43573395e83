import { expect } from 'vitest'
import { aCustomer, anAdmin, markOrderPaid, orderOf, popper } from './shopping.ts'
import { test, type TestTransaction } from './sql.ts'

test.for([
  { status: 'processing', mail: 'order-status-update' },
  { status: 'delivered', mail: 'order-status-update' },
  { status: 'cancelled', mail: 'order-status-update' },
])('sends the mail $mail once when a paid order becomes $status', async ({ status, mail }, { sql }) => {
  const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  await sql.as(await anAdmin(sql))

  await sql.rows('update public.orders set status = $2 where id = $1', [order.id, status])

  await sql.asShop()
  // Runs the triggers that queue mails, which are deferred to the end of the transaction.
  await sql.rows('set constraints all immediate')
  const mails = await sql.rows(
    `select template from public.mails
     where props ->> 'orderId' = $1 and recipient is not null and template <> 'order-confirmation'`,
    [order.id],
  )
  expect(mails).toEqual([{ template: mail }])
})

/** A paid order that staff set to a status with the tracking number TCG 1, whose mails are queued. */
async function trackedOrder(sql: TestTransaction, status: 'shipped' | 'delivered'): Promise<{ id: string }> {
  const order = await orderOf(sql, await aCustomer(sql), { lines: [popper], total: 210 })
  await markOrderPaid(sql, order)
  await sql.as(await anAdmin(sql))
  await sql.rows(`update public.orders set status = $2, tracking_number = 'TCG 1' where id = $1`, [
    order.id,
    status,
  ])
  await sql.rows('set constraints all immediate')
  await sql.rows('set constraints all deferred')
  return order
}

async function mailedNumbers(sql: TestTransaction, order: { id: string }): Promise<unknown[]> {
  await sql.asShop()
  await sql.rows('set constraints all immediate')
  const mails = await sql.rows(
    `select props ->> 'trackingNumber' as number from public.mails
     where props ->> 'orderId' = $1 and template = 'order-status-update' order by props ->> 'trackingNumber'`,
    [order.id],
  )
  return mails.map(({ number }) => number)
}

test('sends a new mail when the tracking number of a shipped order changes, and none when it stays', async ({
  sql,
}) => {
  const order = await trackedOrder(sql, 'shipped')

  for (const number of ['TCG 2', 'TCG 2'])
    await sql.rows('update public.orders set tracking_number = $2 where id = $1', [order.id, number])

  expect(await mailedNumbers(sql, order)).toEqual(['TCG 1', 'TCG 2'])
})

test('sends no mail when the tracking number of a delivered order is corrected', async ({ sql }) => {
  const order = await trackedOrder(sql, 'delivered')

  await sql.rows(`update public.orders set tracking_number = 'TCG 2' where id = $1`, [order.id])

  expect(await mailedNumbers(sql, order)).toEqual(['TCG 1'])
})
