import { Link } from 'react-router'
import { Stack } from '#app/ui/layout.tsx'
import { shop } from '#shop'
import type { CustomerOrderView } from '#domain/order.ts'
import styles from './order.module.css'

/** The customer's legal rights and the shop's policy, for paid orders. */
export function ReturnsSection({ order }: { order: CustomerOrderView }) {
  if (!order.isPaid) return null
  const { number } = order
  const mail = `mailto:${shop.contact.email}?subject=${encodeURIComponent(`Order #${number}`)}`
  const { coolingOffDays, policyDays } = shop.returns
  const isShipped = order.status === 'shipped' || order.status === 'delivered'

  return (
    <Stack
      screenOnly
      as="section"
      gap={3}
      aria-labelledby="returns"
      divided="above"
      className={styles.returns}
    >
      <h2 id="returns">{isShipped ? 'Returns' : 'Changing your mind'}</h2>
      {isShipped ? (
        <p>
          You may cancel without giving a reason within {coolingOffDays} days of receiving your parcel, and we
          accept returns for {policyDays} days. <Link to="/shipping-returns">How returns work</Link>
        </p>
      ) : (
        <p>
          We can change or cancel your order within {shop.orders.changeableHours} hours of ordering, as long
          as it isn’t packed. After that, you can return it within {coolingOffDays} days of receiving it.{' '}
          <Link to="/shipping-returns">How returns work</Link>
        </p>
      )}
      <p>
        <a href={mail}>Write to us about order #{number}</a>
      </p>
    </Stack>
  )
}
