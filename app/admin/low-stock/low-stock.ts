import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns } from '#database'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'

/** A colour at or below the threshold of its product or the shop. `available` is the stock less reservations. */
export type LowVariant = Returns<'list_low_stock'>[number]

/** Fewest first. Excludes products that are made to order. */
export function useLowStock() {
  return useBackendQuery(['products', 'low-stock'], (backend) => backend.rpc('list_low_stock'))
}

/** The shop's threshold, for products without their own. */
export function useThreshold() {
  return useBackendQuery(['products', 'low-stock-threshold'], (backend) => backend.rpc('low_stock_threshold'))
}

export function useSetThreshold() {
  return useToastMutation({
    mutationFn: (atMost: number) =>
      queryBackend((backend) => backend.rpc('set_low_stock_threshold', { at_most: atMost })),
    success: 'Low-stock threshold saved',
    invalidates: ['products'],
  })
}
