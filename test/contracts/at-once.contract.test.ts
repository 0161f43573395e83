/** Many buyers act concurrently, each with the official client. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fakePayfast, type FakePayfast } from '#test/fake-payfast.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { delivery, popper, stickBait } from '#test/shopping.ts'

let shop: TestShop
let payfast: FakePayfast
let crowd: Person[]

beforeAll(async () => {
  payfast = await fakePayfast()
  const { account } = payfast
  shop = await openShop({ payfast: { ...account, passphrase: account.passphrase } })
  crowd = await signUpInBatches(100)
}, 120_000)
afterAll(async () => {
  await shop.close()
  await payfast.close()
})

it('places three orders when fifty buyers compete for three lures', async () => {
  await setStock(popper.product_variant, 3)
  const buyers = crowd.slice(0, 50)
  await fillCarts(buyers, popper)

  const outcomes = await Promise.all(buyers.map((buyer, i) => place(buyer, { i, total: popper.price + 100 })))

  expect(tally(outcomes)).toEqual({ placed: 3, sold_out: 47 })
})

it('allows five uses when a hundred orders compete for a promo code with a limit of five', async () => {
  const { error } = await shop.serviceClient().from('promo_codes').insert({
    code: 'FIVE',
    discount_type: 'fixed',
    discount_value: 10,
    usage_limit: 5,
  })
  expect(error).toBeNull()
  await setStock(stickBait.product_variant, 1000)
  await fillCarts(crowd, stickBait)

  const outcomes = await Promise.all(
    crowd.map((buyer, i) => place(buyer, { i, total: stickBait.price + 90, promo_code: 'FIVE' })),
  )

  expect(tally(outcomes)).toEqual({ placed: 5, promo_invalid: 95 })
  const { data } = await shop
    .serviceClient()
    .from('promo_codes')
    .select('times_used')
    .eq('code', 'FIVE')
    .single()
  expect(data?.times_used).toBe(5)
})

it('records one payment and sends each mail once for twenty copies of a payment notice', async () => {
  const [buyer] = crowd
  if (!buyer) throw new Error('there are no buyers')
  await setStock(popper.product_variant, 5)
  await fillCarts([buyer], popper)
  await place(buyer, { i: 0, total: popper.price + 100 })
  const { data: order } = await buyer.client
    .from('orders')
    .select('id')
    .eq('status', 'pending_payment')
    .single()
  const { data: payment } = await buyer.client.functions.invoke('generate-payfast-payment', {
    body: { orderId: order?.id, amount: popper.price + 100 },
  })
  const { m_payment_id, amount: amount_gross } = payment.paymentData
  const body = payfast.notice({ m_payment_id, amount_gross })

  const answers = await Promise.all(
    Array.from({ length: 20 }, () =>
      shop.fetch('/payments/payfast/notice', {
        method: 'POST',
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
        body,
      }),
    ),
  )
  await Promise.all([shop.runJobs(), shop.runJobs(), shop.runJobs()])

  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
  const staff = shop.serviceClient()
  const { data: payments } = await staff
    .from('payments')
    .select('outcome')
    .eq('order_id', order?.id ?? '')
  expect(payments).toEqual([{ outcome: 'paid' }])
  const { rows: mails } = await shop.database.owner.query(
    `select template, status from public.mails where key like '%' || $1 order by template`,
    [order?.id],
  )
  expect(mails).toEqual([
    { template: 'order-confirmation', status: 'sent' },
    { template: 'order-notification', status: 'sent' },
  ])
  const { data: notices } = await staff.from('payment_notices').select('id').eq('m_payment_id', m_payment_id)
  expect(notices).toHaveLength(20)
})

async function setStock(name: string, stock_quantity: number): Promise<void> {
  const { error } = await shop
    .serviceClient()
    .from('product_variants')
    .update({ stock_quantity })
    .eq('name', name)
  if (error) throw error
}

async function fillCarts(buyers: Person[], line: typeof popper | typeof stickBait): Promise<void> {
  await Promise.all(
    buyers.map(async ({ client, userId }) => {
      await client.from('cart_items').delete().eq('user_id', userId)
      const { error } = await client.from('cart_items').insert({ user_id: userId, ...line, quantity: 1 })
      if (error) throw error
    }),
  )
}

interface Placing {
  /** The buyer's number, for a unique phone. */
  i: number
  total: number
  promo_code?: string
}

/** Returns `placed` or the error's details. */
async function place({ client, email }: Person, { i, total, promo_code }: Placing): Promise<string> {
  const { error } = await client.rpc('place_order', {
    idempotency_key: crypto.randomUUID(),
    delivery: { ...delivery, email, phone: `082 555 ${String(1000 + i)}` },
    expected_total: total,
    ...(promo_code && { promo_code }),
  })
  return error ? error.details : 'placed'
}

function tally(outcomes: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** Signs up ten people at a time, because hashing a hundred passwords at once would exceed limits that other tests cover. */
async function signUpInBatches(count: number): Promise<Person[]> {
  const people: Person[] = []
  while (people.length < count) {
    // oxlint-disable-next-line no-await-in-loop -- the batches
    people.push(...(await Promise.all(Array.from({ length: 10 }, () => shop.signUp()))))
  }
  return people
}
