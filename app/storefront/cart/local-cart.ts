import { localStore } from '#app/ui/browser-store.ts'
import type { CartStorage } from './cart-store.ts'
import { changeGuestCart, readGuestCart } from './guest-cart.ts'
import { OFFLINE_COPY_KEY } from './remote-cart.ts'

/** The storage of a visitor's cart: this browser. */
export const localCart: CartStorage = {
  async load() {
    // A previous customer has signed out: delete the copy of their cart.
    localStore().removeItem(OFFLINE_COPY_KEY)
    return readGuestCart()
  },
  change: async (change) => changeGuestCart(change),
}
