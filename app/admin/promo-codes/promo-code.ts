import { formatTotal, centsFromRand } from '#domain/money.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import type { Returns, Tables } from '#database'
import { useSave } from '../form/use-edit.tsx'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** The columns of a promo code that staff edit. */
export type PromoRules = Pick<Tables<'promo_codes'>, keyof ReturnType<typeof rulesOfCode>>

export type PromoState = PromoCode['state']

/** A code that is switched on may still be scheduled, expired or used up. */
export const PROMO_STATES: Record<PromoState, string> = {
  live: 'Live',
  scheduled: 'Scheduled',
  expired: 'Expired',
  used_up: 'Used up',
  switched_off: 'Turned off',
}

/** A promo code with its state and its results. */
export type PromoCode = Tables<'promo_code_results'>

export function isExpired({ expires_at }: Pick<PromoCode, 'expires_at'>, now = new Date()): boolean {
  return expires_at !== null && new Date(expires_at) < now
}

export function discountText({ discount_type, discount_value }: PromoCode): string {
  return discount_type === 'percentage' ? `${discount_value}%` : formatTotal(centsFromRand(discount_value))
}

/** Returns only the columns that staff may write; the database refuses the others. */
export function rulesOfCode(promo: Tables<'promo_codes'> | PromoCode) {
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
  return useToastMutation({
    mutationFn: (rules: PromoRules) => queryBackend((backend) => backend.from('promo_codes').insert(rules)),
    success: 'Promo code created',
    invalidates: ['promo-codes'],
  })
}

export const useUpdatePromoCode = () =>
  useSave<PromoRules>('promo_codes', { success: 'Promo code updated', invalidates: ['promo-codes'] })

export type PromoTestResult = Returns<'test_promo_code'>

export interface TestCart {
  subtotal: number
  customerEmail: string
}

/** Tests the code with the same rules as an order. With the `id` of a saved code, its previous uses count. */
export function testPromoCode(rules: PromoRules & { id?: string }, cart: TestCart): Promise<PromoTestResult> {
  return queryBackend((backend) =>
    backend.rpc('test_promo_code', {
      terms: rules,
      cart_subtotal: cart.subtotal,
      customer_email: cart.customerEmail.trim() || null,
    }),
  )
}

export function useSwitchPromoCode(id: string) {
  return useToastMutation({
    mutationFn: (isActive: boolean) =>
      queryBackend((backend) => backend.from('promo_codes').update({ is_active: isActive }).eq('id', id)),
    success: 'Promo code status updated',
    undoes: () => ({ table: 'promo_codes', id }),
    invalidates: ['promo-codes'],
  })
}

export function useDeletePromoCode() {
  return useToastMutation({
    mutationFn: (promo: PromoCode) =>
      queryBackend((backend) => backend.from('promo_codes').delete().eq('id', promo.id)),
    success: 'Promo code deleted',
    // Undo would restore a used code without its uses.
    undoes: ({ id, times_used }) => (times_used === 0 ? { table: 'promo_codes', id } : null),
    invalidates: ['promo-codes'],
  })
}
