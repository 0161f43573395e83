import { Link } from 'react-router'
import { Price } from '#app/ui/price.tsx'
import { timeText } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import { orderNumberText } from '#domain/order-status.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Opening } from '../list/resource-table.tsx'
import { NextStepButton } from './next-step-button.tsx'
import { PaymentBadges } from './order-badges.tsx'
import styles from './order-card.module.css'
import type { OrderMoney } from './order-money.ts'
import { customerEmail, customerName, type Order } from './order.ts'
import { StatusSelect } from './status-select.tsx'

interface Props {
  order: Order
  link: Opening
  money?: OrderMoney
}

/** An order in the list on a phone. A tap outside its controls opens the order. */
export function OrderCard({ order, link, money }: Props) {
  return (
    <div className={styles.card}>
      <div className={styles.head}>
        <Link className={styles.number} {...link}>
          #{orderNumberText(order.order_number)}
        </Link>
        <strong>
          <Price cents={centsFromRand(order.total_amount)} as="total" />
        </strong>
        <span className={styles.badges}>
          <PaymentBadges order={order} money={money} />
        </span>
      </div>
      <div className={styles.line}>
        <span className={styles.name}>{customerName(order) ?? customerEmail(order) ?? 'N/A'}</span>
        <span className={styles.date}>
          <RelativeTime at={order.created_at} />, {timeText(order.created_at)}
        </span>
      </div>
      <div className={styles.controls}>
        <StatusSelect order={order} />
        <NextStepButton order={order} />
      </div>
    </div>
  )
}
