import { Text } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { addressLabel, type StaffOrder } from '#domain/order.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { shop } from '#shop'
import { packedLines, type PackedLine } from './packed-lines.ts'
import styles from './print.module.css'

/** Shows no prices, because the parcel may be a gift. */
export function PackingSlip({ order }: { order: StaffOrder }) {
  return (
    <article className={styles.document} aria-label={`Packing slip #${order.number}`}>
      <header className={styles.documentHeader}>
        <p className={styles.shopName}>{shop.name}</p>
        <h2>Packing slip</h2>
        <p className={styles.number}>#{order.number}</p>
      </header>
      <div className={styles.parties}>
        <div>
          <h3>To</h3>
          <address>{addressLabel(order)}</address>
        </div>
        <div>
          <h3>Delivery</h3>
          {order.locker ? (
            <p className={styles.locker}>Locker: {order.locker}</p>
          ) : (
            <p>{shippingMethodLabel(order.shippingMethod)}</p>
          )}
          {order.trackingNumber && <p>Tracking number {order.trackingNumber}</p>}
          <p>
            Ordered <LocalDate at={order.createdAt} />
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
          {packedLines(order.lines).map((line) => (
            <SlipLine key={line.id} line={line} />
          ))}
        </tbody>
      </table>
      {order.notes && (
        <div className={styles.note}>
          <h3>From the customer</h3>
          <p>{order.notes}</p>
        </div>
      )}
      <Text as="footer" size="xs" divided="above">
        <p>
          Thank you. Something not right? {shop.contact.email}, {shop.contact.phone}. Returns within{' '}
          {shop.returns.policyDays} days.
        </p>
      </Text>
    </article>
  )
}

function SlipLine({ line }: { line: PackedLine }) {
  return (
    <tr>
      <td aria-label="Tick when packed">
        <span className={styles.tick} />
      </td>
      <td>
        <strong>{line.name}</strong>
        {line.variant && <div>{line.variant}</div>}
        {line.renamedVariant && <div>now: {line.renamedVariant}</div>}
      </td>
      <td>{line.hooks}</td>
      <td className={styles.figure}>
        <strong>{line.quantity}</strong>
      </td>
    </tr>
  )
}
