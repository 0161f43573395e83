import { orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import type { OrderEvent } from './order-queries.ts'

interface Reinstatement {
  status: OrderStatus
  isRefundDue: boolean
  /** The timeline of the order, oldest first. */
  events: Pick<OrderEvent, 'kind' | 'detail'>[]
}

/** Tells staff what reinstating an order does to stock, money and the customer. */
export function reinstateQuestion({ status, isRefundDue, events }: Reinstatement): string {
  const becomes = `The order becomes ${orderStatusLabel(status)} again`
  return [
    wasShipped(events)
      ? `${becomes}. Its lures left the stock when it was shipped, so none are taken now. If you have counted them in since, take them off the stock again.`
      : `${becomes} and takes its lures from stock.`,
    ...(isRefundDue ? ['Its refund is no longer due.'] : []),
    'We e-mail the customer that the order is active again.',
  ].join(' ')
}

/** Whether the parcel had left before the last cancellation, which then returned nothing to stock. */
function wasShipped(events: Reinstatement['events']): boolean {
  const cancellation = events.findLast(({ kind }) => kind === 'cancelled')
  const from = cancellation?.detail.from
  return from === 'shipped' || from === 'delivered'
}
