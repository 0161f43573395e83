import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { giveStorage } from '#test/browser-storage.ts'
import { openShop, type Person, type TestShop } from '#test/shop.ts'
import { keyFor, unsettledAttempt, type Wish } from './attempt.ts'
import { preparePayment } from '#app/storefront/order/payment.ts'
import { placeOrder } from './place-order.ts'
import { askForPromo } from './promo.ts'

let shop: TestShop
let buyer: Person

beforeAll(async () => {
  shop = await openShop()
})
afterAll(() => shop.close())

beforeEach(async () => {
  giveStorage()
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

const wish = (change: Partial<Wish> = {}): Wish => ({
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

const place = (wanted = wish()) => placeOrder(buyer.client, { wish: wanted, key: keyFor(wanted, 'cart') })

async function orderCount() {
  const { count } = await buyer.client.from('orders').select('id', { count: 'exact', head: true })
  return count
}

it('places the cart and forgets the attempt', async () => {
  const placing = await place()

  expect(placing).toMatchObject({
    outcome: 'placed',
    order: { status: 'pending_payment', total_amount: 240 },
  })
  expect(unsettledAttempt()).toBeNull()
})

it('asks with the same key until it knows, and with another once the order is another', () => {
  const key = keyFor(wish(), 'cart')

  expect(keyFor(wish(), 'cart')).toBe(key)
  expect(keyFor(wish(), 'another cart')).not.toBe(key)
})

it('makes one order of a double click', async () => {
  const placings = await Promise.all([place(), place()])

  expect(placings.map(({ outcome }) => outcome)).toEqual(['placed', 'placed'])
  expect(await orderCount()).toBe(1)
})

it('prepares the payment of what was placed', async () => {
  const placing = await place()
  if (placing.outcome !== 'placed') throw new Error(placing.outcome)

  const { payfastUrl, paymentData } = await preparePayment(buyer.client, {
    order: placing.order,
    payer: { email: buyer.email, fullName: 'Thandi Mokoena' },
  })

  expect(payfastUrl).toMatch(/^http/)
  expect(paymentData).toMatchObject({ amount: '240.00', email_address: buyer.email })
})

it('is told when the total is another one', async () => {
  expect(await place(wish({ expected_total: 1 }))).toMatchObject({ outcome: 'price-changed' })
  expect(await orderCount()).toBe(0)
})

it('is told what is sold out, and what to do', async () => {
  await buyer.client.from('cart_items').update({ quantity: 900 }).eq('user_id', buyer.userId)

  expect(await place(wish({ expected_total: 126_000 }))).toEqual({
    outcome: 'sold-out',
    message: 'We no longer have enough of some lures. Change or remove the marked lines, then order again.',
  })
})

it('is told what is wrong with the form, field by field', async () => {
  const wanted = wish()
  wanted.delivery.city = 'K'

  expect(await place(wanted)).toEqual({
    outcome: 'invalid',
    errors: { city: 'City must be at least 2 characters' },
  })
})

it('is told why a code does not hold', async () => {
  expect(await place(wish({ promo_code: 'NOPE' }))).toEqual({
    outcome: 'promo-refused',
    message: 'This promo code is not valid',
  })
  expect(await askForPromo(buyer.client, { code: 'NOPE', subtotalCents: 140_00 })).toEqual({
    title: 'Invalid Code',
    reason: 'This promo code is not valid',
  })
})

it('is told to wait when codes were tried out', async () => {
  for (let number = 0; number < 20; number++) {
    // oxlint-disable-next-line no-await-in-loop -- one code after the other
    await askForPromo(buyer.client, { code: `TRY-${number}`, subtotalCents: 140_00 })
  }

  expect(await askForPromo(buyer.client, { code: '5OFFFIRST', subtotalCents: 1500_00 })).toEqual({
    title: 'Too Many Codes',
    reason: 'You have tried too many promo codes. Please try again in an hour.',
  })
})

it('names the minimum of a code that needs a larger cart', async () => {
  expect(await askForPromo(buyer.client, { code: '5OFFFIRST', subtotalCents: 1499_99 })).toEqual({
    title: 'Minimum Order Not Met',
    reason: 'Minimum order of R1500 required for this code',
  })
  expect(await askForPromo(buyer.client, { code: '5OFFFIRST', subtotalCents: 1500_00 })).toHaveProperty(
    'promo',
  )
})
