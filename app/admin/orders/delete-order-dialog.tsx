import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useDeleteOrder } from './order-changes.ts'
import type { Order } from './order.ts'

const QUESTION =
  'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.'

interface Props {
  order: Order | null
  onClose: () => void
  /** Once it is gone; else `onClose`. */
  onDeleted?: () => void
}

/** Open while there is an order to ask about. */
export function DeleteOrderDialog({ order, onClose, onDeleted = onClose }: Props) {
  const deleteOrder = useDeleteOrder()

  return (
    <ConfirmDialog
      title="Delete Order"
      question={QUESTION}
      confirm={{ label: 'Delete Order', busyLabel: 'Deleting...', isBusy: deleteOrder.isPending }}
      isOpen={order !== null}
      onConfirm={() => order && deleteOrder.mutate(order, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  )
}
