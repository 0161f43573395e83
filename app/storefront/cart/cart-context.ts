import { createContext, use } from 'react'
import type { CartAvailability, CartChange, CartLine, NewLine, ShownLine } from '#domain/cart.ts'

/** `offline`: loading failed, and the lines are a saved copy. */
type CartStatus = 'loading' | 'ready' | 'offline' | 'failed'

export interface CartSnapshot {
  status: CartStatus
  /** Newest first, with unconfirmed changes applied. */
  lines: CartLine[]
}

/** Stores a cart: in this browser for a visitor, in the database for a customer. */
export interface CartStorage {
  snapshot: () => CartSnapshot
  /** Also follows changes by other tabs. Returns a function that stops it. */
  subscribe: (listener: () => void) => () => void
  /** Shows the change at once. Rolls it back and rejects when it cannot be stored. */
  change: (change: CartChange) => Promise<unknown>
  /** Resolves when the changes so far are stored or rolled back. Never rejects. */
  settle: () => Promise<unknown>
  /** Never rejects: the snapshot's status tells the outcome. */
  reload: () => Promise<unknown>
  fetchAvailability: (lines: readonly CartLine[]) => Promise<CartAvailability>
}

interface Cart extends CartSnapshot {
  lines: ShownLine[]
  /** The quantity in all orderable lines. */
  count: number
  /** Counts orderable lines only. */
  subtotalCents: number
  isOpen: boolean
  open: () => void
  close: () => void
  add: (line: NewLine) => Promise<void>
  setQuantity: (line: CartLine, quantity: number) => Promise<unknown>
  remove: (line: CartLine) => Promise<void>
  clear: () => Promise<void>
  reload: () => Promise<unknown>
  /** Resolves when the changes so far are stored or rolled back. Never rejects. */
  settle: () => Promise<unknown>
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

/** Shown beside the disabled checkout button while a line cannot be ordered. */
export const BLOCKED_TEXT = 'Change or remove the marked lines to continue.'
