import { ArrowRight, Truck } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import type { OrderStatus } from '#domain/order-status.ts'
import type { StaffOrder } from '#domain/order.ts'
import { useSetOrderStatus } from './order-changes.ts'
import styles from './order-details.module.css'
import { SHIPPING_ANCHOR } from './order-shipping.tsx'
import type { OrderControlProps } from './status-select.tsx'

interface NextStep {
  label: string
  /** Shipping needs a courier and a tracking number first. */
  status: OrderStatus
}

const SHIP: NextStep = { label: 'Ship parcel', status: 'shipped' }

/** The most likely next action for an order. */
export function nextStep({ paidAt, status, isHandOver }: StaffOrder): NextStep | null {
  if (paidAt === null) return null
  if (status === 'new' || status === 'pending') return { label: 'Start making it', status: 'processing' }
  if (status === 'processing')
    return isHandOver ? { label: 'Mark as handed over', status: 'delivered' } : SHIP
  return status === 'shipped' ? { label: 'Mark as delivered', status: 'delivered' } : null
}

/** On the order's card in the list. */
export function NextStepButton({ order, onOpenDialog }: OrderControlProps) {
  const setStatus = useSetOrderStatus()
  const step = nextStep(order)
  if (!step) return null

  return (
    <Button
      aria-label={`${step.label}: order #${order.number}`}
      disabled={setStatus.isPending}
      onClick={() =>
        step === SHIP
          ? onOpenDialog({ order, name: 'ship' })
          : setStatus.mutate({ order, status: step.status })
      }
    >
      {step.label}
    </Button>
  )
}

/** Stays at the bottom of the screen while the order scrolls. */
export function NextStepBar({ order }: { order: StaffOrder }) {
  const setStatus = useSetOrderStatus()
  const step = nextStep(order)
  if (!step) return null

  return (
    <div className={styles.nextStep}>
      <Button
        look="action"
        isWide
        disabled={setStatus.isPending}
        onClick={() => (step === SHIP ? goToShipping() : setStatus.mutate({ order, status: step.status }))}
      >
        {step === SHIP && <Truck size={18} aria-hidden />} {step.label}{' '}
        {step !== SHIP && <ArrowRight size={18} aria-hidden />}
      </Button>
    </div>
  )
}

function goToShipping() {
  const shipping = document.getElementById(SHIPPING_ANCHOR)
  shipping?.scrollIntoView({ block: 'center' })
  shipping?.querySelector<HTMLElement>('select, input')?.focus({ preventScroll: true })
}
