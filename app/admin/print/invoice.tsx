import { DescriptionList, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { addressLabel, orderSums, type OrderLine, type StaffOrder } from '#domain/order.ts'
import { orderStatusLabel } from '#domain/order-status.ts'
import { includedVat } from '#domain/vat.ts'
import { shop } from '#shop'
import { EmailText } from '../mail/email-text.tsx'
import { moneyLines } from './invoice-money.ts'
import type { InvoiceMoney } from './printed-orders.ts'
import styles from './print.module.css'

/** A tax invoice only when the shop is registered for VAT (VAT Act s20); otherwise the footer states that no VAT is charged. */
export function Invoice({ order, money }: { order: StaffOrder; money: InvoiceMoney }) {
  const { vatNumber } = shop.legal
  return (
    <article className={styles.document} aria-label={`Invoice #${order.number}`}>
      <header className={styles.documentHeader}>
        <p className={styles.shopName}>{shop.name}</p>
        <h2>{vatNumber ? 'Tax invoice' : 'Invoice'}</h2>
        <p className={styles.number}>#{order.number}</p>
        {order.status === 'cancelled' && <Text weight={700}>{orderStatusLabel(order.status)}</Text>}
      </header>
      <div className={styles.parties}>
        <div>
          <h3>From</h3>
          <address>
            {[shop.legal.name, shop.legal.serviceAddress, shop.contact.email, shop.contact.phone].join('\n')}
          </address>
          {vatNumber && <p>VAT number {vatNumber}</p>}
        </div>
        <div>
          <h3>To</h3>
          <address>
            {addressLabel(order)}
            {'\n'}
            <EmailText email={order.customerEmail} />
          </address>
        </div>
        <div>
          <h3>Date</h3>
          <p>
            <LocalDate at={order.paidAt ?? order.createdAt} />
          </p>
        </div>
      </div>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">Lure</th>
            <th scope="col" className={styles.figure}>
              Quantity
            </th>
            <th scope="col" className={styles.figure}>
              Each
            </th>
            <th scope="col" className={styles.figure}>
              Amount
            </th>
          </tr>
        </thead>
        <tbody>
          {order.lines.map((line) => (
            <InvoiceLine key={line.id} line={line} />
          ))}
        </tbody>
      </table>
      <Sums order={order} money={money} />
      <Text as="footer" size="xs" divided="above">
        <p>
          {vatNumber
            ? 'All amounts in rand.'
            : 'All amounts in rand. Not registered for VAT: no VAT is charged.'}
        </p>
      </Text>
    </article>
  )
}

function InvoiceLine({ line }: { line: OrderLine }) {
  return (
    <tr>
      <td>
        <strong>{line.name}</strong>
        <div>{line.choice}</div>
      </td>
      <td className={styles.figure}>{line.quantity}</td>
      <td className={styles.figure}>
        <Price cents={line.priceCents} as="total" />
      </td>
      <td className={styles.figure}>
        <Price cents={line.totalCents} as="total" />
      </td>
    </tr>
  )
}

function Sums({ order, money }: { order: StaffOrder; money: InvoiceMoney }) {
  return (
    <DescriptionList kind="sums" gap={1} className={styles.sums}>
      {orderSums(order).map((sum) => (
        <Sum key={sum.label} {...sum} />
      ))}
      <Sum label="Total" cents={order.totalCents} className={styles.total} />
      {shop.legal.vatNumber && <Sum label="Includes VAT at 15%" cents={includedVat(order.totalCents)} />}
      {moneyLines(order, money).map(({ isTotal, ...line }, index) => (
        <Sum key={index} {...line} className={isTotal ? styles.total : undefined} />
      ))}
    </DescriptionList>
  )
}
