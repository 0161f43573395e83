import { localStore } from '#app/ui/browser-store.ts'
import type { CartLine } from '#domain/cart.ts'
import { OFFLINE_COPY_KEY } from './remote-cart.ts'
import { isStoredLine, lineFrom, storedFrom } from './stored-line.ts'

/** Saves a copy of a customer's cart, which is shown when the shop cannot be reached. Returns the lines. */
export function saveOfflineCopy(userId: string, lines: CartLine[]): CartLine[] {
  try {
    localStore().setItem(OFFLINE_COPY_KEY, JSON.stringify({ user_id: userId, lines: lines.map(storedFrom) }))
  } catch {
    // Storage is full: the cart works, but is not available offline.
  }
  return lines
}

/** Returns the saved lines of this customer; never those of another. */
export function readOfflineCopy(userId: string): CartLine[] {
  try {
    const stored: unknown = JSON.parse(localStore().getItem(OFFLINE_COPY_KEY) ?? 'null')
    if (typeof stored !== 'object' || stored === null) return []
    if (!('user_id' in stored) || stored.user_id !== userId) return []
    return 'lines' in stored && Array.isArray(stored.lines)
      ? stored.lines.filter(isStoredLine).map(lineFrom)
      : []
  } catch {
    return []
  }
}
