import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createClient } from '@supabase/supabase-js'
import type { ShopDatabase } from '#database'
import type { Checkout } from '#domain/validation/checkout.ts'
import { installStorage } from '#test/browser-storage.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import {
  idempotencyKeyFor,
  isPlacedHere,
  isSameOrder,
  unsettledAttempt,
  type PlaceOrderInput,
} from './attempt.ts'
import { preparePayment } from '#app/storefront/order/payment.ts'
import { placeOrder, sendAttempt, saveAddress } from './place-order.ts'
import { checkPromoCode } from './promo.ts'

let shop: TestShop
let buyer: Person

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(async () => {
  installStorage()
  buyer = await shop.signUp()
  await putIntoCart({ quantity: 1 })
})

const VARIANT = 'Blue Reaper 200mm'

async function putIntoCart({ quantity }: { quantity: number }) {
  const { error } = await buyer.client.from('cart_items').insert({
    user_id: buyer.userId,
    product_name: 'Chisel Nose Popper 200mm/50G',
    product_variant: VARIANT,
    price: 140,
    quantity,
    with_hooks: false,
    image_url: null,
  })
  if (error) throw error
}

const orderInput = (change: Partial<PlaceOrderInput> = {}): PlaceOrderInput => ({
  delivery: {
    full_name: 'Thandi Mokoena',
    email: buyer.email,
    phone: '+27825550148',
    address: '12 Beach Road',
    city: 'Kenton-on-Sea',
    state: 'Eastern Cape',
    zip_code: '6191',
    shipping_method: 'locker',
    locker_location: 'Spar, Kenton-on-Sea',
    notes: '',
  },
  expected_total: 240,
  promo_code: null,
  ...change,
})

const place = (input = orderInput()) => placeOrder(buyer.client, { input, cart: 'cart' })

async function orderCount() {
  const { count } = await buyer.client.from('orders').select('id', { count: 'exact', head: true })
  return count
}

it('places an order and clears the stored attempt', async () => {
  const result = await place()

  expect(result).toMatchObject({
    outcome: 'placed',
    order: { status: 'pending_payment', totalCents: 240_00 },
  })
  expect(unsettledAttempt()).toBeNull()
})

it('reuses an order’s idempotency key until the form or cart changes', () => {
  const key = idempotencyKeyFor(orderInput(), 'cart')

  expect(idempotencyKeyFor(orderInput(), 'cart')).toBe(key)
  expect(idempotencyKeyFor(orderInput(), 'another cart')).not.toBe(key)
})

it('keeps the idempotency key of an order whose outcome is unknown', async () => {
  const key = idempotencyKeyFor(orderInput(), 'cart')
  const lost = createClient<ShopDatabase>('http://shop.example', 'key', {
    global: { fetch: () => Promise.resolve(new Response('{"message":"gone"}', { status: 502 })) },
  })

  await expect(sendAttempt(lost, { input: orderInput(), key })).rejects.toBeDefined()
  expect(unsettledAttempt()?.key).toBe(key)

  await place(orderInput({ expected_total: 1 }))
  expect(unsettledAttempt()).toBeNull()
})

it('orders anew when the order of an attempt whose response was lost has been cancelled since', async () => {
  const key = idempotencyKeyFor(orderInput(), 'cart')
  await buyer.client.rpc('place_order', { idempotency_key: key, ...orderInput() }).throwOnError()
  await buyer.client
    .from('orders')
    .update({ status: 'cancelled' })
    .eq('customer_id', buyer.userId)
    .throwOnError()

  expect(await place()).toMatchObject({ outcome: 'placed', order: { status: 'pending_payment' } })
  expect(await orderCount()).toBe(2)
})

const markPaid = (id: string) => shop.database.owner.query('select private.mark_order_paid($1, now())', [id])

async function loseAnswer(input = orderInput()): Promise<string> {
  const key = idempotencyKeyFor(input, 'cart')
  const { data } = await buyer.client.rpc('place_order', { idempotency_key: key, ...input }).throwOnError()
  return data.id
}

it('orders anew when the order of an attempt whose response was lost was paid before the cart was filled again', async () => {
  await markPaid(await loseAnswer())
  await putIntoCart({ quantity: 1 })

  expect(await place()).toMatchObject({ outcome: 'placed', order: { status: 'pending_payment' } })
  expect(await orderCount()).toBe(2)
})

