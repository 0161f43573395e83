import type { OrderStatus } from '#domain/order-status.ts'
import { isHandOver } from '#domain/shipping-method.ts'
import type { Order } from './order.ts'

export type NextStep =
  | { kind: 'status'; status: OrderStatus; label: string }
  /** Needs courier and tracking number first. */
  | { kind: 'ship' }
  | { kind: 'none' }

/** The most likely next action for an order. */
export function nextStep({
  status,
  paid_at,
  shipping_method,
}: Pick<Order, 'status' | 'paid_at' | 'shipping_method'>): NextStep {
  if (paid_at === null) return { kind: 'none' }
  switch (status) {
    case 'new':
    case 'pending':
      return { kind: 'status', status: 'processing', label: 'Start making it' }
    case 'processing':
      return isHandOver({ shipping_method })
        ? { kind: 'status', status: 'delivered', label: 'Mark as handed over' }
        : { kind: 'ship' }
    case 'shipped':
      return { kind: 'status', status: 'delivered', label: 'Mark as delivered' }
    case 'pending_payment':
    case 'delivered':
    case 'cancelled':
      return { kind: 'none' }
  }
}
