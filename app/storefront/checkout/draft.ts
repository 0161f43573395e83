import type { Checkout } from '#domain/validation/checkout.ts'
import { tabStore } from '#app/ui/browser-store.ts'

/** The form as typed, valid or not. */
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

/** Returns what this customer has typed in this tab. Acceptance of the terms is never restored. */
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
    // Invalid JSON: the form starts empty.
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

export function saveDraft(userId: string, draft: Draft): void {
  store(FORM_KEY, JSON.stringify({ ...draft, user_id: userId }))
}

export function readPromoCode(): string {
  return tabStore().getItem(PROMO_KEY) ?? ''
}

export function savePromoCode(code: string): void {
  store(PROMO_KEY, code)
}

/** Call when the order is paid. */
export function clearCheckoutDraft(): void {
  tabStore().removeItem(FORM_KEY)
  tabStore().removeItem(PROMO_KEY)
}

function store(key: string, text: string): void {
  try {
    tabStore().setItem(key, text)
  } catch {
    // Storage is full: the form works, but a reload clears it.
  }
}
