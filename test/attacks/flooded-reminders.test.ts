import { afterAll, beforeAll, expect, it } from 'vitest'

import { openShop, type TestShop } from '#test/shop.ts'
import { delivery, popper, putInCart } from '#test/shopping.ts'

/** The attack: accounts are free, and each can leave an unpaid order with the victim's address. */

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

it('reminds a mailbox of one unpaid order a day, whatever accounts and spellings the orders have', async () => {
  for (const email of [
    'victim@example.com',
    'victim+1@example.com',
    'victim+2@example.com',
    'sipho@example.com',
  ])
    await orderWith(email)

  expect(await remind()).toBe(2)
  expect(await remind()).toBe(0)

  await shop.database.owner.query(`update public.mails set created_at = created_at - interval '25 hours'`)
  expect(await remind()).toBe(1)
})

async function orderWith(email: string): Promise<void> {
  const customer = await shop.signUp()
  await putInCart(customer, popper)
  const { error } = await customer.client.rpc('place_order', {
    idempotency_key: crypto.randomUUID(),
    delivery: { ...delivery, email },
    expected_total: 210,
  })
  if (error) throw error
}

async function remind(): Promise<number> {
  const { owner } = shop.database
  await owner.query(`update public.orders set reserved_until = now() - interval '12 hours'`)
  const { rows } = await owner.query('select private.remind_unpaid_orders() as reminded')
  return rows[0].reminded
}
