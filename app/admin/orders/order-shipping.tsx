import { Hourglass } from 'lucide-react'
import { Button } from '#app/ui/button.tsx'
import styles from './order-details.module.css'
import type { Order } from './order.ts'
import { ShippingFields, useShipping } from './shipping.tsx'

/** Tracking and shipping, once there is something to ship. */
export function OrderShipping({ order }: { order: Order }) {
  return (
    <section className={styles.shipping} aria-label="Tracking and Shipping">
      <h3>Tracking &amp; Shipping</h3>
      {order.paid_at === null ? <NothingToShip order={order} /> : <ShippingForm order={order} />}
    </section>
  )
}

function NothingToShip({ order }: { order: Order }) {
  return (
    <p className={styles.hint}>
      <Hourglass size={18} aria-hidden />
      {order.status === 'cancelled'
        ? 'This order was cancelled before it was paid.'
        : 'It can be shipped once the payment is confirmed, which happens by itself.'}
    </p>
  )
}

function ShippingForm({ order }: { order: Order }) {
  const shipping = useShipping(order)

  return (
    <>
      <ShippingFields shipping={shipping} />
      <Button
        look="action"
        isWide
        disabled={!shipping.isComplete || shipping.isBusy}
        onClick={() => shipping.ship()}
      >
        Update Tracking &amp; Ship Order
      </Button>
      <p className={styles.hint}>This marks the order as shipped and emails the customer.</p>
    </>
  )
}
