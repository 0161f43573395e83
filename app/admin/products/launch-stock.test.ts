import { expect, it } from 'vitest'
import { lacksStockForLaunch } from './launch-stock.ts'

const now = new Date('2026-11-24T12:00:00Z')
const tomorrow = { publish_at: '2026-11-25T17:00:00Z', made_to_order: false, stock_quantity: 0 }

it('warns of a near launch without stock', () => {
  expect(lacksStockForLaunch(tomorrow, now)).toBe(true)
})

it.each([
  ['has stock', { stock_quantity: 1 }],
  ['is made to order', { made_to_order: true }],
  ['has no launch', { publish_at: null }],
  ['launches next week', { publish_at: '2026-12-01T17:00:00Z' }],
])('does not warn of a product that %s', (_, difference) => {
  expect(lacksStockForLaunch({ ...tomorrow, ...difference }, now)).toBe(false)
})
