import { Price } from '#app/ui/price.tsx'
import { When } from '#app/ui/when.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { useIsHelper } from '../frame/role.ts'
import { NextStepBar } from './next-step-bar.tsx'
import { OrderActions } from './order-actions.tsx'
import { PaymentBadge, StatusBadge } from './order-badges.tsx'
import { OrderCustomer } from './order-customer.tsx'
import styles from './order-details.module.css'
import { OrderItems } from './order-items.tsx'
import { OrderShipping } from './order-shipping.tsx'
import type { Order } from './order.ts'
import { PaymentRecord } from './payment/payment-record.tsx'
import { OrderNotes } from './timeline/order-notes.tsx'
import { TimelineSection } from './timeline/timeline-section.tsx'

/** One screen for one order: what to make, for whom, what it cost, whether the money is here, and all that happened. */
export function OrderDetails({ order }: { order: Order }) {
  const isHelper = useIsHelper()
  return (
    <div className={styles.details}>
      <div className={styles.head}>
        <span className={styles.number}>Order #{orderNumberText(order.order_number)}</span>
        <When at={order.created_at} />
        <StatusBadge status={order.status} />
        <PaymentBadge order={order} />
      </div>
      <div className={styles.columns}>
        <div className={styles.column}>
          <OrderItems orderId={order.id} />
          <Money order={order} />
          <OrderCustomer order={order} />
          <OrderShipping order={order} />
          <OrderActions order={order} />
        </div>
        <div className={styles.column}>
          {!isHelper && <PaymentRecord order={order} />}
          <OrderNotes orderId={order.id} />
          <TimelineSection orderId={order.id} />
        </div>
      </div>
      <NextStepBar order={order} />
    </div>
  )
}

function Money({ order }: { order: Order }) {
  const discount = centsFromRand(order.discount_amount)
  return (
    <dl className={styles.money}>
      {order.subtotal_amount != null && <Sum label="Subtotal" cents={centsFromRand(order.subtotal_amount)} />}
      <Sum label="Shipping" cents={centsFromRand(order.shipping_cost)} />
      {discount > 0 && (
        <Sum label={order.promo_code ? `Discount (${order.promo_code})` : 'Discount'} cents={-discount} />
      )}
      <div className={styles.total}>
        <dt>Total Amount</dt>
        <dd>
          <Price cents={centsFromRand(order.total_amount)} as="total" />
        </dd>
      </div>
    </dl>
  )
}

function Sum({ label, cents }: { label: string; cents: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        {cents < 0 && '−'}
        <Price cents={Math.abs(cents)} as="total" />
      </dd>
    </div>
  )
}
