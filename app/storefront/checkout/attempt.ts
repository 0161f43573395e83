import type { Tables } from '#database'
import { tabStore } from '#app/ui/browser-store.ts'

/** The arguments of the database function `place_order`, without the idempotency key. */
export interface PlaceOrderInput {
  delivery: Record<string, string>
  expected_total: number
  promo_code: string | null
  /** The lines that the page shows. Missing in an attempt of an older release. */
  expected_lines?: ExpectedLine[]
}

type ExpectedLine = Pick<Tables<'cart_items'>, 'product_name' | 'product_variant' | 'with_hooks' | 'quantity'>

interface Attempt {
  key: string
  input: PlaceOrderInput
  /** Identifies this input for this cart. */
  fingerprint: string
}

const KEY = 'checkout_attempt'
const PLACED = 'checkout_placed'

const fingerprintOf = (input: PlaceOrderInput, cart: unknown) => JSON.stringify([input, cart])
const placedText = (orderId: string, fingerprint: string) => JSON.stringify([orderId, fingerprint])

/**
 * Returns the idempotency key for an order. The key stays the same until the outcome is known, across double clicks and
 * reloads. A changed form or cart gets a new one.
 */
export function idempotencyKeyFor(input: PlaceOrderInput, cart: unknown): string {
  const fingerprint = fingerprintOf(input, cart)
  const previous = unsettledAttempt()
  if (previous?.fingerprint === fingerprint) return previous.key
  const attempt: Attempt = { key: crypto.randomUUID(), input, fingerprint }
  tabStore().setItem(KEY, JSON.stringify(attempt))
  return attempt.key
}

/** Returns the attempt whose response was lost, if any. */
export function unsettledAttempt(): Attempt | null {
  try {
    return JSON.parse(tabStore().getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

/** Ends the attempt, and notes what a placed order contained. */
export function endAttempt(placedId?: string): void {
  const attempt = unsettledAttempt()
  tabStore().removeItem(KEY)
  if (attempt && placedId) tabStore().setItem(PLACED, placedText(placedId, attempt.fingerprint))
}

/** Whether this tab placed the order, and so has its form. */
export function isPlacedHere(orderId: string): boolean {
  return tabStore().getItem(PLACED)?.includes(orderId) ?? false
}

/** Whether this tab placed the order from the same form and cart. */
export function isSameOrder(orderId: string, input: PlaceOrderInput, cart: unknown): boolean {
  return tabStore().getItem(PLACED) === placedText(orderId, fingerprintOf(input, cart))
}
