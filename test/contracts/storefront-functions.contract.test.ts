import { FunctionsHttpError, type SupabaseClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { delivery, placeOrder, stickBait, type Placed } from '#test/shopping.ts'

let shop: TestShop
let customer: Person
let stranger: Person
let order: Placed
beforeAll(async () => {
  shop = await openShop()
  customer = await shop.signUp()
  stranger = await shop.signUp()
  order = await placeOrder(customer)
})
afterAll(() => shop.close())

async function invoke(
  client: SupabaseClient,
  name: string,
  body: object,
): Promise<{ status: number; answer: unknown }> {
  const { data, error } = await client.functions.invoke(name, { body })
  if (error instanceof FunctionsHttpError) {
    const response: Response = error.context
    return { status: response.status, answer: await response.json() }
  }
  if (error) throw error
  return { status: 200, answer: data }
}

const paymentFor = (placed: Placed) => ({
  orderId: placed.id,
  amount: placed.total_amount,
  customerEmail: customer.email,
  customerName: 'Thandi Mokoena',
  orderNumber: placed.order_number,
})

const mailFor = (placed: Placed) => ({
  orderId: placed.id,
  orderNumber: placed.order_number,
  customerEmail: customer.email,
  customerName: 'Thandi Mokoena',
  items: [
    {
      product_name: stickBait.product_name,
      quantity: 1,
      price: 500,
      product_variant: stickBait.product_variant,
      with_hooks: true,
    },
  ],
  totalAmount: placed.total_amount,
  shippingCost: 100,
  shippingMethod: delivery.shipping_method,
  shippingAddress: delivery.address,
  shippingCity: delivery.city,
  shippingState: delivery.state,
  shippingZip: delivery.zip_code,
})

// covers S7.11
it('returns the URL and the fields of a payment form', async () => {
  const { status, answer } = await invoke(customer.client, 'generate-payfast-payment', paymentFor(order))

  expect(status).toBe(200)
  expect(answer).toMatchObject({
    payfastUrl: shop.settings.payfast.processUrl,
    paymentData: {
      merchant_id: shop.settings.payfast.merchantId,
      amount: '600.00',
      signature: expect.stringMatching(/^[0-9a-f]{32}$/),
      return_url: expect.stringContaining(`/payment-success?order_id=${order.id}`),
      cancel_url: expect.stringContaining(`/payment-cancelled?order_id=${order.id}`),
    },
  })
})

it('rejects a payment form for another amount than the order’s', async () => {
  const cheaper = { ...paymentFor(order), amount: 5 }

  const { status } = await invoke(customer.client, 'generate-payfast-payment', cheaper)

  expect(status).toBe(409)
})

// covers S4.16
it('reports an unpaid order as unpaid without changing the order', async () => {
  const { answer } = await invoke(customer.client, 'update-order-status', { orderId: order.id })

  const { data } = await customer.client.from('orders').select('status').eq('id', order.id).single()
  expect(answer).toMatchObject({ paid: false })
  expect(data).toEqual({ status: 'pending_payment' })
})

// covers S4.16 S7.11
it('reports a paid order as paid', async () => {
  const buyer = await shop.signUp()
  const paid = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [paid.id])

  const { answer } = await invoke(buyer.client, 'update-order-status', { orderId: paid.id })

  expect(answer).toMatchObject({ success: true, paid: true })
})

it.each([
  ['generate-payfast-payment', paymentFor],
  ['update-order-status', ({ id }: Placed) => ({ orderId: id })],
  ['send-order-confirmation', mailFor],
  ['send-order-notification', mailFor],
])('rejects a call of %s by a stranger or a visitor', async (name, bodyFor) => {
  const foreign = await invoke(stranger.client, name, bodyFor(order))
  const anonymous = await invoke(shop.client(), name, bodyFor(order))

  expect(foreign.status).toBeGreaterThanOrEqual(400)
  expect(anonymous.status).toBeGreaterThanOrEqual(400)
})

// covers S7.12 S8.16
it('sends each mail of a paid order once, even if the page requests the mails twice', async () => {
  const buyer = await shop.signUp()
  const paid = await placeOrder(buyer)
  await shop.database.owner.query('select private.mark_order_paid($1, now())', [paid.id])

  for (const name of ['send-order-confirmation', 'send-order-confirmation', 'send-order-notification']) {
    expect(await invoke(buyer.client, name, mailFor(paid))).toMatchObject({ status: 200 })
  }

  await shop.runJobs()
  const { rows } = await shop.database.owner.query(
    `select template, count(*)::int from public.mails where props::text like $1 or key like $1 group by template order by 1`,
    [`%${paid.id}%`],
  )
  expect(rows.map(({ count }: { count: number }) => count)).toEqual(rows.map(() => 1))
})

it('names an unknown server function in the error', async () => {
  const { status } = await invoke(customer.client, 'send-everything', {})

  expect(status).toBe(404)
})
