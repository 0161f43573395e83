import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { RowsPage } from '../list/load-rows.ts'
import { REFUND_TASK_COLUMNS, ORDER_WITH_CUSTOMER, type Order, type OrderItem } from './order.ts'

/** Loads an order. Until then it shows the row of a cached list. */
export function useOrder(id: string) {
  const queryClient = useQueryClient()

  return useQuery({
    queryKey: ['orders', 'one', id],
    queryFn: (): Promise<Order> =>
      queryBackend((backend) =>
        backend.from('orders').select(`${ORDER_WITH_CUSTOMER}, ${REFUND_TASK_COLUMNS}`).eq('id', id).single(),
      ),
    placeholderData: () =>
      queryClient
        .getQueriesData<RowsPage<Order>>({ queryKey: ['orders', 'page'] })
        .flatMap(([, page]) => page?.rows ?? [])
        .find((order) => order.id === id),
  })
}

export function useOrderItems(orderId: string) {
  return useQuery({ queryKey: ['order-items', orderId], queryFn: () => loadOrderItems(orderId) })
}

function loadOrderItems(orderId: string): Promise<OrderItem[]> {
  return queryBackend((backend) => backend.from('order_items').select('*').eq('order_id', orderId))
}

export function useCouriers() {
  return useQuery({
    queryKey: ['couriers'],
    queryFn: () => queryBackend((backend) => backend.from('courier_companies').select('*').order('name')),
  })
}

/** Shorter prefixes match several couriers. */
const MIN_GUESS_LENGTH = 6

/** The id of the courier whose earlier waybills look like this one. */
export function useGuessedCourier(waybill: string): string | null {
  const guess = useQuery({
    queryKey: ['couriers', 'guess', waybill],
    enabled: waybill.length >= MIN_GUESS_LENGTH,
    queryFn: () => queryBackend((backend) => backend.rpc('guess_courier', { waybill }, { get: true })),
  })
  return guess.data ?? null
}
