import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { useSession } from '#app/session/session.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { CartChange } from '#domain/cart.ts'
import { CartStore, EMPTY_CART } from './cart-store.ts'
import { failed, loadingFailed } from './cart-toasts.ts'
import { changeGuestCart, GUEST_CART_KEY } from './guest-cart.ts'
import { guestKeeper, onServerCartChanged, serverKeeper } from './keepers.ts'

/** The cart of whoever is here, following sign-in, sign-out and the other tabs. */
export function useCartStore() {
  const { status: sessionStatus, user } = useSession()
  const userId = user?.id
  const toast = useToast()
  const [store] = useState(() => new CartStore())
  const cart = useSyncExternalStore(store.subscribe, store.snapshot, () => EMPTY_CART)

  const tellLoadFailed = useCallback(
    (error: unknown) => {
      console.error('the cart did not load', error)
      toast(loadingFailed)
    },
    [toast],
  )
  const reload = useCallback(() => store.reload().catch(tellLoadFailed), [store, tellLoadFailed])

  useEffect(() => {
    if (sessionStatus === 'loading') return
    void store.open(userId ? serverKeeper(userId) : guestKeeper).catch(tellLoadFailed)
    if (!userId) return onGuestCartChanged(() => void reload())
    const forget = onServerCartChanged(() => void reload())
    // The next page finds it among the visitor's lines and moves it on, once whether or not a call under way arrives.
    const leave = () => store.leave(changeGuestCart)
    addEventListener('pagehide', leave)
    return () => {
      forget()
      removeEventListener('pagehide', leave)
    }
  }, [sessionStatus, userId, store, reload, tellLoadFailed])

  const change = useCallback(
    async (wanted: CartChange): Promise<boolean> => {
      try {
        await store.change(wanted)
        return true
      } catch (error) {
        console.error('the cart did not change', error)
        toast(failed(wanted.kind))
        return false
      }
    },
    [store, toast],
  )

  return { ...cart, change, reload }
}

function onGuestCartChanged(tell: () => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === GUEST_CART_KEY || key === null) tell()
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}
