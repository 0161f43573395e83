import { useQuery } from '@tanstack/react-query'
import { formatTotal, centsFromRand } from '#domain/money.ts'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A row of `promo_codes`. */
export interface PromoCode {
  id: string
  code: string
  discount_type: 'percentage' | 'fixed'
  discount_value: number
  min_order_amount: number
  usage_limit: number | null
  times_used: number
  expires_at: string | null
  is_active: boolean
  free_shipping: boolean
  created_at: string
}

export type PromoRules = Omit<PromoCode, 'id' | 'times_used' | 'created_at'>

export function isExpired({ expires_at }: Pick<PromoCode, 'expires_at'>, now = new Date()): boolean {
  return expires_at !== null && new Date(expires_at) < now
}

export function discountText({ discount_type, discount_value }: PromoCode): string {
  return discount_type === 'percentage' ? `${discount_value}%` : formatTotal(centsFromRand(discount_value))
}

export function usageText({ times_used, usage_limit }: PromoCode): string {
  return `${times_used} / ${usage_limit ?? 'Unlimited'}`
}

export function usePromoCodes() {
  return useQuery({
    queryKey: ['promo-codes'],
    queryFn: () =>
      askBackend<PromoCode[]>((backend) =>
        backend.from('promo_codes').select('*').order('created_at', { ascending: false }),
      ),
  })
}

export function useCreatePromoCode() {
  return useChange({
    change: (rules: PromoRules) => tellBackend((backend) => backend.from('promo_codes').insert(rules)),
    done: 'Promo code created',
    refreshes: ['promo-codes'],
  })
}

export function useUpdatePromoCode(id: string) {
  return useChange({
    change: (rules: PromoRules) =>
      tellBackend((backend) => backend.from('promo_codes').update(rules).eq('id', id)),
    done: 'Promo code updated',
    refreshes: ['promo-codes'],
  })
}

export function useSwitchPromoCode(id: string) {
  return useChange({
    change: (isActive: boolean) =>
      tellBackend((backend) => backend.from('promo_codes').update({ is_active: isActive }).eq('id', id)),
    done: 'Promo code status updated',
    refreshes: ['promo-codes'],
  })
}

export function useDeletePromoCode() {
  return useChange({
    change: (promo: PromoCode) =>
      tellBackend((backend) => backend.from('promo_codes').delete().eq('id', promo.id)),
    done: 'Promo code deleted',
    refreshes: ['promo-codes'],
  })
}
