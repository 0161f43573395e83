import { createContext, use } from 'react'
import type { CartLine, LineProblem, NewLine } from '#domain/cart.ts'
import type { CartStatus } from './cart-store.ts'

/** A line with the changes that the buyer must see before paying. */
export interface ShownLine extends CartLine {
  /** The price that the buyer last agreed to; `null` when it is unchanged. */
  previousPriceCents: number | null
  problem: LineProblem | null
  /** Part of the quantity is made to order, which delays delivery. */
  mustBeMade: boolean
}

export interface Cart {
  status: CartStatus
  lines: ShownLine[]
  /** The quantity in all orderable lines. */
  count: number
  /** Counts orderable lines only. */
  subtotalCents: number
  isOpen: boolean
  open: () => void
  close: () => void
  add: (line: NewLine) => Promise<void>
  setQuantity: (id: string, quantity: number) => Promise<void>
  remove: (id: string) => Promise<void>
  clear: () => Promise<void>
  reload: () => Promise<void>
  /** Updates prices and availability of the lines. Never rejects; on failure the lines stay as they are. */
  check: () => Promise<void>
  /** Marks the current prices as known to the buyer. */
  agreeToPrices: () => void
}

export const CartContext = createContext<Cart | null>(null)

export function useCart(): Cart {
  const cart = use(CartContext)
  if (!cart) throw new Error('useCart must be used within a CartProvider')
  return cart
}
