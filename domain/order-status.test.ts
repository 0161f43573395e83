import { expect, it } from 'vitest'
import { choosableStatuses, orderNumberText, orderStatusLabel } from './order-status.ts'

// covers A4.1 S4.18
it.each([
  ['new', 'New'],
  ['processing', 'Processing'],
  ['shipped', 'Shipped'],
  ['delivered', 'Delivered'],
  ['cancelled', 'Cancelled'],
  ['pending_payment', 'Awaiting payment'],
  ['pending', 'New'],
])('labels the order status %s as %s', (status, label) => {
  expect(orderStatusLabel(status)).toBe(label)
})

// covers A2.9 A9.1
it('pads an order number to five digits', () => {
  expect([7, 42, 99_999, 100_000].map(orderNumberText)).toEqual(['00007', '00042', '99999', '100000'])
})

it('offers an admin only the statuses that an order can get', () => {
  const paidAt = '2026-11-21T08:00:00Z'

  expect(choosableStatuses({ paidAt: null, status: 'pending_payment' })).toEqual(['cancelled'])
  expect(choosableStatuses({ paidAt: null, status: 'cancelled' })).toEqual(['cancelled'])
  expect(choosableStatuses({ paidAt, status: 'cancelled' })).toEqual(['new', 'processing', 'cancelled'])
  expect(choosableStatuses({ paidAt, status: 'delivered' })).toEqual([
    'new',
    'processing',
    'shipped',
    'delivered',
    'cancelled',
  ])
})
