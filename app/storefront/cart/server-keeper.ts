import { loadBackend } from '#app/session/backend.ts'
import type { CartKeeper } from './cart-store.ts'
import { readGuestCart } from './guest-cart.ts'
import { SERVER_CART_CHANNEL } from './keepers.ts'
import { lastSeen, rememberSeen } from './last-seen.ts'
import { mergeGuestCart } from './merge-guest-cart.ts'
import { changeServerCart, loadServerCart } from './server-cart.ts'

export function serverKeeper(userId: string): Required<CartKeeper> {
  return {
    async load() {
      // The client would go on trying for seconds.
      if (!navigator.onLine) throw new Error('there is no signal')
      const cart = { client: await loadBackend(), userId }
      if (readGuestCart().length > 0) {
        try {
          const lines = await mergeGuestCart(cart)
          tellOtherTabs()
          return rememberSeen(
            userId,
            lines.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
          )
        } catch (error) {
          // The lines stay with the visitor's cart and come along the next time.
          console.error('the guest cart was not moved', error)
        }
      }
      return rememberSeen(userId, await loadServerCart(cart))
    },
    async change(change, lines) {
      const changed = await changeServerCart({ client: await loadBackend(), userId }, change, lines)
      tellOtherTabs()
      return rememberSeen(userId, changed)
    },
    lastSeen: async () => lastSeen(userId),
  }
}

function tellOtherTabs(): void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  // A channel has no target: only tabs of this site hear it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null)
  channel.close()
}
