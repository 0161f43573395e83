import { localStore, readStoredJson, writeStoredJson } from '#app/ui/browser-store.ts'
import { applyChange, type CartChange, type CartLine } from '#domain/cart.ts'
import { validLines, storedFrom } from '#domain/stored-cart.ts'
import type { CartSnapshot, CartStorage } from './cart-context.ts'

export const GUEST_CART_KEY = 'guest_cart_items'
/** The key of the copy of a customer's cart that is shown when the shop cannot be reached. */
export const OFFLINE_COPY_KEY = 'server_cart_last_seen'

const listeners = new Set<() => void>()
/** The parsed storage: React compares snapshots by identity. */
let latest: { text: string | null; snapshot: CartSnapshot } | undefined

/** The storage of a visitor's cart: this browser. */
export const localCart: CartStorage = {
  snapshot() {
    const text = localStore().getItem(GUEST_CART_KEY)
    if (latest?.text !== text)
      latest = {
        text,
        snapshot: { status: 'ready', lines: validLines(readStoredJson(localStore(), GUEST_CART_KEY)) },
      }
    return latest.snapshot
  },
  subscribe(listener) {
    const onStorage = ({ key }: StorageEvent) => (key === GUEST_CART_KEY || key === null) && listener()
    listeners.add(listener)
    // The browser sends storage events to other tabs only.
    addEventListener('storage', onStorage)
    return () => {
      listeners.delete(listener)
      removeEventListener('storage', onStorage)
    }
  },
  change: async (change) => changeGuestCart(change),
  settle: async () => undefined,
  async reload() {
    // A previous customer has signed out: delete the copy of their cart.
    localStore().removeItem(OFFLINE_COPY_KEY)
  },
  fetchAvailability: async (lines) =>
    (await import('./fetch-availability.ts')).fetchVisitorAvailability(lines),
}

/** Returns a visitor's cart, newest line first. */
export function readGuestCart(): CartLine[] {
  return localCart.snapshot().lines
}

/** Throws when the browser's storage is full. */
export function writeGuestCart(lines: readonly CartLine[]): void {
  if (lines.length === 0) localStore().removeItem(GUEST_CART_KEY)
  else localStore().setItem(GUEST_CART_KEY, JSON.stringify(lines.map(storedFrom)))
  for (const listener of listeners) listener()
}

/** Applies a change to the stored lines, which another tab may have changed. */
export function changeGuestCart(change: CartChange): void {
  writeGuestCart(applyChange(readGuestCart(), change))
}

/** Saves a copy of a customer's cart. */
export function saveOfflineCopy(userId: string, lines: readonly CartLine[]): void {
  writeStoredJson(localStore(), OFFLINE_COPY_KEY, { user_id: userId, lines: lines.map(storedFrom) })
}

/** Returns the saved lines of this customer; never those of another. */
export function readOfflineCopy(userId: string): CartLine[] {
  const copy = readStoredJson(localStore(), OFFLINE_COPY_KEY)
  if (typeof copy !== 'object' || copy === null) return []
  return 'user_id' in copy && copy.user_id === userId && 'lines' in copy ? validLines(copy.lines) : []
}
