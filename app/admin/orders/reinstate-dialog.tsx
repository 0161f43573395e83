import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { orderNumberText, orderStatusLabel, type OrderStatus } from '#domain/order-status.ts'
import { useSetOrderStatus } from './order-changes.ts'
import { openRefundTask, type Order } from './order.ts'

interface Props {
  order: Order
  /** Defaults to new. */
  status?: OrderStatus
  onClose: () => void
}

/** Confirms every reinstatement and states its effects. */
export function ReinstateDialog({ order, status = 'new', onClose }: Props) {
  const setStatus = useSetOrderStatus(order)
  const number = orderNumberText(order.order_number)

  return (
    <ConfirmDialog
      title={`Reinstate order #${number}`}
      question={[
        `The order becomes ${orderStatusLabel(status)} again and takes its lures from stock.`,
        openRefundTask(order) ? 'Its refund is no longer due.' : '',
        'We e-mail the customer that the order is active again.',
      ]
        .filter(Boolean)
        .join(' ')}
      confirm={{
        label: 'Reinstate order',
        busyLabel: 'Reinstating...',
        isBusy: setStatus.isPending,
        look: 'action',
      }}
      dismissLabel="Keep cancelled"
      isOpen
      onConfirm={() => setStatus.mutate(status, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
