import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '#app/data/session.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { CartChange } from '#domain/cart.ts'
import type { CartSnapshot, CartStatus, CartStorage } from './cart-context.ts'
import { localCart } from './local-cart.ts'

const NOT_LOADED: CartSnapshot = { status: 'loading', lines: [] }

interface OpenedCart {
  userId: string
  /** `null` when its code did not load. */
  storage: CartStorage | null
}

const FAILURES: Record<CartChange['kind'], string> = {
  add: 'Failed to add item to cart',
  'set-quantity': 'Failed to update quantity',
  remove: 'Failed to remove item',
  reprice: 'Failed to load your cart items',
  clear: 'Failed to clear cart',
}

/**
 * The cart of the current visitor or customer; follows sign-in and sign-out. Until the customer's cart is known, lines go to the
 * visitor's, which is merged into it.
 */
export function useStoredCart() {
  const { status: session, user } = useSession()
  const userId = user?.id
  const toast = useToast()
  const [opened, setOpened] = useState<OpenedCart | null>(null)

  const open = useCallback(async () => {
    const onLoadError = (error: unknown) => {
      console.error('the cart did not load', error)
      const description = 'Failed to load your cart items'
      toast({ title: 'Error loading cart', description, tone: 'destructive' })
    }
    if (!userId) return localCart.reload()
    try {
      // Visitors do not need the backend's client.
      const { RemoteCart } = await import('./remote-cart.ts')
      setOpened({ userId, storage: new RemoteCart(userId, onLoadError) })
    } catch (error) {
      onLoadError(error)
      setOpened({ userId, storage: null })
    }
  }, [userId, toast])
  useEffect(() => {
    // It sets state only after a download.
    // oxlint-disable-next-line react/set-state-in-effect
    if (session !== 'loading') void open()
  }, [session, open])

  const remote = opened?.userId === userId ? opened : null
  const storage = remote?.storage ?? localCart
  const { status, lines } = useSyncExternalStore(storage.subscribe, storage.snapshot, () => NOT_LOADED)
  const isWaiting = storage === localCart && session !== 'signed-out'
  const waitingStatus: CartStatus = remote ? 'failed' : 'loading'

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
    status: isWaiting ? waitingStatus : status,
    lines,
    change,
    reload: storage === localCart ? open : storage.reload,
    fetchAvailability: storage.fetchAvailability,
  }
}
