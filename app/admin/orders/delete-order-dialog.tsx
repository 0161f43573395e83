import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { useDeleteOrder } from './order-changes.ts'
import type { Order } from './order.ts'

const QUESTION =
  'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.'

/** Open while there is an order to ask about. */
export function DeleteOrderDialog({ order, onClose }: { order: Order | null; onClose: () => void }) {
  const deleteOrder = useDeleteOrder()

  return (
    <ConfirmDialog
      title="Delete Order"
      question={QUESTION}
      confirm={{ label: 'Delete Order', busyLabel: 'Deleting...', isBusy: deleteOrder.isPending }}
      isOpen={order !== null}
      onConfirm={() => order && deleteOrder.mutate(order, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}
