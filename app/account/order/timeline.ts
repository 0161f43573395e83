import { isHandOver } from '#domain/shipping-method.ts'
import type { CustomerOrder } from './own-order.ts'

export interface TimelineStep {
  label: string
  /** `null` for what is still to come. */
  happenedAt: string | null
}

const WAY = [
  { status: 'new', label: 'Paid: we have your order' },
  { status: 'processing', label: 'On the bench' },
  { status: 'shipped', label: 'On its way to you' },
  { status: 'delivered', label: 'Delivered' },
]

const ENDINGS: Record<string, string> = {
  customer: 'Cancelled by you',
  expired: 'Not paid in time, so cancelled',
  replaced: 'Replaced by your next order',
}

/** What happened to an order, and what comes next while it is on its way. */
export function timelineOf(order: CustomerOrder): TimelineStep[] {
  const past = order.timeline.flatMap(({ kind, status, happened_at }, index) => {
    const wasPaid = order.timeline.slice(0, index).some(isPaying)
    const label = labelOf({ kind, status }, order, wasPaid)
    return label ? [{ label, happenedAt: happened_at }] : []
  })
  return [...past, ...stillToCome(order)]
}

function isPaying({ kind }: CustomerOrder['timeline'][number]): boolean {
  return kind === 'paid' || kind === 'reinstated'
}

function labelOf(
  { kind, status }: Pick<CustomerOrder['timeline'][number], 'kind' | 'status'>,
  { total_amount, cancellation_reason }: CustomerOrder,
  wasPaid: boolean,
): string | null {
  switch (kind) {
    case 'placed':
      return 'Ordered'
    case 'paid':
      return total_amount === 0 ? 'We have your order; there was nothing to pay' : 'Paid: we have your order'
    case 'reinstated':
      return wasPaid ? 'Reinstated: your order stands again' : 'Your payment came after all: the order stands'
    case 'cancelled':
      return ENDINGS[cancellation_reason ?? ''] ?? 'Cancelled'
    case 'status_changed':
      return WAY.find((step) => step.status === status)?.label ?? null
    // The parcel's number stands in the delivery, with its link.
    case 'tracking_changed':
      return null
  }
}

function stillToCome(order: CustomerOrder): TimelineStep[] {
  const { status } = order
  if (status === 'cancelled') return []
  const reached = WAY.findIndex((step) => step.status === (status === 'pending' ? 'new' : status))
  return WAY.slice(reached + 1)
    .filter((step) => step.status !== 'shipped' || !isHandOver(order))
    .map(({ label }) => ({ label, happenedAt: null }))
}
