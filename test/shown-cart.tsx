import type { ReactNode } from 'react'
import { CartContext, type CartSnapshot } from '#app/storefront/cart/cart-context.ts'
import { countItems, orderableLines, type ShownLine } from '#domain/cart.ts'
import { subtotalOf } from '#domain/pricing.ts'

/** A line of R284.00 without changes since it was added. */
export const shownLine: ShownLine = {
  id: 'l1',
  createdAt: '2026-11-21T08:00:00Z',
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Red Head',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: null,
  previousPriceCents: null,
  problem: null,
  mustBeMade: false,
}

const nothing = async () => undefined
const actions = { add: nothing, setQuantity: nothing, remove: nothing, clear: nothing, check: nothing }
const storage = { reload: nothing, settle: nothing, agreeToPrices: () => undefined }
const drawer = { isOpen: false, open: () => undefined, close: () => undefined }

interface ShownCartProps {
  lines: ShownLine[]
  status?: CartSnapshot['status']
  children: ReactNode
}

/** Provides a cart with these lines to the parts of a page that a test renders. */
export function ShownCart({ lines, status = 'ready', children }: ShownCartProps) {
  const orderable = orderableLines(lines)
  const sums = { count: countItems(orderable), subtotalCents: subtotalOf(orderable) }
  return (
    <CartContext value={{ ...actions, ...storage, ...drawer, ...sums, status, lines }}>
      {children}
    </CartContext>
  )
}
