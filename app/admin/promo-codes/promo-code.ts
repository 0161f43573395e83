import { formatTotal, centsFromRand } from '#domain/money.ts'
import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import type { Returns, Tables } from '#database'
import { saveUnlessChanged, type Versioned } from '../list/save-unless-changed.ts'
import { useChange } from '../list/use-change.ts'

/** What staff decide about a code. */
export type PromoRules = Pick<
  Tables<'promo_codes'>,
  | 'code'
  | 'discount_type'
  | 'discount_value'
  | 'min_order_amount'
  | 'usage_limit'
  | 'per_customer_limit'
  | 'first_order_only'
  | 'starts_at'
  | 'expires_at'
  | 'is_active'
  | 'free_shipping'
>

export type PromoState = PromoCode['state']

/** What the switch alone does not tell: it may be on, and the code not hold all the same. */
export const PROMO_STATES: Record<PromoState, string> = {
  live: 'Live',
  scheduled: 'Scheduled',
  expired: 'Expired',
  used_up: 'Used up',
  switched_off: 'Switched off',
}

/** A code, how it stands, and what it has brought. */
export type PromoCode = Tables<'promo_code_results'>

export function isExpired({ expires_at }: Pick<PromoCode, 'expires_at'>, now = new Date()): boolean {
  return expires_at !== null && new Date(expires_at) < now
}

export function discountText({ discount_type, discount_value }: PromoCode): string {
  return discount_type === 'percentage' ? `${discount_value}%` : formatTotal(centsFromRand(discount_value))
}

/** What a saved code's form starts from: the columns that staff may write, and none besides. */
export function rulesOfCode(promo: PromoCode): PromoRules {
  return {
    code: promo.code,
    discount_type: promo.discount_type,
    discount_value: promo.discount_value,
    min_order_amount: promo.min_order_amount,
    usage_limit: promo.usage_limit,
    per_customer_limit: promo.per_customer_limit,
    first_order_only: promo.first_order_only,
    starts_at: promo.starts_at,
    expires_at: promo.expires_at,
    is_active: promo.is_active,
    free_shipping: promo.free_shipping,
  }
}

export function usageText({ times_used, usage_limit }: PromoCode): string {
  return `${times_used} / ${usage_limit ?? 'Unlimited'}`
}

export function useCreatePromoCode() {
  return useChange({
    change: (rules: PromoRules) => callBackend((backend) => backend.from('promo_codes').insert(rules)),
    done: 'Promo code created',
    refreshes: ['promo-codes'],
  })
}

/** What is saved, over which version. */
export interface PromoChange {
  rules: PromoRules
  seen: Versioned
}

export function useUpdatePromoCode(id: string) {
  return useChange({
    change: ({ rules, seen }: PromoChange) =>
      saveUnlessChanged({ table: 'promo_codes', seen, values: rules }),
    done: 'Promo code updated',
    undoes: () => ({ table: 'promo_codes', id }),
    refreshes: ['promo-codes'],
  })
}

export type Trial = Returns<'test_promo_code'>

export interface TriedCart {
  subtotal: number
  customerEmail: string
}

/** Asks the very rules that an order meets; `id` brings the uses of a code that is saved. */
export function askForTrial(rules: PromoRules & { id?: string }, cart: TriedCart): Promise<Trial> {
  return queryBackend((backend) =>
    backend.rpc('test_promo_code', {
      terms: rules,
      cart_subtotal: cart.subtotal,
      customer_email: cart.customerEmail.trim() || null,
    }),
  )
}

export function useSwitchPromoCode(id: string) {
  return useChange({
    change: (isActive: boolean) =>
      callBackend((backend) => backend.from('promo_codes').update({ is_active: isActive }).eq('id', id)),
    done: 'Promo code status updated',
    undoes: () => ({ table: 'promo_codes', id }),
    refreshes: ['promo-codes'],
  })
}

export function useDeletePromoCode() {
  return useChange({
    change: (promo: PromoCode) =>
      callBackend((backend) => backend.from('promo_codes').delete().eq('id', promo.id)),
    done: 'Promo code deleted',
    // A used code would come back without its uses.
    undoes: ({ id, times_used }) => (times_used === 0 ? { table: 'promo_codes', id } : null),
    refreshes: ['promo-codes'],
  })
}
