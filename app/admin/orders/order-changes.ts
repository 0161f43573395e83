import type { QueryClient } from '@tanstack/react-query'
import { queryBackend } from '#app/data/query-backend.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import type { StaffOrder, StaffOrderRow } from '#domain/order.ts'
import { useToastMutation } from '#app/data/use-toast-mutation.ts'
import type { RowsPage } from '../list/load-rows.ts'

type OrderChange = Partial<Pick<StaffOrderRow, 'status' | 'tracking_number' | 'courier_company_id'>>

/** An order's row, its timeline and its mails. */
const CHANGES = ['orders', 'order-events', 'order-mails'] as const

interface StatusChange {
  order: StaffOrder
  status: OrderStatus
}

/** Sets any status except shipped, which needs a tracking number: see `useShipOrder`. */
export function useSetOrderStatus() {
  return useToastMutation({
    // The order is an argument: the optimistic change replaces the one that the page has rendered.
    mutationFn: ({ order, status }: StatusChange) => changeOrder(order, { status }),
    optimistic: (queries, { order, status }) => showChange(queries, order.id, { status }),
    success: 'Order status updated',
    invalidates: CHANGES,
  })
}

interface Parcel {
  trackingNumber: string
  courierId: string
}

/** The columns to save. A correction keeps the status, because an order that becomes shipped is e-mailed to the customer. */
export function parcelChange(
  { status }: Pick<StaffOrder, 'status'>,
  { trackingNumber, courierId, isCorrection }: Parcel & { isCorrection: boolean },
): OrderChange {
  const parcel = { tracking_number: trackingNumber, courier_company_id: courierId }
  return isCorrection || status === 'shipped' ? parcel : { ...parcel, status: 'shipped' }
}

/** Ships the order, or corrects its parcel. */
export function useShipOrder(order: StaffOrder, { isCorrection }: { isCorrection: boolean }) {
  return useToastMutation({
    mutationFn: (parcel: Parcel) => changeOrder(order, parcelChange(order, { ...parcel, isCorrection })),
    success: isCorrection ? 'Tracking number updated' : 'Tracking number updated and order marked as shipped',
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

const CONFLICT = 'Someone has changed this order in the meantime. Open it again to see the change.'

/** The statuses that an order is shipped from, including the legacy one. */
const BEFORE_SHIPPING: StaffOrder['status'][] = ['new', 'pending', 'processing']

/**
 * Changes an order that still has the status that the user saw: otherwise an outdated page would reinstate a cancelled order. A tracking
 * number and a courier replace only those that the user saw, because the customer gets the new ones by e-mail. A colleague who has
 * started to make an order does not prevent its shipping. An order that has these values already is no conflict: a dialog whose answer
 * was lost is confirmed again.
 */
export async function changeOrder(
  {
    id,
    status,
    trackingNumber,
    courierId,
  }: Pick<StaffOrder, 'id' | 'status' | 'trackingNumber' | 'courierId'>,
  change: OrderChange,
): Promise<void> {
  const ships = change.status === 'shipped' && BEFORE_SHIPPING.includes(status)
  const expected = ships ? BEFORE_SHIPPING : [status]
  const changed = await queryBackend((backend) => {
    const update = backend.from('orders').update(change).eq('id', id).in('status', expected).select('id')
    if (change.tracking_number === undefined) return update
    const sameCourier =
      courierId === null ? update.is('courier_company_id', null) : update.eq('courier_company_id', courierId)
    // An order without a tracking number has null or an empty text.
    return trackingNumber === null
      ? sameCourier.or('tracking_number.is.null,tracking_number.eq.')
      : sameCourier.eq('tracking_number', trackingNumber)
  })
  if (changed.length > 0) return

  const same = await queryBackend((backend) => backend.from('orders').select('id').eq('id', id).match(change))
  if (same.length === 0) throw new Error(CONFLICT)
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
