import { expect, it } from 'vitest'
import type { OrderEvent, CustomerOrder } from './own-order.ts'
import { timelineOf } from './timeline.ts'

const at = (minute: number) => `2026-11-21T08:0${minute}:00Z`

function anOrder(
  status: CustomerOrder['status'],
  timeline: OrderEvent[],
  more: Partial<CustomerOrder> = {},
): CustomerOrder {
  return {
    id: '1',
    order_number: 1,
    status,
    placed_at: at(0),
    paid_at: null,
    expires_at: null,
    cancelled_at: null,
    cancellation_reason: null,
    subtotal_amount: 110,
    shipping_cost: 100,
    discount_amount: 0,
    total_amount: 210,
    amount_due: 210,
    held_amount: 0,
    refund_due: 0,
    promo_code: null,
    customer_name: null,
    customer_email: null,
    customer_phone: null,
    shipping_method: 'locker',
    locker_location: 'Spar',
    shipping_address: '12 Beach Road',
    shipping_city: 'Kenton',
    shipping_state: 'Eastern Cape',
    shipping_zip: '6191',
    notes: null,
    tracking_number: null,
    courier: null,
    items: [],
    refunds: [],
    timeline,
    may_be_paid: false,
    is_being_confirmed: false,
    ...more,
  }
}

const placed: OrderEvent = { kind: 'placed', status: null, happened_at: at(0) }
const paid: OrderEvent = { kind: 'paid', status: 'new', happened_at: at(1) }
const words = (order: CustomerOrder) =>
  timelineOf(order).map(({ label, happenedAt }) => `${happenedAt ? '✓' : '…'} ${label}`)

it('tells what happened and what is still to come', () => {
  const shipped: OrderEvent = { kind: 'status_changed', status: 'shipped', happened_at: at(2) }
  const tracked: OrderEvent = { kind: 'tracking_changed', status: null, happened_at: at(2) }

  expect(words(anOrder('shipped', [placed, paid, shipped, tracked]))).toEqual([
    '✓ Ordered',
    '✓ Paid: we have your order',
    '✓ On its way to you',
    '… Delivered',
  ])
})

it('has everything before it while the order awaits payment', () => {
  expect(words(anOrder('pending_payment', [placed]))).toEqual([
    '✓ Ordered',
    '… Paid: we have your order',
    '… On the bench',
    '… On its way to you',
    '… Delivered',
  ])
})

it.each([
  ['customer', '✓ Cancelled by you'],
  ['expired', '✓ Not paid in time, so cancelled'],
  ['replaced', '✓ Replaced by your next order'],
  ['shop', '✓ Cancelled'],
])('ends with the cancellation (%s), and nothing comes after it', (cancellation_reason, ending) => {
  const cancelled: OrderEvent = { kind: 'cancelled', status: 'cancelled', happened_at: at(3) }

  expect(words(anOrder('cancelled', [placed, cancelled], { cancellation_reason }))).toEqual([
    '✓ Ordered',
    ending,
  ])
})

it('does not speak of a payment where there was nothing to pay', () => {
  expect(words(anOrder('new', [placed, paid], { total_amount: 0 }))[1]).toBe(
    '✓ We have your order; there was nothing to pay',
  )
})

it('does not wait for a parcel where the order is handed over in person', () => {
  const order = anOrder('new', [placed, paid], { shipping_method: 'hand-over' })

  expect(words(order)).toEqual(['✓ Ordered', '✓ Paid: we have your order', '… On the bench', '… Delivered'])
})
