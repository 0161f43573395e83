import { expect, it } from 'vitest'
import { removalEffects } from './removal-effects.ts'

it('names the lure, its stock, carts and waiting people before it is deleted', () => {
  expect(removalEffects('Copper Spoon', { stock: 4, carts: 2, waiting: 1 })).toBe(
    'Copper Spoon has 4 in stock. 2 customers have it in the cart, and 1 person waits for a stock alert. Deleting it cannot be undone.',
  )
})

it('says that nobody misses a lure that is in no cart and has no stock alerts', () => {
  expect(removalEffects('Copper Spoon', { stock: 0, carts: 0, waiting: 0 })).toContain(
    'No customer has it in the cart, and nobody waits for a stock alert.',
  )
})
