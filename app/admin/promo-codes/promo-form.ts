import type { PromoRules } from './promo-code.ts'

/** What the form holds while it is typed: text, as fields do. */
export interface PromoDraft {
  code: string
  discount_type: PromoRules['discount_type']
  discount_value: string
  min_order_amount: string
  usage_limit: string
  expires_at: string
  is_active: boolean
  free_shipping: boolean
}

export const NEW_PROMO: PromoDraft = {
  code: '',
  discount_type: 'percentage',
  discount_value: '',
  min_order_amount: '0',
  usage_limit: '',
  expires_at: '',
  is_active: true,
  free_shipping: false,
}

export function draftOf(rules: PromoRules): PromoDraft {
  return {
    ...rules,
    discount_value: String(rules.discount_value),
    min_order_amount: String(rules.min_order_amount),
    usage_limit: rules.usage_limit === null ? '' : String(rules.usage_limit),
    expires_at: rules.expires_at === null ? '' : localDateTime(new Date(rules.expires_at)),
  }
}

export function rulesOf(draft: PromoDraft): PromoRules {
  return {
    ...draft,
    code: draft.code.trim().toUpperCase(),
    discount_value: Number(draft.discount_value),
    min_order_amount: Number(draft.min_order_amount || 0),
    usage_limit: draft.usage_limit === '' ? null : Number(draft.usage_limit),
    expires_at: draft.expires_at === '' ? null : new Date(draft.expires_at).toISOString(),
  }
}

/** What `<input type="datetime-local">` reads: the device's own clock, to the minute. */
function localDateTime(date: Date): string {
  const shifted = new Date(date.getTime() - date.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}