it('finds the order of an attempt whose response was lost and that was paid since, while its cart is still on the page', async () => {
  const id = await loseAnswer()
  await markPaid(id)

  expect(await place()).toMatchObject({ outcome: 'placed', order: { id, isPaid: true } })
  expect(await orderCount()).toBe(1)
})

/** Presses while the shop cannot tell whether the cart has lines. */
async function pressWithoutQuotes() {
  const { owner } = shop.database
  await owner.query('revoke execute on function public.quote_cart from authenticated')
  const pressed = place().finally(() =>
    owner.query('grant execute on function public.quote_cart to authenticated'),
  )
  await expect(pressed).rejects.toBeDefined()
}

it('does not show the paid order of a lost response for a filled cart that could not be read', async () => {
  await markPaid(await loseAnswer())
  await putIntoCart({ quantity: 1 })

  await pressWithoutQuotes()

  expect(await place()).toMatchObject({ outcome: 'placed', order: { status: 'pending_payment' } })
  expect(await orderCount()).toBe(2)
})

it('finds the paid order of a lost response at the press after one at which the cart could not be read', async () => {
  const id = await loseAnswer()
  await markPaid(id)

  await pressWithoutQuotes()

  expect(await place()).toMatchObject({ outcome: 'placed', order: { id, isPaid: true } })
  expect(await orderCount()).toBe(1)
})

it('pays again in one press only for the order that this tab placed, with the same cart and delivery', async () => {
  const result = await place()
  const id = result.outcome === 'placed' ? result.order.id : ''
  const elsewhere = { ...orderInput().delivery, address: '14 Beach Road' }

  expect(isSameOrder(id, orderInput(), 'cart')).toBe(true)
  expect(isSameOrder(id, orderInput(), 'cart with another colour')).toBe(false)
  expect(isSameOrder(id, orderInput({ delivery: elsewhere }), 'cart')).toBe(false)
  expect(isSameOrder('another order', orderInput(), 'cart')).toBe(false)
})

it('reports an order for an empty cart as a changed price, so that the cart is shown again', async () => {
  await buyer.client.from('cart_items').delete().eq('user_id', buyer.userId)

  expect(await place()).toMatchObject({ outcome: 'price-changed', totalCents: null })
})

const setStatus = (status: string) =>
  shop.database.owner.query(
    `update public.products set status = $1, publish_at = case $1 when 'announced' then now() + interval '1 day' end where name like '%200mm%'`,
    [status],
  )

it.each(['hidden', 'announced'])('asks to remove a line whose lure is %s', async (status) => {
  await setStatus(status)
  const result = await place().finally(() => setStatus('live'))

  expect(result).toMatchObject({
    outcome: 'sold-out',
    message: expect.stringContaining('Change or remove the marked lines'),
  })
})

it('saves name, phone and address of an order for the next one, and not the locker', async () => {
  const {
    email: _email,
    shipping_method: _method,
    locker_location: _locker,
    notes: _notes,
    ...address
  } = orderInput().delivery
  const delivery = { ...address, email: 'other@example.com', notes: '', accept_terms: true } as const
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function reads nothing else.
  await saveAddress(buyer.client, { userId: buyer.userId, delivery: delivery as unknown as Checkout })

  const { data } = await buyer.client
    .from('profiles')
    .select('email, full_name, phone, address, city, state, zip_code')
    .single()
  expect(data).toEqual({ ...address, email: buyer.email })
})

it('places one order for a double click', async () => {
  const results = await Promise.all([place(), place()])

  expect(results.map(({ outcome }) => outcome)).toEqual(['placed', 'placed'])
  expect(await orderCount()).toBe(1)
})

it('prepares the payment for a placed order', async () => {
  const result = await place()
  if (result.outcome !== 'placed') throw new Error(result.outcome)

  const { payfastUrl, paymentData } = await preparePayment(buyer.client, result.order)

  expect(payfastUrl).toMatch(/^http/)
  expect(paymentData).toMatchObject({ amount: '240.00', email_address: buyer.email })
  expect(paymentData.cancel_url).toContain('/payment-cancelled')
})

it('prepares a payment that keeps the order when its buyer cancels', async () => {
  const result = await place()
  if (result.outcome !== 'placed') throw new Error(result.outcome)

  const { paymentData } = await preparePayment(buyer.client, { ...result.order, returnsToOrder: true })

  expect(paymentData.cancel_url).toContain(`/account/orders/${result.order.id}`)
})

