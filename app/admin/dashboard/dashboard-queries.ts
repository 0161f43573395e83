import { useQuery } from '@tanstack/react-query'
import { queryBackend, queryWithCount, type callBackend } from '#app/session/query-backend.ts'
import type { Returns, Tables } from '#database'

export type RevenueTotals = Returns<'total_revenue'>

export function useRevenueTotals() {
  return useQuery({
    queryKey: ['orders', 'revenue'],
    queryFn: () => queryBackend((backend) => backend.rpc('total_revenue', undefined, { get: true })),
  })
}

/** What the revenue breakdown reads of an order. */
export type PastOrder = Pick<Tables<'orders'>, 'id' | 'total_amount' | 'created_at' | 'status'>

/** Orders shown in the history; the totals above it count them all. */
export const HISTORY_LENGTH = 200

/** Newest first. */
export function useOrderHistory() {
  return useQuery({
    queryKey: ['orders', 'history'],
    queryFn: () =>
      queryBackend((backend) =>
        backend
          .from('orders')
          .select('id, total_amount, created_at, status')
          .order('created_at', { ascending: false })
          .limit(HISTORY_LENGTH),
      ),
  })
}

export function useProductCount() {
  return useQuery({
    queryKey: ['products', 'count'],
    queryFn: () => countOf((backend) => backend.from('products').select('id', COUNT)),
  })
}

/** Staff accounts do not count as clients. Changes of the clients list, whose query key is `profiles`, refresh it. */
export function useClientCount() {
  return useQuery({
    queryKey: ['profiles', 'count'],
    queryFn: () => countOf((backend) => backend.from('clients').select('id', COUNT)),
  })
}

const COUNT = { count: 'exact', head: true } as const

async function countOf(ask: Parameters<typeof callBackend>[0]): Promise<number> {
  return (await queryWithCount(ask)).count
}
