import { isHandOver } from '#domain/shipping-method.ts'
import type { Order } from './order.ts'

export type NextStep =
  | { kind: 'status'; status: string; label: string }
  /** Needs courier and tracking number first. */
  | { kind: 'ship' }
  | { kind: 'none' }

/** The one thing to do next with an order; everything else stays possible beside it. */
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
    default:
      return { kind: 'none' }
  }
}

/** What cancelling does to shelf, promo code, customer and money, said before it happens. */
export function cancelQuestion({ status, paid_at }: Pick<Order, 'status' | 'paid_at'>): string {
  if (paid_at === null) {
    return 'Its lures and its promo code are free for others at once. The customer is not mailed.'
  }
  const shelf =
    status === 'shipped' || status === 'delivered'
      ? 'The parcel has left, so nothing goes back on the shelf by itself.'
      : 'The lures go back on the shelf and the promo code’s use is free again.'
  return `${shelf} The customer gets a mail. The money does not go back by itself: refund it afterwards.`
}
