import { useQuery, useQueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import { useBackendQuery } from '#app/data/use-backend-query.ts'
import type { BrowserClient, Tables } from '#database'
import {
  REFUND_TASK_COLUMNS,
  STAFF_LINE_COLUMNS,
  STAFF_ORDER_COLUMNS,
  orderLine,
  staffOrder,
  type StaffOrderRow,
} from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { RowsPage } from '../list/load-rows.ts'

/** Loads an order. Until then it shows the row of a cached list. */
export function useOrder(id: string) {
  const queryClient = useQueryClient()

  return useQuery({
    queryKey: ['orders', 'one', id],
    queryFn: (): Promise<StaffOrderRow> =>
      queryBackend((backend) =>
        backend.from('orders').select(`${STAFF_ORDER_COLUMNS}, ${REFUND_TASK_COLUMNS}`).eq('id', id).single(),
      ),
    select: staffOrder,
    placeholderData: () =>
      queryClient
        .getQueriesData<RowsPage<StaffOrderRow>>({ queryKey: ['orders', 'page'] })
        .flatMap(([, page]) => page?.rows ?? [])
        .find((order) => order.id === id),
  })
}

const itemsOf = (orderId: string) => (backend: BrowserClient) =>
  backend.from('order_items').select(STAFF_LINE_COLUMNS).eq('order_id', orderId)

export function useOrderLines(orderId: string) {
  return useBackendQuery(['order-items', orderId], itemsOf(orderId), {
    select: (items) => items.map(orderLine),
  })
}

/** The lines as they are stored, with the ids of their colours. */
export function useOrderItems(orderId: string) {
  return useBackendQuery(['order-items', orderId], itemsOf(orderId))
}

/** `actor_id` is null when the shop acted on its own. */
export type OrderEvent = Pick<Tables<'order_events'>, 'id' | 'kind' | 'actor_id' | 'detail' | 'created_at'>

export function useOrderEvents(orderId: string) {
  return useBackendQuery(['order-events', orderId], (backend) =>
    backend
      .from('order_events')
      .select('id, kind, actor_id, detail, created_at')
      .eq('order_id', orderId)
      .order('id'),
  )
}

export function useInternalNotes(orderId: string) {
  return useBackendQuery(['order-notes', orderId], (backend) =>
    backend
      .from('order_notes')
      .select('id, body, author_id, created_at')
      .eq('order_id', orderId)
      .order('created_at'),
  )
}

export function useAddNote(orderId: string) {
  return useToastMutation({
    mutationFn: (body: string) =>
      queryBackend((backend) => backend.from('order_notes').insert({ order_id: orderId, body })),
    success: 'Note added',
    invalidates: ['order-notes'],
  })
}
