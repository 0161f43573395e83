import { Link } from 'react-router'
import { orderNumberText } from '#domain/order-status.ts'
import { shop } from '#shop'
import styles from './order.module.css'
import type { CustomerOrder } from './own-order.ts'

/** What the law and the shop promise about sending back, once there is something to send back. */
export function Returns({ order }: { order: CustomerOrder }) {
  if (order.paid_at === null || order.status === 'cancelled') return null
  const number = orderNumberText(order.order_number)
  const mail = `mailto:${shop.contact.email}?subject=${encodeURIComponent(`Order #${number}`)}`
  const { coolingOffDays, policyDays } = shop.returns
  const hasLeft = order.status === 'shipped' || order.status === 'delivered'

  return (
    <section aria-labelledby="returns" className={styles.returns}>
      <h2 id="returns">{hasLeft ? 'Sending back' : 'Changing your mind'}</h2>
      {hasLeft ? (
        <p>
          You may cancel without a reason within {coolingOffDays} days of receiving your parcel, and we take
          lures back for {policyDays} days. <Link to="/shipping-returns">How returns work</Link>
        </p>
      ) : (
        <p>
          Until it is packed we can change or cancel your order, within {shop.orders.changeableHours} hours of
          ordering. After that you may send it back within {coolingOffDays} days of receiving it.{' '}
          <Link to="/shipping-returns">How returns work</Link>
        </p>
      )}
      <p>
        <a href={mail}>Write to us about order #{number}</a>
      </p>
    </section>
  )
}
