import { Text } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { addressLabel, type OrderLine, type StaffOrder } from '#domain/order.ts'
import { shippingMethodLabel } from '#domain/shipping-method.ts'
import { shop } from '#shop'
import styles from './print.module.css'
import { LineHeads, PrintedDocument } from './printed-document.tsx'

/** Shows no prices, because the parcel may be a gift. */
export function PackingSlip({ order }: { order: StaffOrder }) {
  return (
    <PrintedDocument
      title="Packing slip"
      label={`Packing slip #${order.number}`}
      number={order.number}
      parties={<Parties order={order} />}
      footer={`Thank you. Something not right? ${shop.contact.email}, ${shop.contact.phone}. Returns within ${shop.returns.policyDays} days.`}
    >
      <table className={styles.lines}>
        <LineHeads texts={['Packed', 'Lure', 'Hooks']} figures={['Quantity']} />
        <tbody>
          {order.lines.filter(isPacked).map((line) => (
            <SlipLine key={line.id} line={line} />
          ))}
        </tbody>
      </table>
      {order.notes && (
        <Text as="div" preLine className={styles.note}>
          <h3>From the customer</h3>
          <p>{order.notes}</p>
        </Text>
      )}
    </PrintedDocument>
  )
}

function Parties({ order }: { order: StaffOrder }) {
  return (
    <>
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
    </>
  )
}

/** Refunded items that are back in stock are not packed. */
function isPacked({ quantity, returned }: OrderLine): boolean {
  return quantity > returned
}

function SlipLine({ line }: { line: OrderLine }) {
  return (
    <tr>
      <td aria-label="Tick when packed">
        <span className={styles.tick} />
      </td>
      <td>
        <strong>{line.name}</strong>
        {line.variant && <div>{line.variant}</div>}
      </td>
      <td>{line.hooks}</td>
      <td className={styles.figure}>
        <strong>{line.quantity - line.returned}</strong>
      </td>
    </tr>
  )
}
