import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import { nextStep } from './next-step.ts'
import { useSetOrderStatus } from './order-changes.ts'
import type { Order } from './order.ts'
import { ShippingDialog } from './shipping-dialog.tsx'

export function NextStepButton({ order }: { order: Order }) {
  const setStatus = useSetOrderStatus(order)
  const [isShipping, setShipping] = useState(false)
  const step = nextStep(order)
  if (step.kind === 'none') return null

  const label = step.kind === 'ship' ? 'Ship parcel' : step.label
  return (
    <>
      <Button
        aria-label={`${label}: order #${orderNumberText(order.order_number)}`}
        disabled={setStatus.isPending}
        onClick={() => (step.kind === 'ship' ? setShipping(true) : setStatus.mutate(step.status))}
      >
        {label}
      </Button>
      <ShippingDialog order={order} isOpen={isShipping} onClose={() => setShipping(false)} />
    </>
  )
}
