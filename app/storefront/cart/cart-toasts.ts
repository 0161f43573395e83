import type { CartChange } from '#domain/cart.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'

export const loadingFailedToast: Toast = {
  title: 'Error loading cart',
  description: 'Failed to load your cart items',
  tone: 'destructive',
}

export function addedToast(productName: string): Toast {
  return { title: 'Added to cart', description: `${productName} has been added to your cart` }
}

export function removedToast(undo: () => void): Toast {
  return {
    title: 'Removed from cart',
    description: 'Item has been removed from your cart',
    action: { label: 'Undo', run: undo },
  }
}

export function clearedToast(undo: () => void): Toast {
  return {
    title: 'Cart cleared',
    description: 'Every item has been removed from your cart',
    action: { label: 'Undo', run: undo },
  }
}

const FAILURES: Record<CartChange['kind'], string> = {
  add: 'Failed to add item to cart',
  'set-quantity': 'Failed to update quantity',
  remove: 'Failed to remove item',
  reprice: 'Failed to load your cart items',
  clear: 'Failed to clear cart',
}

export function failedToast(kind: CartChange['kind']): Toast {
  return { title: 'Error', description: FAILURES[kind], tone: 'destructive' }
}
