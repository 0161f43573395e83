export const ORDER_STATUSES = [
  'pending_payment',
  'new',
  'processing',
  'shipped',
  'delivered',
  'cancelled',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The statuses that an admin can set. */
export const CHOOSABLE_STATUSES = ['new', 'processing', 'shipped', 'delivered', 'cancelled'] as const

/** The choices for a cancelled order: it must be reinstated before it can be shipped. */
const REINSTATED_STATUSES = ['new', 'processing', 'cancelled'] as const

/**
 * The statuses that an admin can set on this order: unpaid orders can only be cancelled, cancelled ones only reinstated. The database
 * enforces the same rules.
 */
export function choosableStatuses(order: { paidAt: string | null; status: string }): readonly OrderStatus[] {
  if (order.paidAt === null) return ['cancelled']
  return order.status === 'cancelled' ? REINSTATED_STATUSES : CHOOSABLE_STATUSES
}

const LABELS: Record<string, string> & Record<OrderStatus, string> = {
  pending_payment: 'Awaiting payment',
  new: 'New',
  processing: 'Processing',
  shipped: 'Shipped',
  delivered: 'Delivered',
  cancelled: 'Cancelled',
}

/** The legacy value `pending` reads as New. */
export function orderStatusLabel(status: string): string {
  if (status === 'pending') return LABELS.new
  return LABELS[status] ?? status
}

/** `42` → `00042` */
export function orderNumberText(orderNumber: number): string {
  return String(orderNumber).padStart(5, '0')
}
