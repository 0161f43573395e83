import { expect, it } from 'vitest'
import { added, failed, loadingFailed, removed } from './cart-toasts.ts'

// covers S8.1
it('says what went wrong in the specified words', () => {
  expect(loadingFailed).toEqual({
    title: 'Error loading cart',
    description: 'Failed to load your cart items',
    tone: 'destructive',
  })
  for (const [kind, description] of [
    ['add', 'Failed to add item to cart'],
    ['set-quantity', 'Failed to update quantity'],
    ['remove', 'Failed to remove item'],
    ['clear', 'Failed to clear cart'],
  ] as const) {
    expect(failed(kind)).toEqual({ title: 'Error', description, tone: 'destructive' })
  }
})

// covers S8.1
it('says what went well in the specified words', () => {
  expect(added('Chisel Nose Popper 150mm/30G')).toEqual({
    title: 'Added to cart',
    description: 'Chisel Nose Popper 150mm/30G has been added to your cart',
  })
  expect(removed(() => {})).toMatchObject({
    title: 'Removed from cart',
    description: 'Item has been removed from your cart',
  })
})
