import { LocalDate } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { shop } from '#shop'
import styles from './order.module.css'
import type { CustomerOrder } from './own-order.ts'

/** The seller's details, on paper only. A shop that is not registered for VAT may not call it a tax invoice. */
export function ReceiptHead({ order }: { order: CustomerOrder }) {
  if (!order.paid_at) return null
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
        Paid <LocalDate at={order.paid_at} />
        {legal.vatNumber && <>, including VAT at 15%: {formatTotal(vatCents(order))}</>}
      </p>
    </div>
  )
}

/** The tax inside an inclusive price, rounded once for the document (VAT Act s66). */
function vatCents({ total_amount }: CustomerOrder): number {
  return Math.round((centsFromRand(total_amount) * 15) / 115)
}
