import { ArrowLeft, Printer } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { unlisted } from '#app/storefront/page-meta.ts'
import { Button, ButtonLink } from '#app/ui/button.tsx'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import { LocalDate } from '#app/ui/local-date.tsx'
import { formatTotal } from '#domain/money.ts'
import type { CustomerOrderView } from '#domain/order.ts'
import { LoadError } from '../load-error.tsx'
import { OwnOrderStatusBadge } from '../own-order-status-badge.tsx'
import { Loading } from '../loading.tsx'
import type { Route } from './+types/route'
import { OrderDelivery } from './order-delivery.tsx'
import { OrderLines } from './order-lines.tsx'
import { OrderTimeline } from './order-timeline.tsx'
import styles from './order.module.css'
import { useOwnOrder } from './own-order.ts'
import { ReceiptHead } from './receipt-head.tsx'
import { ReturnsSection } from './returns-section.tsx'
import { Unpaid } from './unpaid.tsx'

export const meta = unlisted('My order')

export default function OwnOrderPage({ params }: Route.ComponentProps) {
  const order = useOwnOrder(params.orderId)
  const failure = <LoadError what="This order could not be loaded." query={order} />

  if (order.isPending) return <Loading label="Loading your order" />
  if (order.data) return <Order order={order.data} failure={failure} />
  if (order.data === null) return <NoOrder />
  return (
    <Stack gap={5} align="start">
      <h1>Your order</h1>
      {failure}
    </Stack>
  )
}

/** Shown for a missing order and for someone else's. */
function NoOrder() {
  return (
    <Stack gap={5} align="start">
      <h1>Order not found</h1>
      <p>This order isn’t in your account. You may have placed it with another e-mail address.</p>
      <ButtonLink look="solid" to="/account">
        See all my orders
      </ButtonLink>
    </Stack>
  )
}

/** For a cancelled order with money that is still to be refunded. */
function RefundDue({ order }: { order: CustomerOrderView }) {
  const dueCents = order.refundDueCents
  if (dueCents === 0) return null
  return (
    <Panel screenOnly as="p" kind="warning" isMarked role="status">
      We owe you a refund of {formatTotal(dueCents)}. You’ll get an e-mail when it is on its way.
    </Panel>
  )
}

/** For an order that was paid twice, for example. */
function Overpaid({ order }: { order: CustomerOrderView }) {
  const overCents = order.heldCents - order.totalCents
  if (order.paidAt === null || overCents <= 0) return null
  return (
    <Panel screenOnly as="p" kind="warning" isMarked role="status">
      You paid {formatTotal(overCents)} more than this order costs. We’ll refund it and e-mail you when it is
      on its way.
    </Panel>
  )
}

interface OrderProps {
  order: CustomerOrderView
  /** Shown when loading the order again has failed. */
  failure: ReactNode
}

function Order({ order, failure }: OrderProps) {
  return (
    <Stack as="article" gap={6} breakWords aria-label={`Order #${order.number}`}>
      <Row screenOnly>
        <Row as={Link} inline touch gap={2} size="s" to="/account">
          <ArrowLeft size={18} aria-hidden />
          All orders
        </Row>
      </Row>
      <ReceiptHead order={order} />
      <Stack as="header" gap={3}>
        <h1>Order #{order.number}</h1>
        <Row as="p" gap={3} wrap tone="muted">
          <OwnOrderStatusBadge status={order.status} /> Placed <LocalDate at={order.placedAt} />
        </Row>
      </Stack>
      {order.status === 'pending_payment' && <Unpaid order={order} />}
      {order.status === 'cancelled' ? <RefundDue order={order} /> : <Overpaid order={order} />}
      {failure}
      <Stack gap={6} className={styles.columns}>
        <OrderTimeline order={order} />
        <OrderDelivery order={order} />
      </Stack>
      <OrderLines order={order} />
      <ReturnsSection order={order} />
      {order.paidAt !== null && (
        <Row screenOnly>
          <Button onClick={() => print()}>
            <Printer size={18} aria-hidden />
            Print receipt
          </Button>
        </Row>
      )}
    </Stack>
  )
}
