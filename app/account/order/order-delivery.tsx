import { ExternalLink } from 'lucide-react'
import { isHandOver } from '#domain/shipping-method.ts'
import { formatPhone } from '#domain/south-africa.ts'
import { noWrap } from '#app/ui/no-wrap.tsx'
import { trackingLink } from '#domain/tracking.ts'
import styles from './order.module.css'
import type { CustomerOrder } from './own-order.ts'

export function OrderDelivery({ order }: { order: CustomerOrder }) {
  const isLocker = order.shipping_method === 'locker'
  if (isHandOver(order)) return <HandOver order={order} />
  return (
    <section aria-labelledby="delivery" className={styles.delivery}>
      <h2 id="delivery">Delivery</h2>
      <p>
        <strong>{isLocker ? 'To a locker' : 'To your door'}</strong>
        {isLocker && order.locker_location && <>: {order.locker_location}</>}
      </p>
      <address className={styles.address}>
        {order.customer_name}
        <br />
        {order.shipping_address}
        <br />
        {order.shipping_city}, {order.shipping_zip}
        <br />
        {order.shipping_state}
        {order.customer_phone && (
          <>
            <br />
            {noWrap(formatPhone(order.customer_phone))}
          </>
        )}
      </address>
      {order.notes && <p className={styles.notes}>Your note: {order.notes}</p>}
      <Tracking order={order} />
    </section>
  )
}

function HandOver({ order }: { order: CustomerOrder }) {
  return (
    <section aria-labelledby="delivery" className={styles.delivery}>
      <h2 id="delivery">Delivery</h2>
      <p>
        <strong>Handed over in person</strong>
      </p>
      {order.notes && <p className={styles.notes}>Your note: {order.notes}</p>}
    </section>
  )
}

function Tracking({ order: { courier, tracking_number } }: { order: CustomerOrder }) {
  if (!tracking_number && !courier) return null
  const link = trackingLink(courier?.tracking_url ?? null, tracking_number)
  return (
    <div className={styles.tracking}>
      <p>
        {courier && <>With {courier.name}. </>}
        {tracking_number && (
          <>
            Tracking number <strong className={styles.code}>{tracking_number}</strong>
          </>
        )}
      </p>
      {link && (
        <a href={link} target="_blank" rel="noreferrer" className={styles.trackingLink}>
          Follow the parcel
          <ExternalLink size={16} aria-hidden />
        </a>
      )}
    </div>
  )
}
