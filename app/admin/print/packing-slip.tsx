import { LocalDate } from '#app/ui/local-date.tsx'
import { orderNumberText } from '#domain/order-status.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { shop } from '#shop'
import { addressLabel, hooksText, type OrderItem } from '../orders/order.ts'
import type { PrintedOrder } from './printed-orders.ts'
import styles from './print.module.css'

/** Shows no prices, because the parcel may be a gift. */
export function PackingSlip({ order }: { order: PrintedOrder }) {
  return (
    <article className={styles.document} aria-label={`Packing slip #${orderNumberText(order.order_number)}`}>
      <header className={styles.documentHeader}>
        <p className={styles.shopName}>{shop.name}</p>
        <h2>Packing slip</h2>
        <p className={styles.number}>#{orderNumberText(order.order_number)}</p>
      </header>
      <div className={styles.parties}>
        <div>
          <h3>To</h3>
          <address>{addressLabel(order)}</address>
        </div>
        <div>
          <h3>Delivery</h3>
          {order.locker_location ? (
            <p className={styles.locker}>Locker: {order.locker_location}</p>
          ) : (
            <p>{shippingMethodLabel(order.shipping_method)}</p>
          )}
          {order.tracking_number && <p>Tracking number {order.tracking_number}</p>}
          <p>
            Ordered <LocalDate at={order.created_at} />
          </p>
        </div>
      </div>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">Packed</th>
            <th scope="col">Lure</th>
            <th scope="col">Hooks</th>
            <th scope="col" className={styles.figure}>
              Quantity
            </th>
          </tr>
        </thead>
        <tbody>
          {order.order_items.filter(isPacked).map((item) => (
            <SlipLine key={item.id} item={item} />
          ))}
        </tbody>
      </table>
      {order.notes && (
        <div className={styles.note}>
          <h3>From the customer</h3>
          <p>{order.notes}</p>
        </div>
      )}
      <footer className={styles.documentFooter}>
        <p>
          Thank you. Something not right? {shop.contact.email}, {shop.contact.phone}. Returns within{' '}
          {shop.returns.policyDays} days.
        </p>
      </footer>
    </article>
  )
}

/** Refunded items that are back in stock are not packed. */
function isPacked({ quantity, returned_quantity }: OrderItem): boolean {
  return quantity > returned_quantity
}

function SlipLine({ item }: { item: OrderItem }) {
  return (
    <tr>
      <td aria-label="Tick when packed">
        <span className={styles.tick} />
      </td>
      <td>
        <strong>{item.product_name}</strong>
        {item.product_variant && <div>{item.product_variant}</div>}
      </td>
      <td>{hooksText(item)}</td>
      <td className={styles.figure}>
        <strong>{item.quantity - item.returned_quantity}</strong>
      </td>
    </tr>
  )
}
