import { applyChange, lineKey, type CartChange, type CartLine } from '#domain/cart.ts'
import { isStoredLine, lineFrom, storedFrom } from './stored-line.ts'
import { localStore } from '#app/ui/browser-store.ts'

export const GUEST_CART_KEY = 'guest_cart_items'

/** Returns a visitor's cart, newest line first. Skips invalid entries: users can edit the storage. */
export function readGuestCart(): CartLine[] {
  try {
    const stored: unknown = JSON.parse(localStore().getItem(GUEST_CART_KEY) ?? '[]')
    if (!Array.isArray(stored)) return []
    const lines = new Map<string, CartLine>()
    for (const value of stored) {
      if (!isStoredLine(value)) continue
      const line = lineFrom(value)
      if (!lines.has(lineKey(line))) lines.set(lineKey(line), line)
    }
    return [...lines.values()].toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  } catch {
    // Invalid JSON counts as an empty cart.
    return []
  }
}

/** Throws when the browser's storage is full. */
export function writeGuestCart(lines: readonly CartLine[]): void {
  if (lines.length === 0) localStore().removeItem(GUEST_CART_KEY)
  else localStore().setItem(GUEST_CART_KEY, JSON.stringify(lines.map(storedFrom)))
}

/** Applies a change to the stored lines, which another tab may have changed. */
export function changeGuestCart(change: CartChange): CartLine[] {
  const lines = applyChange(readGuestCart(), change, (line) => ({
    ...line,
    id: crypto.randomUUID(),
    createdAt: new Date().toISOString(),
  }))
  writeGuestCart(lines)
  return lines
}
