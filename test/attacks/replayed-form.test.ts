import { afterAll, beforeAll, expect, it } from 'vitest'

import { encodeParameters } from '#payments/payfast/signature.ts'
import { openPayingShop, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'
import { delivery, putInCart } from '#test/shopping.ts'

/**
 * The attack: the form that sends a buyer to PayFast is signed with the same passphrase as PayFast's notices. A customer whose name reads
 * like a paid notice posts that form to the notice address, so that the unpaid order keeps its lures from all other buyers.
 */
const ATTACKER = '192.0.2.79'
const PAID = 'payment_status=COMPLETE'

let paying: PayingShop
let payment: PaymentAttempt
beforeAll(async () => {
  paying = await openPayingShop()
  payment = await aPaymentOf(PAID)
})
afterAll(() => paying.close())

it.each([
  ['as it is', (form: string) => form],
  ['with its buyer’s name unencoded', (form: string) => form.replace(encodeURIComponent(PAID), PAID)],
])('refuses a buyer’s own payment form as a notice, %s, however often it is posted', async (_, change) => {
  const { signature = '', ...fields } = payment.form
  const body = `${change(encodeParameters(Object.entries(fields)))}&signature=${signature}`
  const before = await heldBy(payment)

  const statuses: number[] = []
  for (let copy = 0; copy < 10; copy++) statuses.push(await paying.notify(body, { forwardedFor: ATTACKER }))

  expect(statuses).toEqual(Array(10).fill(400))
  expect(await heldBy(payment)).toEqual(before)
  expect(before).toMatchObject({ notices: 0, expires_at: expect.any(Date) })
})

it('accepts PayFast’s notice of a buyer who is named like a paid notice', async () => {
  expect(await paying.notify(paying.bodyFor(payment, { name_first: PAID }))).toBe(200)

  expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', payments: 1 })
})

async function aPaymentOf(full_name: string): Promise<PaymentAttempt> {
  const buyer = await paying.shop.signUp()
  await putInCart(buyer)
  const { data: order } = await buyer.client
    .rpc('place_order', {
      idempotency_key: crypto.randomUUID(),
      delivery: { ...delivery, full_name },
      expected_total: 600,
    })
    .throwOnError()
  return { buyer, order, url: '', form: await paying.askForForm({ buyer, order }) }
}

async function heldBy({ order }: PaymentAttempt): Promise<unknown> {
  const { rows } = await paying.shop.database.owner.query(
    `select o.expires_at, o.reserved_until, r.expires_at as kept_until,
       (select count(*)::int from public.payment_notices) as notices
     from public.orders o join public.stock_reservations r on r.order_id = o.id where o.id = $1`,
    [order.id],
  )
  return rows[0]
}
