import { useEffect, useEffectEvent, useMemo, useState, type ReactNode } from 'react'
import { useLocation } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { Drawer } from '#app/ui/dialog.tsx'
import { Stack } from '#app/ui/layout.tsx'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import {
  addition,
  countItems,
  orderableLines,
  type CartChange,
  type CartLine,
  type NewLine,
} from '#domain/cart.ts'
import { subtotalOf } from '#domain/pricing.ts'
import { CartContext, useCart } from './cart-context.ts'
import { agreeToPrices } from './known-prices.ts'
import { useShownLines } from './shown-lines.ts'
import { useStoredCart, type StoredCart } from './use-stored-cart.ts'

export { BLOCKED_TEXT, CartContext, useCart } from './cart-context.ts'
export { loadCustomerCode } from './use-stored-cart.ts'

/** Provides `useCart` and renders the drawer. */
export function CartProvider({ children }: { children: ReactNode }) {
  const stored = useStoredCart()
  const { status, reload, settle } = stored
  const { shown: lines, check, agree } = useShownLines(stored)
  const actions = useLineActions(stored)
  const drawer = useDrawer()

  const checkNow = useEffectEvent(check)
  const isShown = drawer.isOpen && status === 'ready'
  // Check only after loading: the drawer can open before the lines are known.
  useEffect(() => {
    if (isShown) void checkNow()
  }, [isShown])

  const cart = useMemo(() => {
    const orderable = orderableLines(lines)
    const [count, subtotalCents] = [countItems(orderable), subtotalOf(orderable)]
    const shown = { status, lines, count, subtotalCents, check, agreeToPrices: agree, reload, settle }
    return { ...shown, ...actions, ...drawer }
  }, [status, lines, drawer, actions, reload, settle, check, agree])

  return (
    <CartContext value={cart}>
      {children}
      <CartDrawer />
    </CartContext>
  )
}

/** Closes the drawer on every navigation. */
function useDrawer() {
  const { key } = useLocation()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  return useMemo(
    () => ({ isOpen: openedAt === key, open: () => setOpenedAt(key), close: () => setOpenedAt(null) }),
    [openedAt, key],
  )
}

const REMOVED: Toast = { title: 'Removed from cart', description: 'Item has been removed from your cart' }
const CLEARED: Toast = { title: 'Cart cleared', description: 'Every item has been removed from your cart' }

/** The cart's actions with their toasts. */
function useLineActions({ lines, change }: Pick<StoredCart, 'lines' | 'change'>) {
  const toast = useToast()

  return useMemo(() => {
    async function add(line: NewLine) {
      // Optimistic: the toast comes before the response; a failure shows its own toast.
      toast({ title: 'Added to cart', description: `${line.productName} has been added to your cart` })
      agreeToPrices([line])
      await change(addition(line))
    }

    async function takeOut(removed: readonly CartLine[], requested: CartChange, done: Toast) {
      if (!(await change(requested))) return
      // Oldest first, so that the newest line ends up on top.
      const run = () => removed.toReversed().forEach((line) => void change(addition(line)))
      toast({ ...done, action: { label: 'Undo', run } })
    }

    const remove = (line: CartLine) => takeOut([line], { kind: 'remove', line }, REMOVED)

    const setQuantity = (line: CartLine, quantity: number) =>
      quantity < 1 ? remove(line) : change({ kind: 'set-quantity', line, quantity })

    return { add, remove, setQuantity, clear: () => takeOut(lines, { kind: 'clear' }, CLEARED) }
  }, [lines, change, toast])
}

const loadContents = () => import('./cart-contents.tsx')

/** Loads its contents only for a filled or opened cart: most first visits need neither. */
function CartDrawer() {
  const { status, lines, count, isOpen, close, reload } = useCart()
  const [contents, loadNow, hasFailed] = useLazyModule(loadContents)
  const isNeeded = isOpen || lines.length > 0
  const isLoaded = contents && (lines.length > 0 || status === 'ready' || status === 'offline')

  useEffect(() => {
    if (isNeeded) void loadNow()
  }, [isNeeded, loadNow])

  const retry = () => void (hasFailed ? loadNow() : reload())
  return (
    <Drawer title={`Shopping Cart (${count} items)`} isOpen={isOpen} onClose={close}>
      {isOpen && isLoaded && <contents.CartContents />}
      {isOpen && !isLoaded && <Unloaded hasFailed={hasFailed || status === 'failed'} onRetry={retry} />}
    </Drawer>
  )
}

function Unloaded({ hasFailed, onRetry }: { hasFailed: boolean; onRetry: () => void }) {
  if (!hasFailed) return <p aria-live="polite">Loading cart...</p>
  return (
    <Stack gap={4} block={6} align="start" aria-live="polite">
      <p>Failed to load your cart items</p>
      <Button onClick={onRetry}>Try again</Button>
    </Stack>
  )
}
