import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { When } from '#app/ui/when.tsx'
import { PaymentBadge, StatusBadge } from './order-badges.tsx'
import styles from './order-details.module.css'
import { OrderItems } from './order-items.tsx'
import { OrderShipping } from './order-shipping.tsx'
import { addressLine, customerEmail, customerName, type Order } from './order.ts'

export function OrderDetails({ order }: { order: Order }) {
  return (
    <div className={styles.details}>
      <div className={styles.head}>
        <span className={styles.number}>Order #{orderNumberText(order.order_number)}</span>
        <When at={order.created_at} />
        <StatusBadge status={order.status} />
        <PaymentBadge order={order} />
      </div>
      <Customer order={order} />
      <OrderItems orderId={order.id} />
      <Money order={order} />
      <OrderShipping order={order} />
    </div>
  )
}

function Customer({ order }: { order: Order }) {
  const email = customerEmail(order)
  const phone = order.customer_phone ?? order.profiles?.phone
  return (
    <dl className={styles.facts}>
      <Fact label="Customer">
        <span>{customerName(order) ?? 'N/A'}</span>
        {email && <a href={`mailto:${email}`}>{email}</a>}
        {phone && <a href={`tel:${phone.replaceAll(' ', '')}`}>{phone}</a>}
      </Fact>
      <Fact label="Shipping Address">
        <span>{addressLine(order)}</span>
        {order.locker_location && <span>Locker: {order.locker_location}</span>}
      </Fact>
      {order.notes && (
        <Fact label="Notes">
          <span className={styles.notes}>{order.notes}</span>
        </Fact>
      )}
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={styles.fact}>{children}</dd>
    </div>
  )
}

function Money({ order }: { order: Order }) {
  const discount = centsFromRand(order.discount_amount)
  return (
    <dl className={styles.money}>
      {order.subtotal_amount != null && <Sum label="Subtotal" cents={centsFromRand(order.subtotal_amount)} />}
      <Sum label="Shipping" cents={centsFromRand(order.shipping_cost)} />
      {discount > 0 && <Sum label="Discount" cents={-discount} />}
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
