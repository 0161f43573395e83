import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { classNames } from '#app/ui/class-names.ts'
import {
  choosableStatuses,
  orderNumberText,
  orderStatusLabel,
  type OrderStatus,
} from '#domain/order-status.ts'
import { isHandOver } from '#domain/shipping-method.ts'
import { useIsPacker } from '../frame/role.ts'
import { CancelDialog } from './cancel-dialog.tsx'
import { statusLook } from './order-badges.tsx'
import { useSetOrderStatus } from './order-changes.ts'
import type { Order } from './order.ts'
import { ReinstateDialog } from './reinstate-dialog.tsx'
import { ShippingDialog } from './shipping-dialog.tsx'
import styles from './status-select.module.css'

/** Changes the status in place. Shipping, cancelling and reinstating open a dialog first. */
export function StatusSelect({ order }: { order: Order }) {
  const setStatus = useSetOrderStatus(order)
  const [confirming, setConfirming] = useState<OrderStatus | null>(null)
  const close = () => setConfirming(null)
  const shown = setStatus.isPending ? setStatus.variables : order.status
  const { icon: Icon, tone } = statusLook(shown)
  const isPacker = useIsPacker()
  // Cancelling and reinstating move money, so only admins may do it.
  const others = choosableStatuses(order).filter(
    (status) =>
      status !== order.status &&
      !(isPacker && (status === 'cancelled' || order.status === 'cancelled')) &&
      !(isHandOver(order) && status === 'shipped'),
  )

  const choose = (value: string) => {
    const status = others.find((other) => other === value)
    if (!status) return
    if (status === 'shipped' || status === 'cancelled' || order.status === 'cancelled') setConfirming(status)
    else setStatus.mutate(status)
  }

  return (
    <>
      <span className={classNames(styles.frame, styles[tone])}>
        <Icon size={16} aria-hidden />
        <select
          aria-label={`Status of order #${orderNumberText(order.order_number)}`}
          value={shown}
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
      <ShippingDialog order={order} isOpen={confirming === 'shipped'} onClose={close} />
      {confirming === 'cancelled' && (
        <CancelDialog
          orders={[order]}
          isBusy={setStatus.isPending}
          onConfirm={() => setStatus.mutate('cancelled', { onSuccess: close })}
          onClose={close}
        />
      )}
      {order.status === 'cancelled' && confirming && (
        <ReinstateDialog order={order} status={confirming} onClose={close} />
      )}
    </>
  )
}
