import { useQuery, useQueryClient } from '@tanstack/react-query'
import { askBackend, askCounting } from '#app/session/ask-backend.ts'
import type { Courier, Order, OrderItem } from './order.ts'

const WITH_CUSTOMER = '*, profiles(full_name, email, phone)'

export const ORDERS_ON_A_PAGE = 50

export interface OrdersPage {
  orders: Order[]
  count: number
}

export function useOrdersPage(page: number) {
  return useQuery({ queryKey: ['orders', 'page', page], queryFn: () => loadOrdersPage(page) })
}

async function loadOrdersPage(page: number): Promise<OrdersPage> {
  const first = (page - 1) * ORDERS_ON_A_PAGE
  const { data, count } = await askCounting((backend) =>
    backend
      .from('orders')
      .select(WITH_CUSTOMER, { count: 'exact' })
      .order('created_at', { ascending: false })
      .range(first, first + ORDERS_ON_A_PAGE - 1),
  )
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns are those of WITH_CUSTOMER
  return { orders: data as Order[], count }
}

/** One order; at once when a list that is already there holds it. */
export function useOrder(id: string) {
  const queryClient = useQueryClient()

  return useQuery({
    queryKey: ['orders', 'one', id],
    queryFn: () =>
      askBackend<Order>((backend) => backend.from('orders').select(WITH_CUSTOMER).eq('id', id).single()),
    placeholderData: () =>
      queryClient
        .getQueriesData<OrdersPage>({ queryKey: ['orders', 'page'] })
        .flatMap(([, page]) => page?.orders ?? [])
        .find((order) => order.id === id),
  })
}

export function useOrderItems(orderId: string) {
  return useQuery({ queryKey: ['order-items', orderId], queryFn: () => loadOrderItems(orderId) })
}

export function loadOrderItems(orderId: string): Promise<OrderItem[]> {
  return askBackend((backend) =>
    backend
      .from('order_items')
      .select('*')
      .eq('order_id', orderId)
      .overrideTypes<OrderItem[], { merge: false }>(),
  )
}

export function useCouriers() {
  return useQuery({
    queryKey: ['couriers'],
    queryFn: () =>
      askBackend<Courier[]>((backend) => backend.from('courier_companies').select('*').order('name')),
  })
}
