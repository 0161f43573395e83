import { findLine, lineKey, addQuantity, type CartLine } from '#domain/cart.ts'
import { parseRand } from '#domain/money.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { readGuestCart, writeGuestCart } from './guest-cart.ts'
import { changeServerCart, insertLine, loadServerCart, type ServerCart } from './server-cart.ts'
import { localStore } from '#app/ui/browser-store.ts'

/** Which quantity each line was about to have on the server, by its key: written before the call, so that a repeat is harmless. */
const INTENT_KEY = 'guest_cart_merging'

/**
 * Moves a visitor's lines into the customer's cart, the oldest first, and returns that cart. A line leaves the guest cart as soon as
 * it is in the other one, and what its quantity was going to be is noted beforehand: whatever breaks off in between, even the
 * answer to a call that was carried out, a second try ends with the same quantities.
 */
export async function mergeGuestCart(cart: ServerCart): Promise<CartLine[]> {
  return alone(async () => {
    let lines = await loadServerCart(cart)
    const refusals: unknown[] = []
    for (const guestLine of readGuestCart().toReversed()) {
      try {
        lines = await mergeLine(cart, guestLine, lines)
        forget(guestLine)
      } catch (error) {
        // A lure that is no longer sold stays behind alone; without a connection there is no going on.
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
  const quantity = intendedQuantity(cart, key) ?? addQuantity(existing?.quantity ?? 0, guestLine.quantity)
  if (existing?.quantity === quantity) return lines

  noteIntent(cart, { key, quantity })
  if (existing) return changeServerCart(cart, { kind: 'set-quantity', key, quantity }, lines)
  const inserted = await insertAtCurrentPrice(cart, { ...guestLine, quantity })
  if (inserted !== 'already-there') return [inserted, ...lines]
  // Put there by another tab since the cart was read: nothing was written here, so the sum is made anew.
  forgetIntent()
  return mergeLine(cart, guestLine, await loadServerCart(cart))
}

/** The price may have changed since the visitor chose; the line then takes the new one, and says so where it is shown. */
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

interface Intent {
  userId: string
  key: string
  quantity: number
}

export function noteIntent({ userId }: { userId: string }, intent: Omit<Intent, 'userId'>): void {
  localStore().setItem(INTENT_KEY, JSON.stringify({ userId, ...intent } satisfies Intent))
}

export function forgetIntent(): void {
  localStore().removeItem(INTENT_KEY)
}

function intendedQuantity({ userId }: ServerCart, key: string): number | null {
  const noted = localStore().getItem(INTENT_KEY)
  if (!noted) return null
  try {
    const intent: Intent = JSON.parse(noted)
    return intent.userId === userId && intent.key === key ? intent.quantity : null
  } catch {
    return null
  }
}

function forget(merged: CartLine): void {
  writeGuestCart(readGuestCart().filter((line) => line.id !== merged.id))
  forgetIntent()
}

/** Two tabs hear of the same sign-in; one moves the lines, the other then finds none. */
async function alone<T>(work: () => Promise<T>): Promise<T> {
  let hasBegun = false
  const begin = () => {
    hasBegun = true
    return work()
  }
  try {
    return await navigator.locks.request(INTENT_KEY, begin)
  } catch (error) {
    if (hasBegun) throw error
    // A browser that keeps nothing has no locks either, and no second tab that would know of this cart.
    return work()
  }
}
