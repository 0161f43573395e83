import { Picture } from '#app/ui/picture.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { centsFromRand, formatPrice, formatTotal } from '#domain/money.ts'
import { effectiveDiscountCents } from '#domain/pricing.ts'
import { isHandOver } from '#domain/shipping-method.ts'
import styles from './order-lines.module.css'
import type { CustomerOrderItem, CustomerOrder } from './own-order.ts'

export function OrderLines({ order }: { order: CustomerOrder }) {
  return (
    <section aria-labelledby="lines" className={styles.section}>
      <h2 id="lines">Your lures</h2>
      <ul className={styles.lines}>
        {order.items.map((item) => (
          <Line key={item.id} item={item} />
        ))}
      </ul>
      <Totals order={order} />
    </section>
  )
}

function Line({ item }: { item: CustomerOrderItem }) {
  const priceCents = centsFromRand(item.price)
  return (
    <li className={styles.line}>
      <div className={styles.picture}>
        {item.image_url && (
          <Picture src={item.image_url} alt="" width={1200} height={1200} sizes="72px" widths={[160, 320]} />
        )}
      </div>
      <div>
        <p className={styles.name}>{item.product_name}</p>
        <p className={styles.detail}>{[item.product_variant, hooksText(item)].filter(Boolean).join(', ')}</p>
        <p className={styles.detail}>
          {item.quantity} × {formatPrice(priceCents)}
        </p>
        {item.returned_quantity > 0 && (
          <p className={styles.returned}>{item.returned_quantity} of these refunded</p>
        )}
      </div>
      <span className={styles.sum}>{formatTotal(priceCents * item.quantity)}</span>
    </li>
  )
}

function hooksText({ with_hooks }: CustomerOrderItem): string | null {
  if (with_hooks === null) return null
  return with_hooks ? 'With Hooks' : 'Without Hooks'
}

function Totals({ order }: { order: CustomerOrder }) {
  const subtotalCents = centsFromRand(order.subtotal_amount)
  const shippingCents = centsFromRand(order.shipping_cost)
  const totalCents = centsFromRand(order.total_amount)
  const discountCents = effectiveDiscountCents({ subtotalCents, shippingCents, totalCents })
  return (
    <dl className={styles.totals}>
      <Figure term="Subtotal">{formatTotal(subtotalCents)}</Figure>
      {!isHandOver(order) && (
        <Figure term="Shipping">{shippingCents === 0 ? 'Free' : formatTotal(shippingCents)}</Figure>
      )}
      {discountCents > 0 && (
        <Figure term={order.promo_code ? `Discount (${order.promo_code})` : 'Discount'}>
          −{formatTotal(discountCents)}
        </Figure>
      )}
      <Figure term="Total" isTotal>
        {formatTotal(totalCents)}
      </Figure>
      {order.refunds.map(({ amount, created_at }) => (
        <Figure
          key={created_at}
          term={
            <>
              Refunded <LocalDate at={created_at} />
            </>
          }
        >
          −{formatTotal(centsFromRand(amount))}
        </Figure>
      ))}
    </dl>
  )
}

function Figure({
  term,
  isTotal,
  children,
}: {
  term: React.ReactNode
  isTotal?: boolean
  children: React.ReactNode
}) {
  return (
    <div className={isTotal ? styles.total : undefined}>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  )
}
