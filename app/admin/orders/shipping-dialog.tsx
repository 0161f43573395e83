import { useState } from 'react'
import { ErrorText } from '#app/ui/layout.tsx'
import { useToast } from '#app/ui/toaster.tsx'
import type { StaffOrder } from '#domain/order.ts'
import { DialogForm } from '../form/dialog-form.tsx'
import { ShippingFields } from './shipping.tsx'
import { useShipping } from './use-shipping.ts'

const INCOMPLETE = 'Please enter tracking number and select courier company'

/** Opens when an admin chooses "Shipped" in the list, because shipping needs a tracking number and a courier. */
export function ShippingDialog({ order, onClose }: { order: StaffOrder; onClose: () => void }) {
  const toast = useToast()
  const shipping = useShipping(order, { onShipped: onClose })
  const [isRefused, setIsRefused] = useState(false)

  const save = () => {
    setIsRefused(shipping.shipment === null)
    if (shipping.shipment) shipping.ship()
    else toast({ title: 'Error', description: INCOMPLETE, tone: 'destructive' })
  }

  return (
    <DialogForm
      title={`Ship order #${order.number}`}
      submit={shipping.isBusy ? 'Saving...' : 'Mark as Shipped'}
      isBusy={shipping.isBusy}
      onSubmit={save}
      onClose={onClose}
    >
      <p>This marks the order as shipped and e-mails the customer.</p>
      <ShippingFields shipping={shipping} />
      {isRefused && !shipping.shipment && <ErrorText size="s">{INCOMPLETE}</ErrorText>}
    </DialogForm>
  )
}
