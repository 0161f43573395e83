import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useDeleteOrder } from './order-changes.ts'
import type { Order } from './order.ts'

const QUESTION =
  'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.'

interface Props {
  order: Order | null
  onClose: () => void
  /** Defaults to `onClose`. */
  onDeleted?: () => void
}

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
