import { afterAll, beforeAll, expect, it } from 'vitest'

import { aBuyer, placeOrder } from '#test/buyer.ts'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { openShop, type TestShop } from '#test/shop.ts'

let shop: TestShop
let payfast: FakePayfast
beforeAll(async () => {
  payfast = await fakePayfast()
  shop = await openShop({ payfast: { ...payfast.account, mode: 'live' }, publicUrl: 'https://shop.example' })
})
afterAll(async () => {
  await shop.close()
  await payfast.close()
})

/** Starts the payment of an order that a promo code reduces to this total, in rand. */
async function payTotalOf(total: string) {
  const { owner } = shop.database
  const code = `LEAVES-${total.replace('.', '-')}`
  await owner.query(
    `insert into public.promo_codes (code, discount_type, discount_value) values ($1, 'fixed', 240 - $2::numeric)`,
    [code, total],
  )
  const order = await placeOrder(shop.database, await aBuyer(shop.database), { promoCode: code })
  const body = { orderId: order.id, amount: order.total_amount }
  const { data, error } = await shop.serviceClient().functions.invoke('generate-payfast-payment', { body })
  return error ? error.context.json() : data
}

it('starts a live payment of R5.00, and none of a cent less', async () => {
  expect(await payTotalOf('5.00')).toMatchObject({ paymentData: { amount: '5.00' } })
  expect(await payTotalOf('4.99')).toMatchObject({ code: 'amount_too_small' })
})
