import { expect, it } from 'vitest'
import { orderNumberText, orderStatusLabel } from './order-status.ts'

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
