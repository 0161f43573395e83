import {
  Ban,
  BellRing,
  CircleCheck,
  CircleDashed,
  Gift,
  Hammer,
  Hourglass,
  PackageCheck,
  Sparkles,
  Truck,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderStatusLabel } from '#domain/order-status.ts'
import type { PaymentState, StaffOrder } from '#domain/order.ts'
import { NO_ORDER_MONEY, type OrderMoney } from './order-money.ts'

const STATUS_LOOKS: Record<string, { icon: LucideIcon; tone: BadgeTone }> = {
  pending_payment: { icon: Hourglass, tone: 'warning' },
  new: { icon: Sparkles, tone: 'success' },
  pending: { icon: Sparkles, tone: 'success' },
  processing: { icon: Hammer, tone: 'warning' },
  shipped: { icon: Truck, tone: 'neutral' },
  delivered: { icon: PackageCheck, tone: 'neutral' },
  cancelled: { icon: Ban, tone: 'danger' },
}

export function statusLook(status: string): { icon: LucideIcon; tone: BadgeTone } {
  return STATUS_LOOKS[status] ?? { icon: CircleDashed, tone: 'neutral' }
}

export function StatusBadge({ status }: { status: string }) {
  const { icon: Icon, tone } = statusLook(status)
  return (
    <Badge icon={Icon} tone={tone}>
      {orderStatusLabel(status)}
    </Badge>
  )
}

const PAYMENT_LOOKS: Record<
  Exclude<PaymentState, 'awaiting'>,
  { icon: LucideIcon; tone: BadgeTone; label: string }
> = {
  paid: { icon: CircleCheck, tone: 'success', label: 'Paid' },
  free: { icon: Gift, tone: 'success', label: 'Nothing to pay' },
  unpaid: { icon: CircleDashed, tone: 'neutral', label: 'Not paid' },
}

type PaidOrder = Pick<StaffOrder, 'payment' | 'refundTask'>

interface PaymentProps {
  order: PaidOrder
  /** Absent until loaded. */
  money?: OrderMoney
}

/** The payment's state, which is independent of the order's status. */
export function PaymentBadges({ order, money = NO_ORDER_MONEY }: PaymentProps) {
  const isRefunded = money.refundedCents > 0 && money.netCents === 0
  return (
    <>
      {money.issues.length > 0 && (
        <Badge icon={BellRing} tone="danger">
          Needs attention
        </Badge>
      )}
      {!isRefunded && <PaymentBadge order={order} />}
      {money.refundedCents > 0 && (
        <Badge icon={Undo2} tone="neutral">
          {isRefunded ? 'Refunded' : `${formatTotal(money.refundedCents)} refunded`}
        </Badge>
      )}
    </>
  )
}

function PaymentBadge({ order: { payment: state, refundTask: task } }: { order: PaidOrder }) {
  if (task) {
    return (
      <Badge icon={Undo2} tone="danger">
        {formatTotal(centsFromRand(task.outstanding))} to refund
      </Badge>
    )
  }
  // The status badge beside it already shows this.
  if (state === 'awaiting') return null
  const { icon: Icon, tone, label } = PAYMENT_LOOKS[state]
  return (
    <Badge icon={Icon} tone={tone}>
      {label}
    </Badge>
  )
}
