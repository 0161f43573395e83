import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { askBackend, askCounting } from '#app/session/ask-backend.ts'
import { isRefusal } from '#app/session/refusal.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import type { Courier, Order, OrderItem } from './order.ts'

const WITH_CUSTOMER = '*, profiles(full_name, email, phone)'

export const ORDERS_ON_A_PAGE = 50

export interface OrdersPage {
  orders: Order[]
  count: number
}

/** What the address of the list says: which page of which orders. */
export interface OrdersView {
  page: number
  /** Empty: whatever is at hand is not asked for. */
  search: string
  /** `null`: every status. */
  status: OrderStatus | null
}

export function useOrdersPage(view: OrdersView) {
  return useQuery({
    queryKey: ['orders', 'page', view],
    queryFn: () => loadOrdersPage(view),
    // While the next page or filter is fetched, the rows that were there stay.
    placeholderData: keepPreviousData,
  })
}

async function loadOrdersPage({ page, search, status }: OrdersView): Promise<OrdersPage> {
  const first = (page - 1) * ORDERS_ON_A_PAGE
  try {
    const { data, count } = await askCounting((backend) => {
      const found = search
        ? backend.rpc('search_orders', { term: search }, { get: true, count: 'exact' }).select(WITH_CUSTOMER)
        : backend.from('orders').select(WITH_CUSTOMER, { count: 'exact' })
      const wanted = status ? found.in('status', storedAs(status)) : found
      return wanted.order('created_at', { ascending: false }).range(first, first + ORDERS_ON_A_PAGE - 1)
    })
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the columns are those of WITH_CUSTOMER
    return { orders: data as Order[], count }
  } catch (error) {
    if (!isBeyondTheEnd(error)) throw error
    return { orders: [], count: await countOrders({ search, status }) }
  }
}

/** `New` is stored in two ways, one of them of the past. */
function storedAs(status: OrderStatus): string[] {
  return status === 'new' ? ['new', 'pending'] : [status]
}

/** The API refuses a range that begins after the last row. */
function isBeyondTheEnd(error: unknown): boolean {
  return error instanceof Error && isRefusal(error.cause) && error.cause.code === 'PGRST103'
}

async function countOrders({ search, status }: Omit<OrdersView, 'page'>): Promise<number> {
  const { count } = await loadOrdersPage({ page: 1, search, status })
  return count
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
