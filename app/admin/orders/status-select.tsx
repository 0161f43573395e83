import { ChevronDown } from 'lucide-react'
import { classNames } from '#app/ui/class-names.ts'
import { choosableStatuses, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import type { StaffOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { statusLook } from './order-badges.tsx'
import { useSetOrderStatus } from './order-changes.ts'
import type { OpenOrderDialog } from './order-dialog.tsx'
import styles from './status-select.module.css'

/** The statuses that staff may set instead. Cancelling and reinstating move money, so only admins may do it. */
export function otherStatuses(order: StaffOrder, { isPacker }: { isPacker: boolean }): OrderStatus[] {
  return choosableStatuses(order).filter(
    (status) =>
      status !== order.status &&
      !(isPacker && (status === 'cancelled' || order.status === 'cancelled')) &&
      !(order.isHandOver && status === 'shipped'),
  )
}

export interface OrderControlProps {
  order: StaffOrder
  /** Opens a dialog of the page, which stays when the order leaves the list. */
  onOpenDialog: (dialog: OpenOrderDialog) => void
}

/** Changes the status in place. Shipping, cancelling and reinstating open a dialog first. */
export function StatusSelect({ order, onOpenDialog }: OrderControlProps) {
  const setStatus = useSetOrderStatus()
  const { icon: Icon, tone } = statusLook(order.status)
  const others = otherStatuses(order, { isPacker: useIsPacker() })

  const choose = (value: string) => {
    const status = others.find((other) => other === value)
    if (!status) return
    if (order.status === 'cancelled') onOpenDialog({ order, name: 'reinstate', status })
    else if (status === 'shipped') onOpenDialog({ order, name: 'ship' })
    else if (status === 'cancelled') onOpenDialog({ order, name: 'cancel' })
    else setStatus.mutate({ order, status })
  }

  return (
    <span className={classNames(styles.frame, styles[tone])}>
      <Icon size={16} aria-hidden />
      <select
        aria-label={`Status of order #${order.number}`}
        value={order.status}
        disabled={setStatus.isPending}
        onChange={(event) => choose(event.target.value)}
      >
        <option value={order.status}>{orderStatusLabel(order.status)}</option>
        {others.map((status) => (
          <option key={status} value={status}>
            {orderStatusLabel(status)}
          </option>
        ))}
      </select>
      <ChevronDown size={16} aria-hidden />
    </span>
  )
}
