import { useQuery } from '@tanstack/react-query'
import { askBackend, askCounting } from '#app/session/ask-backend.ts'

/** Rand, over all orders that were ever placed. Sales are orders that were paid and not cancelled since. */
export interface RevenueInAll {
  orders: number
  /** Before refunds. */
  gross: number
  refunds: number
  /** Net: gross less refunds. */
  revenue: number
  paid_orders: number
  /** Net revenue of a paid order. */
  average: number
  awaiting: number
}

export function useRevenueInAll() {
  return useQuery({
    queryKey: ['orders', 'revenue'],
    queryFn: () => askBackend<RevenueInAll>((backend) => backend.rpc('revenue_in_all', {}, { get: true })),
  })
}

/** What the revenue breakdown reads of an order. */
export interface PastOrder {
  id: string
  total_amount: number
  created_at: string
  status: string
}

/** Orders shown in the history; the totals above it count them all. */
export const HISTORY_LENGTH = 200

/** Newest first. */
export function useOrderHistory() {
  return useQuery({
    queryKey: ['orders', 'history'],
    queryFn: () =>
      askBackend<PastOrder[]>((backend) =>
        backend
          .from('orders')
          .select('id, total_amount, created_at, status')
          .order('created_at', { ascending: false })
          .limit(HISTORY_LENGTH),
      ),
  })
}

export function useProductCount() {
  return useQuery({ queryKey: ['products', 'count'], queryFn: () => countRows('products') })
}

/** Staff accounts do not count as clients. Changes of the clients list, whose query key is `profiles`, refresh it. */
export function useClientCount() {
  return useQuery({ queryKey: ['profiles', 'count'], queryFn: () => countRows('clients') })
}

async function countRows(table: string): Promise<number> {
  const { count } = await askCounting((backend) =>
    backend.from(table).select('id', { count: 'exact', head: true }),
  )
  return count
}
