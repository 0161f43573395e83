import { localStore } from '#app/ui/browser-store.ts'
import type { CartKeeper } from './cart-store.ts'
import { changeGuestCart, readGuestCart } from './guest-cart.ts'

/** Tells the customer's other tabs that the cart has changed. */
export const SERVER_CART_CHANNEL = 'server_cart'
/** Where a customer's cart is kept as it was last seen. */
export const LAST_SEEN_KEY = 'server_cart_last_seen'

export const guestKeeper: CartKeeper = {
  async load() {
    // Whoever was signed in before has left: what they had is nobody's business now.
    localStore().removeItem(LAST_SEEN_KEY)
    return readGuestCart()
  },
  change: async (change) => changeGuestCart(change),
}

/** A customer's; what it takes comes with the backend's client, which a visitor never pays for. */
export function serverKeeper(userId: string): CartKeeper {
  const keeper = async () => (await import('./server-keeper.ts')).serverKeeper(userId)
  return {
    load: async () => (await keeper()).load(),
    change: async (change, lines) => (await keeper()).change(change, lines),
    lastSeen: async () => (await keeper()).lastSeen(),
  }
}

/** Calls back when another tab has changed the customer's cart, and when signal or page are back. */
export function onServerCartChanged(tell: () => void): () => void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  channel.addEventListener('message', tell)
  const tellBack = ({ persisted }: PageTransitionEvent) => persisted && tell()
  addEventListener('online', tell)
  addEventListener('pageshow', tellBack)
  return () => {
    channel.close()
    removeEventListener('online', tell)
    removeEventListener('pageshow', tellBack)
  }
}
