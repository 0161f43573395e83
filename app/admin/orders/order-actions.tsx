import {
  AtSign,
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
import { canChangeDelivery, canChangeOnlyEmail } from './delivery.ts'
import styles from './order-details.module.css'
import { OrderDialog, type OpenOrderDialog, type OrderDialogName } from './order-dialog.tsx'

interface Action {
  label: string
  icon: LucideIcon
  /** The link or the dialog that it opens. */
  opens: { to: string } | OrderDialogName
  isDestructive?: boolean
}

/** The actions that are possible now, except the next step. */
export function actionsOf(order: StaffOrder, isAdmin: boolean): Action[] {
  const { id, status, paidAt, isHandOver } = order
  const isCancelled = status === 'cancelled'
  const slip = { to: `/admin/print/packing-slips?orders=${id}` }
  const invoice = { to: `/admin/print/invoices?orders=${id}` }
  const items = { to: `/admin/orders/new?replaces=${id}` }
  const address = isHandOver ? 'Change name or phone' : 'Change address'
  const isUnpaid = status === 'pending_payment'
  const actions: [isShown: boolean, Action][] = [
    [order.isPaid, { label: 'Packing slip', icon: Printer, opens: slip }],
    [isAdmin, { label: 'Invoice', icon: FileText, opens: invoice }],
    [Boolean(order.customerEmail), { label: 'E-mail customer', icon: Mail, opens: 'email' }],
    [isAdmin && isUnpaid, { label: 'Change items', icon: ListPlus, opens: items }],
    [canChangeDelivery(order), { label: address, icon: MapPin, opens: 'address' }],
    [isAdmin && canChangeOnlyEmail(order), { label: 'Change e-mail', icon: AtSign, opens: 'address' }],
    [
      isAdmin && isCancelled && paidAt !== null,
      { label: 'Reinstate order', icon: RotateCcw, opens: 'reinstate' },
    ],
    [isAdmin && !isCancelled, { label: 'Cancel order', icon: Ban, opens: 'cancel', isDestructive: true }],
    [isAdmin, { label: 'Delete order', icon: Trash2, opens: 'delete', isDestructive: true }],
  ]
  return actions.flatMap(([isShown, action]) => (isShown ? [action] : []))
}

export function OrderActions({ order, onDeleted }: { order: StaffOrder; onDeleted: () => void }) {
  const [dialog, setDialog] = useState<OpenOrderDialog | null>(null)
  const actions = actionsOf(order, !useIsPacker())

  return (
    <Row divided="above" gap={2} align="stretch" wrap className={styles.actions}>
      {actions.map(({ label, icon: Icon, opens, isDestructive }) =>
        typeof opens === 'string' ? (
          <Button
            key={label}
            look={isDestructive ? 'danger' : 'outline'}
            onClick={() => setDialog({ order, name: opens })}
          >
            <Icon size={18} aria-hidden /> {label}
          </Button>
        ) : (
          <ButtonLink key={label} to={opens.to}>
            <Icon size={18} aria-hidden /> {label}
          </ButtonLink>
        ),
      )}
      {dialog && <OrderDialog {...dialog} onClose={() => setDialog(null)} onDeleted={onDeleted} />}
    </Row>
  )
}
