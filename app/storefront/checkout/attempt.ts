import { tabStore } from '#app/ui/browser-store.ts'

/** What is ordered, as `place_order` takes it. */
export interface Wish {
  delivery: Record<string, string>
  expected_total: number
  promo_code: string | null
}

interface Attempt {
  key: string
  wish: Wish
  /** Tells this wish for this cart from every other. */
  print: string
}

const KEY = 'checkout_attempt'

/**
 * The idempotency key for a wish. The same one for as long as it is not known what became of it, across double clicks and
 * reloads; another one when the form or the cart has changed since.
 */
export function keyFor(wish: Wish, cart: unknown): string {
  const print = JSON.stringify([wish, cart])
  const before = unsettledAttempt()
  if (before?.print === print) return before.key
  const attempt: Attempt = { key: crypto.randomUUID(), wish, print }
  tabStore().setItem(KEY, JSON.stringify(attempt))
  return attempt.key
}

/** An attempt whose answer never came. */
export function unsettledAttempt(): Attempt | null {
  try {
    return JSON.parse(tabStore().getItem(KEY) ?? 'null')
  } catch {
    return null
  }
}

export function settleAttempt(): void {
  tabStore().removeItem(KEY)
}