it('knows the order that this tab placed last', async () => {
  const result = await place()
  if (result.outcome !== 'placed') throw new Error(result.outcome)

  expect(isPlacedHere(result.order.id)).toBe(true)
  expect(isPlacedHere(crypto.randomUUID())).toBe(false)
  installStorage()
  expect(isPlacedHere(result.order.id)).toBe(false)
})

it('refuses an order whose total has changed', async () => {
  expect(await place(orderInput({ expected_total: 1 }))).toEqual({
    outcome: 'price-changed',
    message: 'The total has changed to R240.00. Please check it and order again.',
    totalCents: 240_00,
  })
  expect(await orderCount()).toBe(0)
})

it('refuses the order of a page that shows another colour than the cart holds', async () => {
  const shown = { product_name: 'Chisel Nose Popper 200mm/50G', with_hooks: false, quantity: 1 }
  const placeShown = (product_variant: string) =>
    place(orderInput({ expected_lines: [{ ...shown, product_variant }] }))

  expect(await placeShown('Mahi Mahi 200mm')).toMatchObject({ outcome: 'price-changed' })
  expect(await orderCount()).toBe(0)
  expect(await placeShown(VARIANT)).toMatchObject({ outcome: 'placed' })
})

it('says what to do about an order that is too small for a live payment', async () => {
  const { owner } = shop.database
  await owner.query(
    `insert into public.promo_codes (code, discount_type, discount_value) values ('LEAVES-ONE', 'fixed', 239)`,
  )
  await owner.query(`select private.set_shop_rules('{"refund_way": "payfast"}')`)

  const result = await place(orderInput({ expected_total: 1, promo_code: 'LEAVES-ONE' })).finally(() =>
    owner.query(`select private.set_shop_rules('{"refund_way": "by_hand"}')`),
  )

  expect(result).toEqual({
    outcome: 'amount-too-small',
    message: "PayFast's minimum payment is R5.00. Please add a lure or remove the promo code.",
  })
  expect(await orderCount()).toBe(0)
})

it('reports sold-out lines and suggests how to continue', async () => {
  await buyer.client.from('cart_items').update({ quantity: 900 }).eq('user_id', buyer.userId)

  expect(await place(orderInput({ expected_total: 126_000 }))).toEqual({
    outcome: 'sold-out',
    message: 'We no longer have enough of some lures. Change or remove the marked lines, then order again.',
  })
})

it('reports each invalid field of a delivery', async () => {
  const input = orderInput()
  input.delivery.city = 'K'

  expect(await place(input)).toEqual({
    outcome: 'invalid',
    errors: { city: 'City must be at least 2 characters' },
  })
})

it('reports why a promo code is invalid', async () => {
  expect(await place(orderInput({ promo_code: 'NOPE' }))).toEqual({
    outcome: 'promo-refused',
    message: 'This promo code is not valid',
  })
  expect(await checkPromoCode(buyer.client, { code: 'NOPE', subtotalCents: 140_00 })).toEqual({
    title: 'Invalid Code',
    reason: 'This promo code is not valid',
  })
})

it('shows a message when promo code attempts are rate-limited', async () => {
  for (let number = 0; number < 20; number++) {
    // oxlint-disable-next-line no-await-in-loop -- one code after the other
    await checkPromoCode(buyer.client, { code: `TRY-${number}`, subtotalCents: 140_00 })
  }

  expect(await checkPromoCode(buyer.client, { code: '5OFFFIRST', subtotalCents: 1500_00 })).toEqual({
    title: 'Too Many Codes',
    reason: 'You have tried too many promo codes. Please try again in an hour.',
  })
  expect(await place(orderInput({ promo_code: '5OFFFIRST' }))).toEqual({
    outcome: 'promo-refused',
    message: 'You have tried too many promo codes. Please try again in an hour',
  })
})

it('shows the minimum order of a promo code', async () => {
  expect(await checkPromoCode(buyer.client, { code: '5OFFFIRST', subtotalCents: 1499_99 })).toEqual({
    title: 'Minimum Order Not Met',
    reason: 'Minimum order of R1500 required for this code',
  })
  expect(await checkPromoCode(buyer.client, { code: '5OFFFIRST', subtotalCents: 1500_00 })).toHaveProperty(
    'promo',
  )
})
