import {
  Ban,
  FileText,
  ListPlus,
  Mail,
  MapPin,
  Printer,
  RotateCcw,
  Trash2,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Row } from '#app/ui/layout.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { canChangeDelivery } from './delivery.ts'
import styles from './order-details.module.css'
import { OrderDialog, type OrderDialogName } from './order-dialog.tsx'

interface Action {
  label: string
  icon: LucideIcon
  /** The link or the dialog that it opens. */
  opens: { to: string } | OrderDialogName
  isShown: boolean
  isDestructive?: boolean
}

function actionsOf(order: StaffOrder, isAdmin: boolean): Action[] {
  const { id, status, paidAt } = order
  const isCancelled = status === 'cancelled'
  return [
    {
      label: 'Packing slip',
      icon: Printer,
      opens: { to: `/admin/print/packing-slips?orders=${id}` },
      isShown: order.isPaid,
    },
    {
      label: 'Invoice',
      icon: FileText,
      opens: { to: `/admin/print/invoices?orders=${id}` },
      isShown: isAdmin,
    },
    { label: 'E-mail customer', icon: Mail, opens: 'email', isShown: Boolean(order.customerEmail) },
    {
      label: 'Change items',
      icon: ListPlus,
      opens: { to: `/admin/orders/new?replaces=${id}` },
      isShown: isAdmin && status === 'pending_payment',
    },
    {
      label: order.isHandOver ? 'Change name or phone' : 'Change address',
      icon: MapPin,
      opens: 'address',
      isShown: canChangeDelivery(order),
    },
    {
      label: 'Reinstate order',
      icon: RotateCcw,
      opens: 'reinstate',
      isShown: isAdmin && isCancelled && paidAt !== null,
    },
    {
      label: 'Cancel order',
      icon: Ban,
      opens: 'cancel',
      isShown: isAdmin && !isCancelled,
      isDestructive: true,
    },
    { label: 'Delete order', icon: Trash2, opens: 'delete', isShown: isAdmin, isDestructive: true },
  ]
}

/** The actions that are possible now, except the next step. */
export function OrderActions({ order, onDeleted }: { order: StaffOrder; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<OrderDialogName | null>(null)
  const actions = actionsOf(order, !useIsPacker()).filter(({ isShown }) => isShown)

  return (
    <Row divided="above" gap={2} align="stretch" wrap className={styles.actions}>
      {actions.map(({ label, icon: Icon, opens, isDestructive }) =>
        typeof opens === 'string' ? (
          <Button key={label} look={isDestructive ? 'danger' : 'outline'} onClick={() => setDialog(opens)}>
            <Icon size={18} aria-hidden /> {label}
          </Button>
        ) : (
          <ButtonLink key={label} to={opens.to}>
            <Icon size={18} aria-hidden /> {label}
          </ButtonLink>
        ),
      )}
      {dialog && (
        <OrderDialog order={order} name={dialog} onClose={() => setDialog(null)} onDeleted={onDeleted} />
      )}
    </Row>
  )
}
