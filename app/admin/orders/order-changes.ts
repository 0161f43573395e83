import type { QueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import type { StaffOrder, StaffOrderRow } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { RowsPage } from '../list/load-rows.ts'

type OrderChange = Partial<Pick<StaffOrderRow, 'status' | 'tracking_number' | 'courier_company_id'>>

/** An order's row, its timeline and its mails. */
const CHANGES = ['orders', 'order-events', 'order-mails'] as const

/** Sets any status except shipped, which needs a tracking number: see `useShipOrder`. */
export function useSetOrderStatus({ id }: StaffOrder) {
  return useToastMutation({
    mutationFn: (status: OrderStatus) => changeOrder(id, { status }),
    optimistic: (queries, status) => showChange(queries, id, { status }),
    success: 'Order status updated',
    invalidates: CHANGES,
  })
}

interface Parcel {
  trackingNumber: string
  courierId: string
}

export function useShipOrder({ id, status }: StaffOrder) {
  const shipped = ({ trackingNumber, courierId }: Parcel): OrderChange => ({
    tracking_number: trackingNumber,
    courier_company_id: courierId,
    ...(status !== 'shipped' && { status: 'shipped' }),
  })
  return useToastMutation({
    mutationFn: (parcel: Parcel) => changeOrder(id, shipped(parcel)),
    success: 'Tracking number updated and order marked as shipped',
    invalidates: CHANGES,
  })
}

export function useDeleteOrder() {
  return useToastMutation({
    mutationFn: async (id: string) => {
      await queryBackend((backend) => backend.from('order_items').delete().eq('order_id', id))
      await queryBackend((backend) => backend.from('orders').delete().eq('id', id))
    },
    success: 'Order deleted successfully',
    invalidates: ['orders'],
  })
}

function changeOrder(id: string, change: OrderChange) {
  return queryBackend((backend) => backend.from('orders').update(change).eq('id', id))
}

/** Shows a change in the cached lists and on the order's page. */
function showChange(queries: QueryClient, id: string, change: OrderChange): void {
  const changed = (row: StaffOrderRow) => (row.id === id ? { ...row, ...change } : row)
  queries.setQueriesData<RowsPage<StaffOrderRow>>(
    { queryKey: ['orders', 'page'] },
    (page) => page && { ...page, rows: page.rows.map(changed) },
  )
  queries.setQueryData<StaffOrderRow>(['orders', 'one', id], (row) => row && changed(row))
}
