import { expect, it } from 'vitest'
import { removalEffects } from './removal-effects.ts'

it('names the lure, its stock, carts and stock alerts before it is deleted', () => {
  expect(removalEffects('Copper Spoon', { stock: 4, carts: 2, waiting: 1 })).toBe(
    'Copper Spoon has 4 in stock, is in the carts of 2 customers and has 1 stock alert. Deleting it cannot be undone.',
  )
})

it('names no carts and stock alerts of a lure that has none', () => {
  expect(removalEffects('Copper Spoon', { stock: 0, carts: 0, waiting: 0 })).toContain(
    'is in no customer’s cart and has no stock alerts.',
  )
})
