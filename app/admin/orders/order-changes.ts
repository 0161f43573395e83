import { queryBackend, callBackend } from '#app/session/query-backend.ts'
import type { OrderStatus } from '#domain/order-status.ts'
import { saveUnlessChanged } from '../list/save-unless-changed.ts'
import { useToastMutation } from '../list/use-toast-mutation.ts'
import { sendStatusMail } from './order-mails.ts'
import type { Courier, Order } from './order.ts'

/** Sets any status except shipped, which needs a tracking number: see `useShipOrder`. */
export function useSetOrderStatus(order: Order) {
  return useToastMutation({
    change: async (status: OrderStatus) => {
      await callBackend((backend) => backend.from('orders').update({ status }).eq('id', order.id))
      void sendStatusMail(order, status)
    },
    done: 'Order status updated',
    refreshes: ['orders'],
  })
}

export function useShipOrder(order: Order) {
  return useToastMutation({
    change: async ({ trackingNumber, courier }: { trackingNumber: string; courier: Courier }) => {
      const shipping = { tracking_number: trackingNumber, courier_company_id: courier.id }
      const change = order.status === 'shipped' ? shipping : { ...shipping, status: 'shipped' as const }
      await callBackend((backend) => backend.from('orders').update(change).eq('id', order.id))
      void sendStatusMail({ ...order, tracking_number: trackingNumber }, 'shipped', courier)
    },
    done: 'Tracking number updated and order marked as shipped',
    refreshes: ['orders'],
  })
}

export function useDeleteOrder() {
  return useToastMutation({
    change: async (order: Order) => {
      await callBackend((backend) => backend.from('order_items').delete().eq('order_id', order.id))
      await callBackend((backend) => backend.from('orders').delete().eq('id', order.id))
    },
    done: 'Order deleted successfully',
    refreshes: ['orders'],
  })
}

export function useAddCourier() {
  return useToastMutation({
    change: (courier: CourierInput) =>
      queryBackend((backend) => backend.from('courier_companies').insert(courier).select().single()),
    done: 'Courier company added',
    refreshes: ['couriers'],
  })
}

export function useChangeCourier() {
  return useToastMutation({
    change: ({ seen, values }: { seen: Courier; values: Partial<CourierInput & { is_archived: boolean }> }) =>
      saveUnlessChanged({ table: 'courier_companies', seen, values }),
    done: ({ values }) => ({ title: courierToast(values.is_archived) }),
    refreshes: ['couriers', 'orders'],
    undoes: ({ seen }) => ({ table: 'courier_companies', id: seen.id }),
  })
}

export type CourierInput = Pick<Courier, 'name' | 'contact_person' | 'contact_phone' | 'tracking_url'>

function courierToast(isArchived: boolean | undefined): string {
  if (isArchived === undefined) return 'Courier saved'
  return isArchived ? 'Courier archived' : 'Courier restored'
}
