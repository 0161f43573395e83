import { EMPTY_DELIVERY } from '#domain/delivery.ts'
import type { Checkout } from '#domain/validation/checkout.ts'
import type { useForm } from '#app/ui/form/use-form.ts'
import { readStoredJson, tabStore, writeStoredJson } from '#app/ui/browser-store.ts'
import { endAttempt } from './attempt.ts'

export { isPlacedHere } from './attempt.ts'

/** The form as typed, valid or not. */
export type Draft = Record<Exclude<keyof Checkout, 'accept_terms'>, string> & { accept_terms: boolean }

export type CheckoutFields = ReturnType<typeof useForm<Draft>>

/** Associates controls outside the form element with it. */
export const FORM_ID = 'checkout-form'

/** The order's lines, which tell why it was refused. */
export const LINES_ID = 'order-lines'

const FORM_KEY = 'checkout_form'
const PROMO_KEY = 'checkout_promo'

const EMPTY: Draft = { ...EMPTY_DELIVERY, accept_terms: false }

/** Returns what this customer has typed in this tab. Acceptance of the terms is never restored. */
export function readDraft(userId: string): Draft {
  const stored = readOwn(FORM_KEY, userId)
  const texts = Object.keys(EMPTY).map((name) => [name, stored.get(name)] as const)
  const typed = Object.fromEntries(texts.filter(([, value]) => typeof value === 'string'))
  return { ...EMPTY, ...typed, accept_terms: false }
}

export function saveDraft(userId: string, draft: Draft): void {
  writeStoredJson(tabStore(), FORM_KEY, { ...draft, user_id: userId })
}

/** Returns the promo code that this customer has applied in this tab. */
export function readPromoCode(userId: string): string {
  const code = readOwn(PROMO_KEY, userId).get('code')
  return typeof code === 'string' ? code : ''
}

export function savePromoCode(userId: string, code: string): void {
  writeStoredJson(tabStore(), PROMO_KEY, { code, user_id: userId })
}

/** Returns the stored values of this customer; none of another who has used the tab. */
function readOwn(key: string, userId: string): Map<string, unknown> {
  const stored = new Map<string, unknown>(Object.entries(readStoredJson(tabStore(), key) ?? {}))
  return stored.get('user_id') === userId ? stored : new Map()
}

/** Call when the order is paid. An attempt whose response was lost may have made it: the next order needs a new key. */
export function clearCheckoutDraft(): void {
  endAttempt()
  tabStore().removeItem(FORM_KEY)
  tabStore().removeItem(PROMO_KEY)
}
