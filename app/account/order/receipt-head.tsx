import { LocalDate } from '#app/ui/local-date.tsx'
import { formatTotal } from '#domain/money.ts'
import { includedVat } from '#domain/vat.ts'
import { shop } from '#shop'
import type { CustomerOrderView } from '#domain/order.ts'
import styles from './order.module.css'

/** The seller's details, on paper only. A shop that is not registered for VAT may not call it a tax invoice. */
export function ReceiptHead({ order }: { order: CustomerOrderView }) {
  if (!order.paidAt) return null
  const { legal, contact } = shop
  return (
    <div className={styles.receipt}>
      <p>
        <strong>{legal.vatNumber ? 'Tax invoice' : 'Receipt'}</strong>
      </p>
      <p>
        {legal.name}, {legal.serviceAddress}
        <br />
        {contact.phone} · {contact.email}
        {legal.vatNumber && (
          <>
            <br />
            VAT no. {legal.vatNumber}
          </>
        )}
      </p>
      <p>
        Paid <LocalDate at={order.paidAt} />
        {legal.vatNumber && <>, including VAT at 15%: {formatTotal(includedVat(order.totalCents))}</>}
      </p>
    </div>
  )
}
