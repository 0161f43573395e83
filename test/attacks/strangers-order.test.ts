import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeOrder } from '#test/shopping.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'

let shop: TestShop
beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

const CALLS = [
  'generate-payfast-payment',
  'update-order-status',
  'send-order-confirmation',
  'send-order-notification',
]

async function answer({ client }: Pick<Person, 'client'>, name: string, orderId: string) {
  const { response } = await client.functions.invoke(name, { body: { orderId, amount: 600 } })
  return { status: response?.status, body: await response?.text() }
}

it.each(CALLS)('hides an order in %s from a session without the second factor', async (name) => {
  const customer = await shop.signUp()
  const { id } = await placeOrder(customer)
  await shop.database.owner.query(
    `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret)
     values (gen_random_uuid(), $1, 'Phone', 'totp', 'verified', 'x')`,
    [customer.userId],
  )
  const none = await answer(customer, name, crypto.randomUUID())

  expect(none.status).toBe(404)
  expect(await answer(customer, name, id)).toEqual(none)
})

it.each(CALLS)('hides a customer’s order in %s from strangers and visitors', async (name) => {
  const { id } = await placeOrder(await shop.signUp())

  for (const caller of [await shop.signUp(), { client: shop.client() }]) {
    expect(await answer(caller, name, id)).toEqual(await answer(caller, name, crypto.randomUUID()))
  }
})
