import type { CartKeeper } from './cart-store.ts'
import { changeGuestCart, readGuestCart } from './guest-cart.ts'

/** Tells the customer's other tabs that the cart has changed. */
export const SERVER_CART_CHANNEL = 'server_cart'

export const guestKeeper: CartKeeper = {
  load: async () => readGuestCart(),
  change: async (change) => changeGuestCart(change),
}

/** A customer's; what it takes comes with the backend's client, which a visitor never pays for. */
export function serverKeeper(userId: string): CartKeeper {
  const keeper = async () => (await import('./server-keeper.ts')).serverKeeper(userId)
  return {
    load: async () => (await keeper()).load(),
    change: async (change, lines) => (await keeper()).change(change, lines),
  }
}

/** Calls back when another tab has changed the customer's cart. */
export function onServerCartChanged(tell: () => void): () => void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  channel.addEventListener('message', tell)
  return () => channel.close()
}
