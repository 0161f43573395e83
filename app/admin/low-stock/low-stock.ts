import { useQuery } from '@tanstack/react-query'
import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import type { Returns } from '#database'
import { useChange } from '../list/use-change.ts'

/** A colour that is running out: at its lure's own figure, or at the shop's. `available`: stock less what buyers hold. */
export type LowVariant = Returns<'list_low_stock'>[number]

/** Fewest first. Lures made to order are never short. */
export function useLowStock() {
  return useQuery({
    queryKey: ['products', 'low-stock'],
    queryFn: () => queryBackend((backend) => backend.rpc('list_low_stock')),
  })
}

/** From here down a colour is low, where its lure has no figure of its own. */
export function useThreshold() {
  return useQuery({
    queryKey: ['products', 'low-stock-threshold'],
    queryFn: () => queryBackend((backend) => backend.rpc('low_stock_threshold')),
  })
}

export function useSetThreshold() {
  return useChange({
    change: (atMost: number) =>
      callBackend((backend) => backend.rpc('set_low_stock_threshold', { at_most: atMost })),
    done: 'Figure for low stock changed',
    refreshes: ['products'],
  })
}
