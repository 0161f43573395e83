import { useQuery } from '@tanstack/react-query'
import { askBackend, tellBackend } from '#app/session/ask-backend.ts'
import { useChange } from '../list/use-change.ts'

/** A colour that is running out: at its lure's own figure, or at the shop's. */
export interface LowVariant {
  variant_id: string
  product_id: string
  product_name: string
  name: string
  image_url: string | null
  stock_quantity: number
  /** What can still be sold: stock less what buyers hold. */
  available: number
  low_stock_at: number
  is_own_threshold: boolean
}

/** Fewest first. Lures made to order are never short. */
export function useLowStock() {
  return useQuery({
    queryKey: ['products', 'low-stock'],
    queryFn: () => askBackend<LowVariant[]>((backend) => backend.rpc('list_low_stock')),
  })
}

/** From here down a colour is low, where its lure has no figure of its own. */
export function useThreshold() {
  return useQuery({
    queryKey: ['products', 'low-stock-threshold'],
    queryFn: () => askBackend<number>((backend) => backend.rpc('low_stock_threshold')),
  })
}

export function useSetThreshold() {
  return useChange({
    change: (atMost: number) =>
      tellBackend((backend) => backend.rpc('set_low_stock_threshold', { at_most: atMost })),
    done: 'Figure for low stock changed',
    refreshes: ['products'],
  })
}
