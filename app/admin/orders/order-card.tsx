import { Link } from 'react-router'
import { Grid, Row, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { timeText } from '#app/ui/local-date.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import type { Opening } from '../list/resource-table.tsx'
import { NextStepButton } from './next-step.tsx'
import { PaymentBadges } from './order-badges.tsx'
import styles from './order-card.module.css'
import type { OrderMoney } from './order-money.ts'
import { StatusSelect, type OrderControlProps } from './status-select.tsx'

interface Props extends OrderControlProps {
  link: Opening
  money?: OrderMoney
}

/** An order in the list on a phone. A tap outside its controls opens the order. */
export function OrderCard({ order, link, money, onOpenDialog }: Props) {
  return (
    <Grid columns="minmax(0, 1fr)" gap={1}>
      <div className={styles.head}>
        <Text as={Link} weight={700} numeric {...link}>
          #{order.number}
        </Text>
        <strong>
          <Price cents={order.totalCents} as="total" />
        </strong>
        <Row as="span" inline align="stretch" wrap className={styles.badges}>
          <PaymentBadges order={order} money={money} />
        </Row>
      </div>
      <Row gap={3} align="baseline" justify="between">
        <Text as="span" ellipsis>
          {order.customerName ?? order.customerEmail ?? 'N/A'}
        </Text>
        <Text as="span" tone="muted" size="xs" noWrap>
          <RelativeTime at={order.createdAt} />, {timeText(order.createdAt)}
        </Text>
      </Row>
      <Grid columns="minmax(0, 1fr)" gap={2} className={styles.controls}>
        <StatusSelect order={order} onOpenDialog={onOpenDialog} />
        <NextStepButton order={order} onOpenDialog={onOpenDialog} />
      </Grid>
    </Grid>
  )
}
