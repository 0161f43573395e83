import { useQuery } from '@tanstack/react-query'
import { queryWithCount } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { Returns } from '#database'
import { LISTED_ORDER_COLUMNS, listedOrder } from '#domain/order.ts'

export type RevenueTotals = Returns<'total_revenue'>

export function useRevenueTotals() {
  return useBackendQuery(['orders', 'revenue'], (backend) =>
    backend.rpc('total_revenue', undefined, { get: true }),
  )
}

/** Limits the list only; the totals count all orders. */
export const HISTORY_LENGTH = 200

/** Newest first. */
export function useOrderHistory() {
  return useBackendQuery(
    ['orders', 'history'],
    (backend) =>
      backend
        .from('orders')
        .select(LISTED_ORDER_COLUMNS)
        .order('created_at', { ascending: false })
        .limit(HISTORY_LENGTH),
    { select: (orders) => orders.map(listedOrder) },
  )
}

export function useProductCount() {
  return useQuery({
    queryKey: ['products', 'count'],
    queryFn: () => queryWithCount((backend) => backend.from('products').select('id', COUNT)),
    select: ({ count }) => count,
  })
}

/** Does not count staff accounts. The key starts with `profiles`, so that changes of the clients list invalidate it. */
export function useClientCount() {
  return useQuery({
    queryKey: ['profiles', 'count'],
    queryFn: () => queryWithCount((backend) => backend.from('clients').select('id', COUNT)),
    select: ({ count }) => count,
  })
}

const COUNT = { count: 'exact', head: true } as const
