import { expect } from 'vitest'
import { aCustomer, anAdmin, markOrderPaid, orderOf, popper } from './shopping.ts'
import { test } from './sql.ts'

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
