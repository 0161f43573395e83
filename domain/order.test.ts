import { expect, it } from 'vitest'
import { addressLabel, addressLine, orderSums, orderView, type OrderRow } from './order.ts'

const ROW: OrderRow = {
  id: '1',
  order_number: 42,
  status: 'new',
  paid_at: '2026-11-21T08:00:00Z',
  subtotal_amount: 110,
  shipping_cost: 60,
  discount_amount: 0,
  total_amount: 170,
  promo_code: null,
  customer_name: null,
  customer_email: 'thandi@example.com',
  customer_phone: '+27825550148',
  shipping_method: 'door-to-door',
  locker_location: null,
  shipping_address: '12 Beach Road',
  shipping_city: 'Kenton',
  shipping_state: 'Eastern Cape',
  shipping_zip: '6191',
  notes: null,
  tracking_number: '',
}
const sums = (change: Partial<OrderRow>) =>
  orderSums(orderView({ ...ROW, ...change })).map(({ label, cents }) => `${label} ${cents}`)

it('fills a missing name from the customer’s account and keeps the order’s own e-mail', () => {
  const profiles = { full_name: 'Thandi Mokoena', email: 'old@example.com', phone: null }

  expect(orderView({ ...ROW, profiles })).toMatchObject({
    number: '00042',
    customerName: 'Thandi Mokoena',
    customerEmail: 'thandi@example.com',
    trackingNumber: null,
    isPaid: true,
  })
})

it('lists sums that add up to the total when a discount exceeds the order’s value', () => {
  expect(sums({ discount_amount: 500, promo_code: 'GIFT', total_amount: 0 })).toEqual([
    'Subtotal 11000',
    'Shipping 6000',
    'Discount (GIFT) -17000',
  ])
})

it('leaves out the shipping of an order that is handed over in person', () => {
  expect(sums({ shipping_method: 'hand-over', shipping_cost: 0, total_amount: 110 })).toEqual([
    'Subtotal 11000',
  ])
})

it('describes a line by its colour and hooks', () => {
  const item = {
    id: '1',
    product_name: 'Popper',
    quantity: 2,
    price: 140,
    returned_quantity: 0,
    image_url: null,
  }
  const choiceOf = (product_variant: string | null, with_hooks: boolean | null) =>
    orderView({ ...ROW, order_items: [{ ...item, product_variant, with_hooks }] }).lines[0]

  expect(choiceOf('Blue Reaper', true)).toMatchObject({
    choice: 'Blue Reaper, With Hooks',
    totalCents: 280_00,
  })
  expect(choiceOf(null, null)?.choice).toBe('')
})

it('writes the address on one line and as a parcel label', () => {
  const order = orderView(ROW)

  expect(addressLine(order)).toBe('12 Beach Road, Kenton, Eastern Cape, 6191')
  expect(addressLabel(order)).toBe('12 Beach Road\nKenton 6191\nEastern Cape\n082 555 0148')
})
