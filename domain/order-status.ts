/** The states an order can be in, and what the shop calls them. */
export const ORDER_STATUSES = [
  'pending_payment',
  'new',
  'processing',
  'shipped',
  'delivered',
  'cancelled',
] as const

export type OrderStatus = (typeof ORDER_STATUSES)[number]

/** The five an admin may choose. */
export const CHOOSABLE_STATUSES = ['new', 'processing', 'shipped', 'delivered', 'cancelled'] as const

/** What a cancelled order may become again; before it is shipped it has to be one of these. */
const REINSTATED_STATUSES = ['new', 'processing', 'cancelled'] as const

/**
 * What an admin may choose for an order now: one that is not paid can only be cancelled, and a cancelled one only be reinstated.
 * The database refuses the rest.
 */
export function choosableStatuses(order: { paid_at: string | null; status: string }): readonly OrderStatus[] {
  if (order.paid_at === null) return ['cancelled']
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

/** The label for a stored status; the legacy value `pending` reads as New. */
export function orderStatusLabel(status: string): string {
  if (status === 'pending') return LABELS.new
  return LABELS[status] ?? status
}

/** `42` → `00042`, as orders are spoken of. */
export function orderNumberText(orderNumber: number): string {
  return String(orderNumber).padStart(5, '0')
}
