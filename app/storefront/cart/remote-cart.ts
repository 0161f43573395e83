import type { CartStorage } from './cart-store.ts'

/** Broadcasts changes of the customer's cart to other tabs. */
export const SERVER_CART_CHANNEL = 'server_cart'
/** The localStorage key of the offline copy of a customer's cart. */
export const OFFLINE_COPY_KEY = 'server_cart_last_seen'

/** The storage of a customer's cart: the database. Loads its code on first use, so that visitors do not download the backend's client. */
export function remoteCart(userId: string): CartStorage {
  const storage = async () => (await import('./remote-cart-storage.ts')).remoteCartStorage(userId)
  return {
    load: async () => (await storage()).load(),
    change: async (change, lines) => (await storage()).change(change, lines),
    loadOfflineCopy: async () => (await storage()).loadOfflineCopy(),
  }
}

/** Calls back when another tab changes the cart, the browser is online again, or the page returns from the back/forward cache. */
export function onRemoteCartChanged(callback: () => void): () => void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  channel.addEventListener('message', callback)
  const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && callback()
  addEventListener('online', callback)
  addEventListener('pageshow', onPageShow)
  return () => {
    channel.close()
    removeEventListener('online', callback)
    removeEventListener('pageshow', onPageShow)
  }
}
