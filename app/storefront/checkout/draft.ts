import type { Checkout } from '#domain/validation/checkout.ts'
import { tabStore } from '#app/ui/browser-store.ts'

/** The form as it is typed, right or wrong. */
export type Draft = Record<Exclude<keyof Checkout, 'accept_terms'>, string> & { accept_terms: boolean }

const FORM_KEY = 'checkout_form'
const PROMO_KEY = 'checkout_promo'

const EMPTY: Draft = {
  full_name: '',
  email: '',
  phone: '',
  shipping_method: 'locker',
  locker_location: '',
  address: '',
  city: '',
  state: '',
  zip_code: '',
  notes: '',
  accept_terms: false,
}

/** What this customer typed in this tab so far. Terms are accepted anew each time: consent is not remembered. */
export function readDraft(userId: string): Draft {
  const draft: Draft = { ...EMPTY }
  try {
    const stored: Record<string, unknown> = JSON.parse(tabStore().getItem(FORM_KEY) ?? '{}')
    if (stored.user_id !== userId) return draft
    for (const name of fieldNames) {
      const value = stored[name]
      if (typeof value === 'string') draft[name] = value
    }
  } catch {
    // Nothing readable was kept: the form starts empty.
  }
  return draft
}

const fieldNames = [
  'full_name',
  'email',
  'phone',
  'shipping_method',
  'locker_location',
  'address',
  'city',
  'state',
  'zip_code',
  'notes',
] as const

export function keepDraft(userId: string, draft: Draft): void {
  keep(FORM_KEY, JSON.stringify({ ...draft, user_id: userId }))
}

export function readPromoCode(): string {
  return tabStore().getItem(PROMO_KEY) ?? ''
}

export function keepPromoCode(code: string): void {
  keep(PROMO_KEY, code)
}

/** Once it is paid for there is nothing to come back to. */
export function forgetCheckout(): void {
  tabStore().removeItem(FORM_KEY)
  tabStore().removeItem(PROMO_KEY)
}

function keep(key: string, text: string): void {
  try {
    tabStore().setItem(key, text)
  } catch {
    // Storage is full: the form works, and is only not kept.
  }
}
