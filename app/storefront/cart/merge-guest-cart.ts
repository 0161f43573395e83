import { findLine, lineKey, addQuantity, type CartLine } from '#domain/cart.ts'
import { parseRand } from '#domain/money.ts'
import { isBackendError } from '#app/data/backend-error.ts'
import { readGuestCart, writeGuestCart } from './guest-cart.ts'
import { changeServerCart, insertLine, loadServerCart, type ServerCart } from './server-cart.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** Stores the target quantity of the line that is being written. Written before the request, so that a retry is idempotent. */
const TARGET_KEY = 'guest_cart_merging'

/**
 * Moves a visitor's lines into the customer's cart, oldest first, and returns that cart. Idempotent: the target quantity is
 * recorded before each write, and a line leaves the guest cart right after it, so a retry ends with the same quantities even
 * when only a response was lost.
 */
export async function mergeGuestCart(cart: ServerCart): Promise<CartLine[]> {
  return withLock(async () => {
    let lines = await loadServerCart(cart)
    const refusals: unknown[] = []
    for (const guestLine of readGuestCart().toReversed()) {
      try {
        lines = await mergeLine(cart, guestLine, lines)
        removeFromGuestCart(guestLine)
      } catch (error) {
        // Skip lines of products that are no longer sold; abort when the network fails.
        if (!isBackendError(error) || !error.code.startsWith('PT4')) throw error
        refusals.push(error)
      }
    }
    if (refusals.length > 0) console.error('lines stayed in the guest cart', refusals)
    return lines
  })
}

async function mergeLine(cart: ServerCart, guestLine: CartLine, lines: CartLine[]): Promise<CartLine[]> {
  const key = lineKey(guestLine)
  const existing = findLine(lines, key)
  const quantity = targetQuantity(cart, key) ?? addQuantity(existing?.quantity ?? 0, guestLine.quantity)
  if (existing?.quantity === quantity) return lines

  recordTarget(cart, { key, quantity })
  if (existing) return changeServerCart(cart, { kind: 'set-quantity', key, quantity }, lines)
  const inserted = await insertAtCurrentPrice(cart, { ...guestLine, quantity })
  if (inserted !== 'already-there') return [inserted, ...lines]
  // Another tab has inserted the line: compute the sum from the current cart.
  clearTarget()
  return mergeLine(cart, guestLine, await loadServerCart(cart))
}

/** Inserts the line at the current price when it has changed. The cart shows the buyer the change. */
async function insertAtCurrentPrice(cart: ServerCart, line: CartLine) {
  try {
    return await insertLine(cart, line)
  } catch (error) {
    const priceCents = changedPrice(error)
    if (priceCents === null) throw error
    return insertLine(cart, { ...line, priceCents })
  }
}

function changedPrice(error: unknown): number | null {
  if (!isBackendError(error) || error.details !== 'price_changed' || !error.hint) return null
  const facts: { price: number } = JSON.parse(error.hint)
  return parseRand(facts.price)
}

interface TargetQuantity {
  userId: string
  key: string
  quantity: number
}

export function recordTarget({ userId }: { userId: string }, target: Omit<TargetQuantity, 'userId'>): void {
  localStore().setItem(TARGET_KEY, JSON.stringify({ userId, ...target } satisfies TargetQuantity))
}

export function clearTarget(): void {
  localStore().removeItem(TARGET_KEY)
}

function targetQuantity({ userId }: ServerCart, key: string): number | null {
  const stored = localStore().getItem(TARGET_KEY)
  if (!stored) return null
  try {
    const target: TargetQuantity = JSON.parse(stored)
    return target.userId === userId && target.key === key ? target.quantity : null
  } catch {
    return null
  }
}

function removeFromGuestCart(merged: CartLine): void {
  writeGuestCart(readGuestCart().filter((line) => line.id !== merged.id))
  clearTarget()
}

/** Two tabs can see the same sign-in: with the lock, one merges the lines and the other finds none. */
async function withLock<T>(task: () => Promise<T>): Promise<T> {
  let hasStarted = false
  const start = () => {
    hasStarted = true
    return task()
  }
  try {
    return await navigator.locks.request(TARGET_KEY, start)
  } catch (error) {
    if (hasStarted) throw error
    // Browsers without storage access have no locks; their tabs share no cart either.
    return task()
  }
}
