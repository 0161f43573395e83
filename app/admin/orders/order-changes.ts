import { queryBackend } from '#app/data/query-backend.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import { saveUnlessChanged } from '../form/save-unless-changed.ts'
import { useToastMutation } from '../form/use-toast-mutation.ts'
import type { Courier, Order } from './order.ts'

/** Sets any status except shipped, which needs a tracking number: see `useShipOrder`. */
export function useSetOrderStatus(order: Order) {
  return useToastMutation({
    mutationFn: (status: OrderStatus) =>
      queryBackend((backend) => backend.from('orders').update({ status }).eq('id', order.id)),
    success: 'Order status updated',
    invalidates: ['orders'],
  })
}

export function useShipOrder(order: Order) {
  return useToastMutation({
    mutationFn: ({ trackingNumber, courier }: { trackingNumber: string; courier: Courier }) => {
      const shipping = { tracking_number: trackingNumber, courier_company_id: courier.id }
      const change = order.status === 'shipped' ? shipping : { ...shipping, status: 'shipped' as const }
      return queryBackend((backend) => backend.from('orders').update(change).eq('id', order.id))
    },
    success: 'Tracking number updated and order marked as shipped',
    invalidates: ['orders'],
  })
}

export function useDeleteOrder() {
  return useToastMutation({
    mutationFn: async (order: Order) => {
      await queryBackend((backend) => backend.from('order_items').delete().eq('order_id', order.id))
      await queryBackend((backend) => backend.from('orders').delete().eq('id', order.id))
    },
    success: 'Order deleted successfully',
    invalidates: ['orders'],
  })
}

export function useAddCourier() {
  return useToastMutation({
    mutationFn: (courier: CourierInput) =>
      queryBackend((backend) => backend.from('courier_companies').insert(courier).select().single()),
    success: 'Courier company added',
    invalidates: ['couriers'],
  })
}

export function useChangeCourier() {
  return useToastMutation({
    mutationFn: ({
      seen,
      values,
    }: {
      seen: Courier
      values: Partial<CourierInput & { is_archived: boolean }>
    }) => saveUnlessChanged({ table: 'courier_companies', seen, values }),
    success: ({ values }) => ({ title: courierToast(values.is_archived) }),
    invalidates: ['couriers', 'orders'],
    undoes: ({ seen }) => ({ table: 'courier_companies', id: seen.id }),
  })
}

export type CourierInput = Pick<Courier, 'name' | 'contact_person' | 'contact_phone' | 'tracking_url'>

function courierToast(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'Courier saved'
  return isArchived ? 'Courier archived' : 'Courier restored'
}
