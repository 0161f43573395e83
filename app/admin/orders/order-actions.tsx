import { Ban, FileText, ListPlus, Mail, MapPin, Printer, RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import { isHandOver } from '#domain/shipping-method.ts'
import { useIsPacker } from '../frame/role.ts'
import { EmailDialog } from '../mail/email-dialog.tsx'
import { CancelDialog } from './cancel-dialog.tsx'
import { DeleteOrderDialog } from './delete-order-dialog.tsx'
import { canChangeDelivery } from './delivery.ts'
import { DeliveryDialog } from './delivery-dialog.tsx'
import { useSetOrderStatus } from './order-changes.ts'
import styles from './order-details.module.css'
import { customerEmail, customerName, type Order } from './order.ts'
import { ReinstateDialog } from './reinstate-dialog.tsx'

type DialogName = 'address' | 'email' | 'cancel' | 'reinstate' | 'delete' | null

/** The actions that are possible now, except the next step. */
export function OrderActions({ order, onDeleted }: { order: Order; onDeleted: () => void }) {
  const [openDialog, setOpenDialog] = useState<DialogName>(null)
  const setStatus = useSetOrderStatus(order)
  const close = () => setOpenDialog(null)
  const email = customerEmail(order)
  const isPacker = useIsPacker()

  return (
    <Row gap={2} align="stretch" wrap className={styles.actions}>
      {order.paid_at !== null && order.status !== 'cancelled' && (
        <ButtonLink to={`/admin/print/packing-slips?orders=${order.id}`}>
          <Printer size={18} aria-hidden /> Packing slip
        </ButtonLink>
      )}
      {!isPacker && (
        <ButtonLink to={`/admin/print/invoices?orders=${order.id}`}>
          <FileText size={18} aria-hidden /> Invoice
        </ButtonLink>
      )}
      {email && (
        <Button onClick={() => setOpenDialog('email')}>
          <Mail size={18} aria-hidden /> E-mail customer
        </Button>
      )}
      {order.status === 'pending_payment' && !isPacker && (
        <ButtonLink to={`/admin/orders/new?replaces=${order.id}`}>
          <ListPlus size={18} aria-hidden /> Change items
        </ButtonLink>
      )}
      {canChangeDelivery(order) && (
        <Button onClick={() => setOpenDialog('address')}>
          <MapPin size={18} aria-hidden /> {isHandOver(order) ? 'Change name or phone' : 'Change address'}
        </Button>
      )}
      {order.status === 'cancelled' && order.paid_at !== null && !isPacker && (
        <Button onClick={() => setOpenDialog('reinstate')}>
          <RotateCcw size={18} aria-hidden /> Reinstate order
        </Button>
      )}
      {order.status !== 'cancelled' && !isPacker && (
        <Button className={styles.cancel} onClick={() => setOpenDialog('cancel')}>
          <Ban size={18} aria-hidden /> Cancel order
        </Button>
      )}
      {!isPacker && (
        <Button className={styles.cancel} onClick={() => setOpenDialog('delete')}>
          <Trash2 size={18} aria-hidden /> Delete order
        </Button>
      )}
      {openDialog === 'address' && <DeliveryDialog order={order} onClose={close} />}
      {openDialog === 'email' && (
        <EmailDialog
          recipient={{ email, full_name: customerName(order), orderId: order.id }}
          onClose={close}
        />
      )}
      {openDialog === 'reinstate' && <ReinstateDialog order={order} onClose={close} />}
      <DeleteOrderDialog
        order={openDialog === 'delete' ? order : null}
        onClose={close}
        onDeleted={onDeleted}
      />
      {openDialog === 'cancel' && (
        <CancelDialog
          orders={[order]}
          isBusy={setStatus.isPending}
          onConfirm={() => setStatus.mutate('cancelled', { onSuccess: close })}
          onClose={close}
        />
      )}
    </Row>
  )
}
