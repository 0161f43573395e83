import { loadBackend } from '#app/data/backend.ts'
import { findLine, lineKey, addQuantity, type CartChange, type CartLine } from '#domain/cart.ts'
import type { CartStorage } from './cart-store.ts'
import { readGuestCart } from './guest-cart.ts'
import { SERVER_CART_CHANNEL } from './remote-cart.ts'
import { readOfflineCopy, saveOfflineCopy } from './offline-copy.ts'
import { clearTarget, mergeGuestCart, recordTarget } from './merge-guest-cart.ts'
import { changeServerCart, loadServerCart } from './server-cart.ts'

export function remoteCartStorage(userId: string): Required<CartStorage> {
  return {
    async load() {
      // The client would retry for seconds.
      if (!navigator.onLine) throw new Error('the browser is offline')
      const cart = { client: await loadBackend(), userId }
      if (readGuestCart().length > 0) {
        try {
          const lines = await mergeGuestCart(cart)
          notifyOtherTabs()
          return saveOfflineCopy(
            userId,
            lines.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt)),
          )
        } catch (error) {
          // The lines stay in the guest cart and are merged at the next load.
          console.error('the guest cart was not merged', error)
        }
      } else clearTarget()
      return saveOfflineCopy(userId, await loadServerCart(cart))
    },
    async change(change, lines) {
      const cart = { client: await loadBackend(), userId }
      const changed = await withRecordedTarget({ userId, change, lines }, () =>
        changeServerCart(cart, change, lines),
      )
      notifyOtherTabs()
      return saveOfflineCopy(userId, changed)
    },
    loadOfflineCopy: async () => readOfflineCopy(userId),
  }
}

interface PendingChange {
  userId: string
  change: CartChange
  lines: CartLine[]
}

/** Records the target quantity before the request, so that a retry after an unload sets it instead of adding again. */
async function withRecordedTarget<T>(
  { userId, change, lines }: PendingChange,
  task: () => Promise<T>,
): Promise<T> {
  if (change.kind !== 'add') return task()
  const key = lineKey(change.line)
  const before = findLine(lines, key)?.quantity ?? 0
  recordTarget({ userId }, { key, quantity: addQuantity(before, change.line.quantity) })
  const result = await task()
  clearTarget()
  return result
}

function notifyOtherTabs(): void {
  const channel = new BroadcastChannel(SERVER_CART_CHANNEL)
  // A BroadcastChannel reaches only this origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  channel.postMessage(null)
  channel.close()
}
