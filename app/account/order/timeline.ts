import type { CustomerOrderView } from '#domain/order.ts'

export interface TimelineStep {
  label: string
  /** `null` for an upcoming step. */
  happenedAt: string | null
}

const STEPS = [
  { status: 'new', label: 'Paid: we have your order' },
  { status: 'processing', label: 'On the bench' },
  { status: 'shipped', label: 'On its way to you' },
  { status: 'delivered', label: 'Delivered' },
]

const CANCELLATION_LABELS: Record<string, string> = {
  customer: 'Cancelled by you',
  expired: 'Cancelled: not paid in time',
  replaced: 'Replaced by your next order',
}

/** Returns the past events of an order, followed by its upcoming steps. */
export function customerTimeline(order: CustomerOrderView): TimelineStep[] {
  const past = order.timeline.flatMap(({ kind, status, happened_at }, index) => {
    const wasPaid = order.timeline.slice(0, index).some(isPaymentEvent)
    const label = labelOf({ kind, status }, order, wasPaid)
    return label ? [{ label, happenedAt: happened_at }] : []
  })
  return [...past, ...upcomingSteps(order)]
}

function isPaymentEvent({ kind }: CustomerOrderView['timeline'][number]): boolean {
  return kind === 'paid' || kind === 'reinstated'
}

function labelOf(
  { kind, status }: Pick<CustomerOrderView['timeline'][number], 'kind' | 'status'>,
  { totalCents, cancellationReason }: CustomerOrderView,
  wasPaid: boolean,
): string | null {
  switch (kind) {
    case 'placed':
      return 'Ordered'
    case 'paid':
      return totalCents === 0 ? 'We have your order: nothing to pay' : 'Paid: we have your order'
    case 'reinstated':
      return wasPaid
        ? 'Reinstated: your order is active again'
        : 'Payment received: your order is active again'
    case 'cancelled':
      return CANCELLATION_LABELS[cancellationReason ?? ''] ?? 'Cancelled'
    case 'status_changed':
      if (status === 'pending_payment') return 'Waiting for payment: it was marked as paid by mistake'
      return STEPS.find((step) => step.status === status)?.label ?? null
    // The delivery section shows the tracking number.
    case 'tracking_changed':
      return null
  }
}

function upcomingSteps(order: CustomerOrderView): TimelineStep[] {
  const { status } = order
  if (status === 'cancelled') return []
  const reached = STEPS.findIndex((step) => step.status === (status === 'pending' ? 'new' : status))
  return STEPS.slice(reached + 1)
    .filter((step) => step.status !== 'shipped' || !order.isHandOver)
    .map(({ label }) => ({ label, happenedAt: null }))
}
