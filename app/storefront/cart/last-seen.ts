import { localStore } from '#app/ui/browser-store.ts'
import type { CartLine } from '#domain/cart.ts'
import { LAST_SEEN_KEY } from './keepers.ts'
import { isStoredLine, lineFrom, storedFrom } from './stored-line.ts'

/** Keeps a customer's cart as it was just seen, for when the shop cannot be asked. */
export function rememberSeen(userId: string, lines: CartLine[]): CartLine[] {
  try {
    localStore().setItem(LAST_SEEN_KEY, JSON.stringify({ user_id: userId, lines: lines.map(storedFrom) }))
  } catch {
    // Storage is full: the cart works, and is only not shown without a signal.
  }
  return lines
}

/** Nothing of anybody else's. */
export function lastSeen(userId: string): CartLine[] {
  try {
    const seen: unknown = JSON.parse(localStore().getItem(LAST_SEEN_KEY) ?? 'null')
    if (typeof seen !== 'object' || seen === null) return []
    if (!('user_id' in seen) || seen.user_id !== userId) return []
    return 'lines' in seen && Array.isArray(seen.lines) ? seen.lines.filter(isStoredLine).map(lineFrom) : []
  } catch {
    return []
  }
}
