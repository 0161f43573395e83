import { shop } from '#shop'
import { momentOf, southAfricanDateTime } from '#domain/south-african-time.ts'
import type { PromoRules } from './promo-code.ts'

/** The form's state, as text. */
export type PromoDraft = typeof NEW_PROMO

export const NEW_PROMO = {
  code: '',
  discount_type: 'percentage',
  discount_value: '',
  min_order_amount: '0',
  usage_limit: '',
  per_customer_limit: '',
  first_order_only: false,
  starts_at: '',
  expires_at: '',
  is_active: true,
  free_shipping: false,
}

export function draftOf(rules: PromoRules): PromoDraft {
  return {
    ...rules,
    discount_value: String(rules.discount_value),
    min_order_amount: String(rules.min_order_amount),
    usage_limit: String(rules.usage_limit ?? ''),
    per_customer_limit: String(rules.per_customer_limit ?? ''),
    starts_at: rules.starts_at ? southAfricanDateTime(rules.starts_at) : '',
    expires_at: rules.expires_at ? southAfricanDateTime(rules.expires_at) : '',
  }
}

export function rulesOf(draft: PromoDraft): PromoRules {
  return {
    ...draft,
    code: draft.code.trim().toUpperCase(),
    discount_type: draft.discount_type === 'fixed' ? 'fixed' : 'percentage',
    discount_value: Number(draft.discount_value),
    min_order_amount: Number(draft.min_order_amount || 0),
    usage_limit: wholeNumber(draft.usage_limit),
    per_customer_limit: wholeNumber(draft.per_customer_limit),
    starts_at: momentOf(draft.starts_at),
    expires_at: momentOf(draft.expires_at),
  }
}

/** Copies a code under another name and drops past dates, which would make the copy unusable. */
export function duplicateOf(rules: PromoRules, now = new Date()): PromoDraft {
  const isPast = (at: string | null) => at !== null && new Date(at) < now
  return draftOf({
    ...rules,
    code: `${rules.code.slice(0, MAX_LENGTH - COPY.length)}${COPY}`,
    starts_at: isPast(rules.starts_at) ? null : rules.starts_at,
    expires_at: isPast(rules.expires_at) ? null : rules.expires_at,
  })
}

/** Returns an error if the expiry is not after the start. */
export function dateErrorOf({ starts_at, expires_at }: PromoRules): string | null {
  const isBackwards = starts_at !== null && expires_at !== null && expires_at <= starts_at
  return isBackwards ? 'The code would expire before it starts.' : null
}

/** Returns a warning about the code that the discount popup and the welcome e-mail promise with fixed terms; null for other codes. */
export function welcomeWarning(code: string): string | null {
  const { percent, fromRand } = shop.welcomeOffer
  return code === shop.welcomeCode
    ? `The discount popup and the welcome e-mail promise ${code}: ${percent}% off a first order of R${fromRand} or more. They stay as they are when you change or delete it.`
    : null
}

export const MAX_LENGTH = 40
const COPY = '-COPY'

function wholeNumber(text: string): number | null {
  return text === '' ? null : Number(text)
}
