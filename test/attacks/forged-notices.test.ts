import { afterAll, beforeAll, expect, it } from 'vitest'

import { shopLimits } from '#server/limits.ts'
import { openPayingShop, PAYFAST_ADDRESS, type PaymentAttempt, type PayingShop } from '#test/paying-shop.ts'

/** The attack: one address floods the shop with forged notices. Each costs a database query and a log line, and some are stored. */
const ATTACKER = '192.0.2.77'
const { tries } = shopLimits.refusedNotice.limit

let paying: PayingShop
let payment: PaymentAttempt
beforeAll(async () => {
  paying = await openPayingShop()
  payment = await paying.aPayment()
})
afterAll(() => paying.close())

async function forge(from: string, times: number): Promise<number[]> {
  const answers = await Promise.all(
    Array.from({ length: times }, () =>
      paying.shop.fetch('/payments/payfast/notice', {
        method: 'POST',
        body: paying.bodyFor({ form: { m_payment_id: 'stranger', amount: '600.00' } }, {}, 'a guess'),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded', 'X-Forwarded-For': from },
      }),
    ),
  )
  return answers.map(({ status }) => status)
}

it('rejects forged payment notices from a network address that has sent too many', async () => {
  expect(new Set(await forge(ATTACKER, tries))).toEqual(new Set([400]))

  expect(await forge(ATTACKER, 5)).toEqual([429, 429, 429, 429, 429])
})

it('counts forged payment notices separately for each network address', async () => {
  expect(await forge('192.0.2.78', 1)).toEqual([400])
})

it('never rate-limits PayFast’s network addresses, even if the shop has a wrong passphrase', async () => {
  expect(new Set(await forge(PAYFAST_ADDRESS, tries + 5))).toEqual(new Set([400]))
})

it('accepts a genuine payment notice from an address that has sent too many forged notices', async () => {
  expect(await paying.notify(paying.bodyFor(payment), { forwardedFor: ATTACKER })).toBe(200)

  expect(await paying.stateOf(payment.order)).toMatchObject({ status: 'new', payments: 1 })
})
