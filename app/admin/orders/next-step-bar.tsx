import { ArrowRight, Truck } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import { nextStep } from './next-step.ts'
import { useSetOrderStatus } from './order-changes.ts'
import styles from './order-details.module.css'
import type { Order } from './order.ts'
import { SHIPPING_ANCHOR } from './order-shipping.tsx'

/** Stays at the bottom of the screen while the order scrolls. */
export function NextStepBar({ order }: { order: Order }) {
  const setStatus = useSetOrderStatus(order)
  const step = nextStep(order)

  switch (step.kind) {
    case 'none':
      return null
    case 'ship':
      return (
        <div className={styles.nextStep}>
          <Button look="action" isWide onClick={goToShipping}>
            <Truck size={18} aria-hidden /> Ship parcel
          </Button>
        </div>
      )
    case 'status':
      return (
        <div className={styles.nextStep}>
          <Button
            look="action"
            isWide
            disabled={setStatus.isPending}
            onClick={() => setStatus.mutate(step.status)}
          >
            {step.label} <ArrowRight size={18} aria-hidden />
          </Button>
        </div>
      )
  }
}

function goToShipping() {
  const shipping = document.getElementById(SHIPPING_ANCHOR)
  shipping?.scrollIntoView({ block: 'center' })
  shipping?.querySelector<HTMLElement>('select, input')?.focus({ preventScroll: true })
}
