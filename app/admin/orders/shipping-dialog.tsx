import { useState, type FormEvent } from 'react'
import { ErrorText } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import { FormActions } from '../form/form-actions.tsx'
import { FormDialog } from '../form/form-dialog.tsx'
import styles from '../form/form-dialog.module.css'
import type { Order } from './order.ts'
import { ShippingFields, useShipping } from './shipping.tsx'

const INCOMPLETE = 'Please enter tracking number and select courier company'

interface Props {
  order: Order
  isOpen: boolean
  onClose: () => void
}

/** Opens when an admin chooses "Shipped" in the list, because shipping needs a tracking number and a courier. */
export function ShippingDialog({ order, isOpen, onClose }: Props) {
  return (
    <FormDialog
      title={`Ship order #${orderNumberText(order.order_number)}`}
      isOpen={isOpen}
      onClose={onClose}
    >
      {isOpen && <ShippingForm order={order} onClose={onClose} />}
    </FormDialog>
  )
}

function ShippingForm({ order, onClose }: Omit<Props, 'isOpen'>) {
  const toast = useToast()
  const shipping = useShipping(order, onClose)
  const [isRefused, setIsRefused] = useState(false)

  const save = (event: FormEvent) => {
    event.preventDefault()
    setIsRefused(shipping.shipment === null)
    if (shipping.shipment) shipping.ship()
    else toast({ title: 'Error', description: INCOMPLETE, tone: 'destructive' })
  }

  return (
    <form className={styles.form} onSubmit={save}>
      <p>This marks the order as shipped and e-mails the customer.</p>
      <ShippingFields shipping={shipping} />
      {isRefused && !shipping.shipment && <ErrorText size="s">{INCOMPLETE}</ErrorText>}
      <FormActions
        label={shipping.isBusy ? 'Saving...' : 'Mark as Shipped'}
        isBusy={shipping.isBusy}
        onCancel={onClose}
      />
    </form>
  )
}
