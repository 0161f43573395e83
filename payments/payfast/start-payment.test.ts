import { afterAll, beforeAll, expect, it } from 'vitest'

import { aBuyer, placeOrder } from '#test/buyer.ts'
import { shopDatabase, type TestDatabase } from '#test/database.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'

import { type PayableOrder, startPayment } from './start-payment.ts'

let shop: TestDatabase
let payfast: FakePayfast
let order: PayableOrder
beforeAll(async () => {
  shop = await shopDatabase()
  payfast = await fakePayfast()
  const { id } = await placeOrder(shop.database, await aBuyer(shop.database))
  order = { id, customerName: "Thandi O'Neill", customerEmail: 'thandi@example.com', customerPhone: null }
})
afterAll(async () => {
  await payfast.close()
  await shop.close()
})

async function formFor(change: Partial<PayableOrder>): Promise<Record<string, string>> {
  const parts = { database: shop.database, publicUrl: 'https://shop.example', payfast: payfast.account }
  return (await startPayment({ ...order, ...change }, parts)).paymentData
}

it.each([
  ['082 555 0148', '0825550148'],
  ['+27 82 555 0148', '0825550148'],
  ['0027825550148', '0825550148'],
  ['+27 (0)82 555 0148', '0825550148'],
])('sends the phone number %s to PayFast as %s', async (customerPhone, number) => {
  expect((await formFor({ customerPhone })).cell_number).toBe(number)
})

it.each(['+44 20 7946 0958', '+264 81 123 4567', '082 555', null])(
  'sends PayFast no phone number for %s, which it would refuse',
  async (customerPhone) => {
    expect(await formFor({ customerPhone })).not.toHaveProperty('cell_number')
  },
)

it.each([
  ['Thandi van der Merwe', 'Thandi', 'van der Merwe'],
  ['  Thandi   Mokoena ', 'Thandi', 'Mokoena'],
])('sends the name %j to PayFast as %s and %s', async (customerName, first, last) => {
  expect(await formFor({ customerName })).toMatchObject({ name_first: first, name_last: last })
})

it('sends PayFast no last name for a buyer with one name', async () => {
  const form = await formFor({ customerName: 'Thandi' })

  expect(form.name_first).toBe('Thandi')
  expect(form).not.toHaveProperty('name_last')
})

it('leads a buyer who pays from the order’s page and cancels back to it', async () => {
  const parts = { database: shop.database, publicUrl: 'https://shop.example', payfast: payfast.account }

  const { paymentData } = await startPayment(order, parts, { returnsToOrder: true })

  expect(paymentData.cancel_url).toBe(`https://shop.example/account/orders/${order.id}`)
  expect((await formFor({})).cancel_url).toBe(`https://shop.example/payment-cancelled?order_id=${order.id}`)
})
