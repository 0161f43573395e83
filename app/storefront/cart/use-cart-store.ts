import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '#app/data/session.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { CartChange } from '#domain/cart.ts'
import { CartStore, EMPTY_CART } from './cart-store.ts'
import { failedToast, loadingFailedToast } from './cart-toasts.ts'
import { changeGuestCart, GUEST_CART_KEY } from './guest-cart.ts'
import { localCart } from './local-cart.ts'
import { onRemoteCartChanged, remoteCart } from './remote-cart.ts'

/** The cart of the current visitor or customer; follows sign-in, sign-out and other tabs. */
export function useCartStore() {
  const { status: sessionStatus, user } = useSession()
  const userId = user?.id
  const toast = useToast()
  const [store] = useState(() => new CartStore())
  const cart = useSyncExternalStore(store.subscribe, store.snapshot, () => EMPTY_CART)

  const reportLoadError = useCallback(
    (error: unknown) => {
      console.error('the cart did not load', error)
      toast(loadingFailedToast)
    },
    [toast],
  )
  const reload = useCallback(() => store.reload().catch(reportLoadError), [store, reportLoadError])

  useEffect(() => {
    if (sessionStatus === 'loading') return
    void store.open(userId ? remoteCart(userId) : localCart).catch(reportLoadError)
    if (!userId) return onGuestCartChanged(() => void reload())
    const unsubscribe = onRemoteCartChanged(() => void reload())
    // The next page merges these lines from the guest cart. The recorded target keeps a request in flight from counting twice.
    const onPageHide = () => store.handOverAdditions(changeGuestCart)
    addEventListener('pagehide', onPageHide)
    return () => {
      unsubscribe()
      removeEventListener('pagehide', onPageHide)
    }
  }, [sessionStatus, userId, store, reload, reportLoadError])

  const change = useCallback(
    async (cartChange: CartChange): Promise<boolean> => {
      try {
        await store.change(cartChange)
        return true
      } catch (error) {
        console.error('the cart did not change', error)
        toast(failedToast(cartChange.kind))
        return false
      }
    },
    [store, toast],
  )

  return { ...cart, change, reload }
}

function onGuestCartChanged(callback: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === GUEST_CART_KEY || key === null) callback()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
