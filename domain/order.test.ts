import { describe, expect, it } from 'vitest'
import {
  addressLabel,
  addressLine,
  customerOrder,
  listedOrder,
  orderSums,
  orderView,
  staffOrder,
  type OrderRow,
  type StaffOrderRow,
} from './order.ts'

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

it('leaves out what is missing from an address', () => {
  const order = orderView({ ...ROW, shipping_zip: null, shipping_state: null, customer_phone: null })

  expect(addressLine(order)).toBe('12 Beach Road, Kenton')
  expect(addressLabel(order)).toBe('12 Beach Road\nKenton')
})

it('shows an order as paid until it is cancelled', () => {
  const isPaid = (change: Partial<OrderRow>) => orderView({ ...ROW, ...change }).isPaid

  expect(isPaid({})).toBe(true)
  expect(isPaid({ status: 'cancelled' })).toBe(false)
  expect(isPaid({ paid_at: null })).toBe(false)
  expect(isPaid({ paid_at: undefined, status: 'cancelled' })).toBe(false)
  expect(orderView(ROW).paidAt).toBe('2026-11-21T08:00:00Z')
  expect(orderView({ ...ROW, paid_at: undefined }).paidAt).toBeNull()
})

it('lists a discount without a code, and no subtotal of the oldest orders', () => {
  expect(sums({ discount_amount: 10, total_amount: 160 })).toEqual([
    'Subtotal 11000',
    'Shipping 6000',
    'Discount -1000',
  ])
  expect(sums({ subtotal_amount: null, discount_amount: 10 })).toEqual(['Shipping 6000', 'Discount -1000'])
})

describe('for staff', () => {
  const staffRow: StaffOrderRow = {
    ...ROW,
    created_at: '2026-11-21T07:00:00Z',
    placed_at: '2026-11-21T07:00:00Z',
    updated_at: '2026-11-21T08:00:00Z',
    paid_at: '2026-11-21T08:00:00Z',
    cancelled_at: null,
    cancellation_reason: null,
    expires_at: null,
    reserved_until: null,
    customer_id: 'c1',
    courier_company_id: null,
    idempotency_key: null,
    promo_code_id: null,
  }

  it.each([
    [{ total_amount: 0, paid_at: '2026-11-21T08:00:00Z' }, 'free'],
    [{}, 'paid'],
    [{ paid_at: null, status: 'pending_payment' }, 'awaiting'],
    [{ paid_at: null, status: 'cancelled' }, 'unpaid'],
  ] as const)('describes the payment of an order with %j as %s', (change, payment) => {
    expect(staffOrder({ ...staffRow, ...change }).payment).toBe(payment)
  })

  it('shows the refund that is still due, not one that is done', () => {
    const task = { id: 't1', order_id: '1', amount: 170, outstanding: 0, opened_at: '', is_open: false }
    const open = { ...task, id: 't2', outstanding: 170, is_open: true }

    expect(staffOrder({ ...staffRow, refund_tasks: [task, open] }).refundTask).toEqual(open)
    expect(staffOrder({ ...staffRow, refund_tasks: [task] }).refundTask).toBeNull()
    expect(staffOrder(staffRow).refundTask).toBeNull()
  })

  it('keeps the delivery columns exactly as stored, to compare them at a change', () => {
    expect(staffOrder(staffRow).delivery).toEqual({
      customer_name: null,
      customer_email: 'thandi@example.com',
      customer_phone: '+27825550148',
      shipping_method: 'door-to-door',
      locker_location: null,
      shipping_address: '12 Beach Road',
      shipping_city: 'Kenton',
      shipping_state: 'Eastern Cape',
      shipping_zip: '6191',
    })
  })

  it('lists when an order was made and placed', () => {
    expect(listedOrder(staffRow)).toMatchObject({
      number: '00042',
      createdAt: '2026-11-21T07:00:00Z',
      placedAt: '2026-11-21T07:00:00Z',
    })
  })
})

describe('for its customer', () => {
  const document = {
    ...ROW,
    subtotal_amount: 110,
    placed_at: '2026-11-21T07:00:00Z',
    paid_at: null,
    expires_at: '2026-11-21T07:30:00Z',
    cancelled_at: null,
    cancellation_reason: null,
    amount_due: 20.5,
    held_amount: 149.5,
    waived_amount: 0.5,
    refund_due: 0,
    courier: null,
    items: [],
    refunds: [],
    timeline: [],
    may_be_paid: true,
    is_being_confirmed: false,
  }

  it('tells what is received and what is left to pay after a short payment', () => {
    expect(customerOrder(document)).toMatchObject({
      totalCents: 170_00,
      dueCents: 20_50,
      heldCents: 149_50,
      waivedCents: 50,
      refundDueCents: 0,
      mayBePaid: true,
      isBeingConfirmed: false,
      expiresAt: '2026-11-21T07:30:00Z',
    })
  })

  it('tells what is refunded and what follows of a cancelled order', () => {
    const refund = { amount: 100.5, created_at: '2026-11-22T08:00:00Z', done_at: '2026-11-22T08:01:00Z' }
    const order = customerOrder({
      ...document,
      status: 'cancelled',
      cancellation_reason: 'Out of paint',
      held_amount: 69.5,
      refund_due: 69.5,
      refunds: [refund],
    })

    expect(order).toMatchObject({
      refundDueCents: 69_50,
      cancellationReason: 'Out of paint',
      refunds: [{ cents: 100_50, at: '2026-11-22T08:00:00Z', doneAt: '2026-11-22T08:01:00Z' }],
    })
  })

  it('lists each line with its price, its sum and what was returned', () => {
    const item = {
      id: 'i1',
      product_name: 'Popper',
      product_variant: 'Mullet',
      with_hooks: false,
      price: 140.5,
      quantity: 3,
      returned_quantity: 1,
      image_url: null,
    }

    expect(customerOrder({ ...document, items: [item] }).lines).toMatchObject([
      { choice: 'Mullet, Without Hooks', priceCents: 140_50, totalCents: 421_50, quantity: 3, returned: 1 },
    ])
  })
})
