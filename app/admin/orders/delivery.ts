import { tellBackend } from '#app/session/ask-backend.ts'
import { isRefusal } from '#app/session/refusal.ts'
import { useChange } from '../list/use-change.ts'
import type { Order } from './order.ts'

/** Where a parcel goes, and to whom. */
export type Delivery = Pick<
  Order,
  | 'customer_name'
  | 'customer_phone'
  | 'shipping_method'
  | 'locker_location'
  | 'shipping_address'
  | 'shipping_city'
  | 'shipping_state'
  | 'shipping_zip'
>

export function deliveryOf(order: Order): Delivery {
  const { customer_name, customer_phone, shipping_method, locker_location } = order
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = order
  return {
    customer_name,
    customer_phone,
    shipping_method,
    locker_location,
    shipping_address,
    shipping_city,
    shipping_state,
    shipping_zip,
  }
}

export function canChangeDelivery({ status }: Pick<Order, 'status'>): boolean {
  return !['shipped', 'delivered', 'cancelled'].includes(status)
}

export function useChangeDelivery(orderId: string) {
  return useChange({
    change: ({ was, delivery }: { was: Delivery; delivery: Delivery }) =>
      tellBackend((backend) => backend.rpc('change_delivery', { order_id: orderId, was, delivery })),
    done: 'Address changed',
    refreshes: ['orders'],
  })
}

/** What the database found wrong, by field; or what stands there now, when somebody was quicker. */
export function refusalOfDelivery(error: Error | null): {
  problems: Record<string, string>
  theirs: Delivery | null
} {
  const refusal = error?.cause
  if (!isRefusal(refusal) || refusal.hint === null) return { problems: {}, theirs: null }
  if (refusal.details === 'delivery_changed') return { problems: {}, theirs: JSON.parse(refusal.hint) }
  if (refusal.details === 'invalid_delivery') return { problems: JSON.parse(refusal.hint), theirs: null }
  return { problems: {}, theirs: null }
}
