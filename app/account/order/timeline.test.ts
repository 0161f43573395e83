import { expect, it } from 'vitest'
import type { Returns } from '#database'
import { customerOrder, type CustomerOrderView } from '#domain/order.ts'
import { customerTimeline } from './timeline.ts'

type OrderDocument = Returns<'get_order'>
type OrderEvent = CustomerOrderView['timeline'][number]

const at = (minute: number) => `2026-11-21T08:0${minute}:00Z`

function anOrder(
  status: OrderDocument['status'],
  timeline: OrderEvent[],
  more: Partial<OrderDocument> = {},
): CustomerOrderView {
  return customerOrder({
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
    waived_amount: 0,
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
  })
}

const placed: OrderEvent = { kind: 'placed', status: null, happened_at: at(0) }
const paid: OrderEvent = { kind: 'paid', status: 'new', happened_at: at(1) }
const labels = (order: CustomerOrderView) =>
  customerTimeline(order).map(({ label, happenedAt }) => `${happenedAt ? '✓' : '…'} ${label}`)

it('lists past events and upcoming steps of an order', () => {
  const shipped: OrderEvent = { kind: 'status_changed', status: 'shipped', happened_at: at(2) }
  const tracked: OrderEvent = { kind: 'tracking_changed', status: null, happened_at: at(2) }

  expect(labels(anOrder('shipped', [placed, paid, shipped, tracked]))).toEqual([
    '✓ Ordered',
    '✓ Paid: we have your order',
    '✓ On its way to you',
    '… Delivered',
  ])
})

it('tells the customer that an order waits for payment again when its payment was recorded by mistake', () => {
  const unpaid: OrderEvent = { kind: 'status_changed', status: 'pending_payment', happened_at: at(2) }

  expect(labels(anOrder('pending_payment', [placed, paid, unpaid])).slice(0, 4)).toEqual([
    '✓ Ordered',
    '✓ Paid: we have your order',
    '✓ Waiting for payment: it was marked as paid by mistake',
    '… Paid: we have your order',
  ])
})

it('lists every later step of an unpaid order as upcoming', () => {
  expect(labels(anOrder('pending_payment', [placed]))).toEqual([
    '✓ Ordered',
    '… Paid: we have your order',
    '… On the bench',
    '… On its way to you',
    '… Delivered',
  ])
})

it.each([
  ['customer', '✓ Cancelled by you'],
  ['expired', '✓ Cancelled: not paid in time'],
  ['replaced', '✓ Replaced by your next order'],
  ['shop', '✓ Cancelled'],
])(
  'ends an order’s timeline with the cancellation by %s and no upcoming steps',
  (cancellation_reason, ending) => {
    const cancelled: OrderEvent = { kind: 'cancelled', status: 'cancelled', happened_at: at(3) }

    expect(labels(anOrder('cancelled', [placed, cancelled], { cancellation_reason }))).toEqual([
      '✓ Ordered',
      ending,
    ])
  },
)

it('mentions no payment on the timeline of an order with a total of zero', () => {
  expect(labels(anOrder('new', [placed, paid], { total_amount: 0 }))[1]).toBe(
    '✓ We have your order: nothing to pay',
  )
})

it('omits the shipping step of an order that is handed over in person', () => {
  const order = anOrder('new', [placed, paid], { shipping_method: 'hand-over' })

  expect(labels(order)).toEqual(['✓ Ordered', '✓ Paid: we have your order', '… On the bench', '… Delivered'])
})
