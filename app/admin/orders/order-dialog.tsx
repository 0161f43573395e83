import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import type { OrderStatus } from '#domain/order-status.ts'
import type { StaffOrder } from '#domain/order.ts'
import { EmailDialog } from '../mail/email-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { useDeleteOrder, useSetOrderStatus } from './order-changes.ts'
import { useOrder, useOrderEvents } from './order-queries.ts'
import { reinstateQuestion } from './reinstate-question.ts'
import { ShippingDialog } from './shipping-dialog.tsx'

export type OrderDialogName = 'address' | 'cancel' | 'delete' | 'email' | 'reinstate' | 'ship'

export interface OpenOrderDialog {
  /** As it was when the dialog opened: the shop compares its status with the present one, so a live update must not replace it. */
  order: StaffOrder
  name: OrderDialogName
  /** The status to reinstate to. */
  status?: OrderStatus
}

interface Props extends OpenOrderDialog {
  onClose: () => void
  /** Defaults to `onClose`. */
  onDeleted?: () => void
}

/** The dialog of one action on one order. */
export function OrderDialog({ order, name, status = 'new', onClose, onDeleted = onClose }: Props) {
  switch (name) {
    case 'address':
      return <DeliveryDialog order={order} onClose={onClose} />
    case 'cancel':
      return <CancelOneDialog order={order} onClose={onClose} />
    case 'delete':
      return <DeleteDialog order={order} onClose={onClose} onDeleted={onDeleted} />
    case 'email': {
      const recipient = { email: order.customerEmail, full_name: order.customerName, orderId: order.id }
      return <EmailDialog recipient={recipient} onClose={onClose} />
    }
    case 'reinstate':
      return <ReinstateDialog order={order} status={status} onClose={onClose} />
    case 'ship':
      return <ShippingDialog order={order} onClose={onClose} />
  }
}

type DialogProps<Name extends keyof Props> = Required<Pick<Props, 'order' | 'onClose' | Name>>

function CancelOneDialog({ order, onClose }: DialogProps<never>) {
  const setStatus = useSetOrderStatus()
  return (
    <CancelDialog
      orders={[order]}
      isBusy={setStatus.isPending}
      onConfirm={() => setStatus.mutate({ order, status: 'cancelled' }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

function ReinstateDialog({ order, status, onClose }: DialogProps<'status'>) {
  const setStatus = useSetOrderStatus()
  const events = useOrderEvents(order.id)
  // `order` is as it was when the dialog opened, perhaps before its refund task was loaded.
  const { refundTask } = useOrder(order.id).data ?? order
  return (
    <ConfirmDialog
      title={`Reinstate order #${order.number}`}
      question={
        events.data
          ? reinstateQuestion({ status, isRefundDue: Boolean(refundTask), events: events.data })
          : events.isError
            ? 'The order’s history could not be loaded. Close this and try again.'
            : 'Loading...'
      }
      confirm={{
        label: 'Reinstate order',
        busyLabel: 'Reinstating...',
        isBusy: setStatus.isPending,
        isIncomplete: !events.data,
        look: 'action',
      }}
      dismissLabel="Keep cancelled"
      isOpen
      onConfirm={() => setStatus.mutate({ order, status }, { onSuccess: onClose })}
      onClose={onClose}
    />
  )
}

const DELETE_QUESTION =
  'Are you sure you want to delete this order? This action cannot be undone and will permanently delete the order and all associated items.'

function DeleteDialog({ order, onClose, onDeleted }: DialogProps<'onDeleted'>) {
  const deleteOrder = useDeleteOrder()
  return (
    <ConfirmDialog
      title="Delete Order"
      question={DELETE_QUESTION}
      confirm={{ label: 'Delete Order', busyLabel: 'Deleting...', isBusy: deleteOrder.isPending }}
      isOpen
      onConfirm={() => deleteOrder.mutate(order.id, { onSuccess: onDeleted })}
      onClose={onClose}
    />
  )
}
