import { expect, it } from 'vitest'
import { addedToast, failedToast, loadingFailedToast, removedToast } from './cart-toasts.ts'

// covers S8.1
it('shows cart errors with the specified messages', () => {
  expect(loadingFailedToast).toEqual({
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
    expect(failedToast(kind)).toEqual({ title: 'Error', description, tone: 'destructive' })
  }
})

// covers S8.1
it('confirms cart changes with the specified messages', () => {
  expect(addedToast('Chisel Nose Popper 150mm/30G')).toEqual({
    title: 'Added to cart',
    description: 'Chisel Nose Popper 150mm/30G has been added to your cart',
  })
  expect(removedToast(() => {})).toMatchObject({
    title: 'Removed from cart',
    description: 'Item has been removed from your cart',
  })
})
