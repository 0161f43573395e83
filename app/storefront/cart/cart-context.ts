import { createContext, use } from 'react'
import type { CartLine, LineProblem, NewLine } from '#domain/cart.ts'
import type { CartStatus } from './cart-store.ts'

/** A line with what the buyer should hear about it before paying. */
export interface ShownLine extends CartLine {
  /** What it cost when the buyer last agreed to it; `null` when that has not changed. */
  previousPriceCents: number | null
  problem: LineProblem | null
  /** Some of it has to be made before it can be sent. */
  isMadeFirst: boolean
}

export interface Cart {
  status: CartStatus
  lines: ShownLine[]
  /** Lures in all lines that can be ordered. */
  count: number
  /** Of the lines that can be ordered. */
  subtotalCents: number
  isOpen: boolean
  open: () => void
  close: () => void
  add: (line: NewLine) => Promise<void>
  setQuantity: (id: string, quantity: number) => Promise<void>
  remove: (id: string) => Promise<void>
  clear: () => Promise<void>
  reload: () => Promise<void>
  /** Compares the lines with the catalogue as it is now. Without an answer they stay as they are. */
  check: () => Promise<void>
  /** The buyer has ordered at the prices that are shown. */
  agreeToPrices: () => void
}

export const CartContext = createContext<Cart | null>(null)

export function useCart(): Cart {
  const cart = use(CartContext)
  if (!cart) throw new Error('useCart must be used within a CartProvider')
  return cart
}
