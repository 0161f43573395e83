import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { orderNumberText, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import { useSetOrderStatus } from './order-changes.ts'
import { openRefundTask, type Order } from './order.ts'

interface Props {
  order: Order
  /** New, unless the status list said otherwise. */
  status?: OrderStatus
  onClose: () => void
}

/** A cancelled order comes back in this step only, which says first what it does. */
export function ReinstateDialog({ order, status = 'new', onClose }: Props) {
  const setStatus = useSetOrderStatus(order)
  const number = orderNumberText(order.order_number)

  return (
    <ConfirmDialog
      title={`Reinstate order #${number}`}
      question={[
        `The order becomes ${orderStatusLabel(status)} again and takes its lures from stock.`,
        openRefundTask(order) ? 'Its refund is no longer due.' : '',
        'The customer gets an e-mail that the order is back.',
      ]
        .filter(Boolean)
        .join(' ')}
      confirm={{
        label: 'Reinstate order',
        busyLabel: 'Reinstating...',
        isBusy: setStatus.isPending,
        look: 'action',
      }}
      dismissLabel="Keep it cancelled"
      isOpen
      onConfirm={() => setStatus.mutate(status, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
