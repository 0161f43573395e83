import { Price } from '#app/ui/price.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { isHandOver } from '#domain/shipping-method.ts'
import { includedVat } from '#domain/vat.ts'
import { shop } from '#shop'
import { addressLabel, customerEmail, hooksText, lineTotalCents, type OrderItem } from '../orders/order.ts'
import { moneyLines, type MoneyLine } from './invoice-money.ts'
import type { InvoiceMoney, PrintedOrder } from './printed-orders.ts'
import styles from './print.module.css'

/** A tax invoice only when the shop is registered for VAT (VAT Act s20); otherwise the footer states that no VAT is charged. */
export function Invoice({ order, money }: { order: PrintedOrder; money: InvoiceMoney }) {
  const { vatNumber } = shop.legal
  return (
    <article className={styles.document} aria-label={`Invoice #${orderNumberText(order.order_number)}`}>
      <header className={styles.documentHeader}>
        <p className={styles.shopName}>{shop.name}</p>
        <h2>{vatNumber ? 'Tax invoice' : 'Invoice'}</h2>
        <p className={styles.number}>#{orderNumberText(order.order_number)}</p>
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
          <address>{[addressLabel(order), customerEmail(order)].filter(Boolean).join('\n')}</address>
        </div>
        <div>
          <h3>Date</h3>
          <p>
            <LocalDate at={order.paid_at ?? order.created_at} />
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
          {order.order_items.map((item) => (
            <InvoiceLine key={item.id} item={item} />
          ))}
        </tbody>
      </table>
      <Sums order={order} money={money} />
      <footer className={styles.documentFooter}>
        <p>
          {vatNumber
            ? 'All amounts in rand.'
            : 'All amounts in rand. Not registered for VAT: no VAT is charged.'}
        </p>
      </footer>
    </article>
  )
}

function InvoiceLine({ item }: { item: OrderItem }) {
  return (
    <tr>
      <td>
        <strong>{item.product_name}</strong>
        <div>{[item.product_variant, hooksText(item)].filter(Boolean).join(', ')}</div>
      </td>
      <td className={styles.figure}>{item.quantity}</td>
      <td className={styles.figure}>
        <Price cents={centsFromRand(item.price)} as="total" />
      </td>
      <td className={styles.figure}>
        <Price cents={lineTotalCents(item)} as="total" />
      </td>
    </tr>
  )
}

function Sums({ order, money }: { order: PrintedOrder; money: InvoiceMoney }) {
  const total = centsFromRand(order.total_amount)
  return (
    <dl className={styles.sums}>
      {order.subtotal_amount !== null && (
        <Sum label="Subtotal" cents={centsFromRand(order.subtotal_amount)} />
      )}
      {order.discount_amount > 0 && (
        <Sum
          label={order.promo_code ? `Discount (${order.promo_code})` : 'Discount'}
          cents={-centsFromRand(order.discount_amount)}
        />
      )}
      {!isHandOver(order) && <Sum label="Shipping" cents={centsFromRand(order.shipping_cost)} />}
      <Sum label="Total" cents={total} isTotal />
      {shop.legal.vatNumber && <Sum label="Includes VAT at 15%" cents={includedVat(total)} />}
      {moneyLines(order, money).map((line, index) => (
        <Sum key={index} {...line} />
      ))}
    </dl>
  )
}

function Sum({ label, cents, isTotal }: MoneyLine) {
  return (
    <div className={isTotal ? styles.total : undefined}>
      <dt>{label}</dt>
      <dd>
        {cents < 0 && '−'}
        <Price cents={Math.abs(cents)} as="total" />
      </dd>
    </div>
  )
}
