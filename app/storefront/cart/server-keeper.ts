import { loadBackend } from '#app/session/backend.ts'
import { findLine, lineKey, addQuantity, type CartChange, type CartLine } from '#domain/cart.ts'
import type { CartKeeper } from './cart-store.ts'
import { readGuestCart } from './guest-cart.ts'
import { SERVER_CART_CHANNEL } from './keepers.ts'
import { lastSeen, rememberSeen } from './last-seen.ts'
import { forgetIntent, mergeGuestCart, noteIntent } from './merge-guest-cart.ts'
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
      } else forgetIntent()
      return rememberSeen(userId, await loadServerCart(cart))
    },
    async change(change, lines) {
      const cart = { client: await loadBackend(), userId }
      const changed = await knowingItsEnd({ userId, change, lines }, () =>
        changeServerCart(cart, change, lines),
      )
      tellOtherTabs()
      return rememberSeen(userId, changed)
    },
    lastSeen: async () => lastSeen(userId),
  }
}

interface Ending {
  userId: string
  change: CartChange
  lines: CartLine[]
}

/** Should the page go while a line is added, the next one finds noted which quantity it was to have, and does not add it twice. */
async function knowingItsEnd<T>({ userId, change, lines }: Ending, work: () => Promise<T>): Promise<T> {
  if (change.kind !== 'add') return work()
  const key = lineKey(change.line)
  const before = findLine(lines, key)?.quantity ?? 0
  noteIntent({ userId }, { key, quantity: addQuantity(before, change.line.quantity) })
  const done = await work()
  forgetIntent()
  return done
}

function tellOtherTabs(): void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  // A channel has no target: only tabs of this site hear it.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null)
  channel.close()
}
