import type { Tables } from '#database'
import { centsFromRand } from '#domain/money.ts'
import { formatPhone } from '#domain/south-africa.ts'
import type { RefundTask } from './refund-task.ts'

export const ORDER_WITH_CUSTOMER = '*, profiles(full_name, email, phone)'

/** Refunds due after a cancellation. Row-level security shows them to admins only. */
export const REFUND_TASK_COLUMNS = 'refund_tasks(id, order_id, amount, outstanding, opened_at, is_open)'

export type Order = Tables<'orders'> & {
  profiles: Pick<Tables<'profiles'>, 'full_name' | 'email' | 'phone'> | null
  refund_tasks?: RefundTask[]
}

/** The refund that is still due, if the order was cancelled after its payment. */
export function openRefundTask({ refund_tasks }: Pick<Order, 'refund_tasks'>): RefundTask | null {
  return refund_tasks?.find(({ is_open }) => is_open) ?? null
}

/** `returned_quantity` is refunded and back in stock. */
export type OrderItem = Tables<'order_items'>

/** `tracking_url` is https, with {number} for the tracking number. */
export type Courier = Tables<'courier_companies'>

export type PaymentState = 'paid' | 'awaiting' | 'free' | 'unpaid'

export function paymentState(order: Pick<Order, 'total_amount' | 'paid_at' | 'status'>): PaymentState {
  if (centsFromRand(order.total_amount) === 0) return 'free'
  if (order.paid_at) return 'paid'
  return order.status === 'pending_payment' ? 'awaiting' : 'unpaid'
}

/** The order's own name comes first, because parcel and mails use it. The profile is the fallback. */
export function customerName(order: Order): string | null {
  return order.customer_name || order.profiles?.full_name || null
}

export function customerEmail(order: Order): string | null {
  return order.customer_email || order.profiles?.email || null
}

/** `14 Harbour View Road, Port Alfred, Eastern Cape, 6170` */
export function addressLine(order: Order): string {
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = order
  return [shipping_address, shipping_city, shipping_state, shipping_zip].filter(Boolean).join(', ')
}

/** Name, address and phone for a parcel, one per line. */
export function addressLabel(order: Order): string {
  const { shipping_address, shipping_city, shipping_state, shipping_zip } = order
  const phone = order.customer_phone ?? order.profiles?.phone
  return [
    customerName(order),
    shipping_address,
    [shipping_city, shipping_zip].filter(Boolean).join(' '),
    shipping_state,
    phone && formatPhone(phone),
  ]
    .filter(Boolean)
    .join('\n')
}

export function hooksText(item: Pick<OrderItem, 'with_hooks'>): string | null {
  if (item.with_hooks == null) return null
  return item.with_hooks ? 'With Hooks' : 'Without Hooks'
}

export function lineTotalCents(item: OrderItem): number {
  return centsFromRand(item.price) * item.quantity
}
