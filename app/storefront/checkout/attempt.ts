import { tabStore } from '#app/ui/browser-store.ts'

/** The arguments of the database function `place_order`, without the idempotency key. */
export interface PlaceOrderInput {
  delivery: Record<string, string>
  expected_total: number
  promo_code: string | null
}

interface Attempt {
  key: string
  input: PlaceOrderInput
  /** Identifies this input for this cart. */
  fingerprint: string
}

const KEY = 'checkout_attempt'

/**
 * Returns the idempotency key for an order. The key stays the same until the outcome is known, across double clicks and
 * reloads. A changed form or cart gets a new one.
 */
export function idempotencyKeyFor(input: PlaceOrderInput, cart: unknown): string {
  const fingerprint = JSON.stringify([input, cart])
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

export function clearAttempt(): void {
  tabStore().removeItem(KEY)
}
