import { expect, it } from 'vitest'
import { shownLine } from '#test/shown-cart.tsx'
import type { PlaceOrderResult } from './place-order.ts'
import { describesOrder, type ShownOrder } from './refusal.ts'

const refused: ShownOrder = { lines: [shownLine], totalCents: 500_00, promoCode: null }

const describes = (result: PlaceOrderResult, change: Partial<ShownOrder>) =>
  describesOrder(result, { refused, shown: { ...refused, ...change } })

it('shows a refused promo code until another one is applied', () => {
  const result = { outcome: 'promo-refused', message: 'Used up' } as const

  expect(describes(result, {})).toBe(true)
  expect(describes(result, { promoCode: 'OTHER', totalCents: 490_00 })).toBe(false)
})

it('shows a changed total before and after the page has loaded it, and beside no other total', () => {
  const result = { outcome: 'price-changed', message: 'Now R540.00', totalCents: 540_00 } as const

  expect(describes(result, { totalCents: 500_00 })).toBe(true)
  expect(describes(result, { totalCents: 540_00 })).toBe(true)
  expect(describes(result, { totalCents: 440_00 })).toBe(false)
})

it('shows that the cart was changed elsewhere beside every total', () => {
  const result = { outcome: 'price-changed', message: 'Your cart was changed', totalCents: null } as const

  expect(describes(result, { totalCents: 440_00 })).toBe(true)
})

it('shows that an order is too small until its total changes', () => {
  const result = { outcome: 'amount-too-small', message: 'Too small' } as const

  expect(describes(result, {})).toBe(true)
  expect(describes(result, { totalCents: 600_00 })).toBe(false)
})

it('shows that lures are sold out while a line has a problem', () => {
  const result = { outcome: 'sold-out', message: 'Sold out' } as const

  expect(describes(result, { lines: [{ ...shownLine, problem: { kind: 'sold-out' } }] })).toBe(true)
  expect(describes(result, {})).toBe(false)
})
