import { expect, it } from 'vitest'
import { formErrors, isHooksPriceLower } from './product-form-errors.ts'
import { adjustmentFor, adjustmentText, signedQuantity } from './stock/stock.ts'

const refusal = (constraint: string) =>
  new Error('The price must be between R0 and R1 000 000.', {
    cause: { code: '23514', details: null, hint: null, message: `violates check constraint "${constraint}"` },
  })

it('shows a refused value of a product at its field', () => {
  const message = 'The price must be between R0 and R1 000 000.'

  expect(formErrors(refusal('impossible_price'))).toEqual({ price: message })
  expect(formErrors(refusal('negative_stock'))).toEqual({ stock_quantity: message })
  expect(formErrors(refusal('slug_taken'))).toEqual({ name: message })
  expect(formErrors(refusal('other_table'))).toEqual({})
  expect(formErrors(new Error('Failed to fetch'))).toEqual({})
})

it('warns when a product with hooks costs less than without, not when it has no price with hooks', () => {
  expect(isHooksPriceLower({ price: 110, price_with_hooks: 109 })).toBe(true)
  expect(isHooksPriceLower({ price: 110, price_with_hooks: 110 })).toBe(false)
  expect(isHooksPriceLower({ price: 110, price_with_hooks: null })).toBe(false)
})

const CHOICES = { counted: 12, decreaseReason: 'lost' } as const

it('records lures that were added as made, lures that were removed with their reason, and a count as it is', () => {
  expect(adjustmentFor(3, CHOICES)).toEqual({ reason: 'made', quantity: 3 })
  expect(adjustmentFor(-2, CHOICES)).toEqual({ reason: 'lost', quantity: 2 })
  expect(adjustmentFor(null, CHOICES)).toEqual({ reason: 'counted', quantity: 12 })
})

it('confirms an adjustment of stock with its sign', () => {
  expect(adjustmentText({ reason: 'made', quantity: 3 })).toBe('+3 made')
  expect(adjustmentText({ reason: 'lost', quantity: 2 })).toBe('−2 damaged or lost')
  expect(adjustmentText({ reason: 'counted', quantity: 12 })).toBe('counted, 12 in stock')
  expect(signedQuantity(0)).toBe('0')
})
