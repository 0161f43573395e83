import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import { useSession } from '#app/data/session.tsx'
import type { Toast } from '#app/ui/toast-stack.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { useLazyModule } from '#app/ui/use-lazy-module.ts'
import type { CartChange, CartLine } from '#domain/cart.ts'
import type { CartSnapshot } from './cart-context.ts'
import { localCart } from './local-cart.ts'

const UNKNOWN: CartSnapshot = { status: 'loading', lines: [] }

const FAILURES: Record<CartChange['kind'], string> = {
  add: 'Failed to add item to cart',
  'set-quantity': 'Failed to update quantity',
  remove: 'Failed to remove item',
  'follow-catalogue': 'Failed to load your cart items',
  clear: 'Failed to clear cart',
}

const NOT_LOADED: Toast = {
  title: 'Error loading cart',
  description: FAILURES['follow-catalogue'],
  tone: 'destructive',
}

/** Visitors need neither the query library nor the backend's client. */
export const loadCustomerCode = () => import('./customer-code.ts')

/** The cart of the visitor or customer. Until the customer's is known, lines go to the visitor's, which is merged into it. */
export function useStoredCart() {
  const { status: session, user } = useSession()
  const userId = user?.id
  const toast = useToast()
  const [customer, load, hasFailed] = useLazyModule(loadCustomerCode)

  const open = useCallback(async () => {
    if (!(await load())) toast(NOT_LOADED)
  }, [load, toast])
  useEffect(() => {
    if (userId) void open()
    else if (session === 'signed-out') void localCart.reload()
  }, [userId, session, open])

  const storage = useMemo(() => {
    const onLoadError = (error: unknown) => {
      console.error('the cart did not load', error)
      toast(NOT_LOADED)
    }
    if (!customer || !userId) return localCart
    const onLeftOut = (lines: CartLine[]) => toast(customer.leftOutToast(lines))
    return new customer.RemoteCart(userId, { onLoadError, onLeftOut })
  }, [customer, userId, toast])
  const isKnown = storage !== localCart || session === 'signed-out'
  const { status, lines } = useSyncExternalStore(storage.subscribe, storage.snapshot, () => UNKNOWN)

  /** Shows a failure and resolves to false instead of rejecting. */
  const change = useCallback(
    async (requested: CartChange): Promise<boolean> => {
      try {
        await storage.change(requested)
        return true
      } catch (error) {
        console.error('the cart did not change', error)
        toast({ title: 'Error', description: FAILURES[requested.kind], tone: 'destructive' })
        return false
      }
    },
    [storage, toast],
  )

  return {
    status: isKnown ? status : hasFailed ? ('failed' as const) : ('loading' as const),
    lines,
    change,
    reload: storage === localCart ? open : storage.reload,
    settle: storage.settle,
    fetchAvailability: storage.fetchAvailability,
  }
}

export type StoredCart = ReturnType<typeof useStoredCart>
