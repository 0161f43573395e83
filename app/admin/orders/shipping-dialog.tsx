import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import styles from '../list/form-dialog.module.css'
import type { Order } from './order.ts'
import { ShippingFields, useShipping } from './shipping.tsx'

const INCOMPLETE = 'Please enter tracking number and select courier company'

interface Props {
  order: Order
  isOpen: boolean
  onClose: () => void
}

/** Opens when "Shipped" is chosen in the list: the status follows only with a tracking number and a courier. */
export function ShippingDialog({ order, isOpen, onClose }: Props) {
  return (
    <Dialog title={`Ship order #${orderNumberText(order.order_number)}`} isOpen={isOpen} onClose={onClose}>
      {isOpen && <ShippingForm order={order} onClose={onClose} />}
    </Dialog>
  )
}

function ShippingForm({ order, onClose }: Omit<Props, 'isOpen'>) {
  const toast = useToast()
  const shipping = useShipping(order, onClose)
  const [isRefused, setIsRefused] = useState(false)

  const save = () => {
    setIsRefused(!shipping.isComplete)
    if (shipping.isComplete) shipping.ship()
    else toast({ title: 'Error', description: INCOMPLETE, tone: 'destructive' })
  }

  return (
    <div className={styles.form}>
      <p>This marks the order as shipped and emails the customer.</p>
      <ShippingFields shipping={shipping} />
      {isRefused && !shipping.isComplete && <p className={styles.error}>{INCOMPLETE}</p>}
      <div className={styles.actions}>
        <Button onClick={onClose}>Cancel</Button>
        <Button look="action" disabled={shipping.isBusy} onClick={save}>
          {shipping.isBusy ? 'Saving...' : 'Mark as Shipped'}
        </Button>
      </div>
    </div>
  )
}
