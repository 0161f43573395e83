import type { ReactNode } from 'react'
import { ButtonLink } from '#app/ui/button.tsx'
import { DescriptionList, Grid, Panel, Row, Stack, Text } from '#app/ui/layout.tsx'
import { Sum } from '#app/ui/sum.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { orderSums, type StaffOrder } from '#domain/order.ts'
import { useIsPacker } from '../frame/role.ts'
import { InternalNotes } from '../notes/internal-notes.tsx'
import { NextStepBar } from './next-step.tsx'
import { OrderActions } from './order-actions.tsx'
import { PaymentBadges, StatusBadge } from './order-badges.tsx'
import { OrderCustomer } from './order-customer.tsx'
import styles from './order-details.module.css'
import { OrderItems } from './order-items.tsx'
import { OrderShipping } from './order-shipping.tsx'
import { OrderMoneyWarning } from './order-money-warning.tsx'
import { LEDGER_REFETCH_MS, NO_ORDER_MONEY, useOrderMoney, type OrderMoney } from './order-money.ts'
import { useAddNote, useInternalNotes } from './order-queries.ts'
import { PaymentRecordSection } from './payment/payment-record-section.tsx'
import { RefundDueActions } from './payment/refund-due-actions.tsx'
import { TimelineSection } from './timeline/timeline-section.tsx'

export function OrderDetails({ order, onDeleted }: { order: StaffOrder; onDeleted: () => void }) {
  const isPacker = useIsPacker()
  const moneyOfOrders = useOrderMoney([order], {
    isEnabled: !isPacker,
    refetchInterval: LEDGER_REFETCH_MS,
  })
  const money = moneyOfOrders.data?.get(order.id)
  return (
    <Stack gap={5}>
      <Row gap={2} columnGap={3} wrap tone="muted">
        <Text as="span" tone="ink" size="l" weight={750} numeric>
          Order #{order.number}
        </Text>
        <LocalDateTime at={order.createdAt} />
        <StatusBadge status={order.status} />
        <PaymentBadges order={order} money={money} />
      </Row>
      <OrderMoneyWarning money={moneyOfOrders} />
      {money && <OpenIssues issues={money.issues} />}
      <RefundDue order={order} />
      <Grid columns="minmax(0, 1fr)" gap={6} className={styles.columns}>
        <Stack gap={5} justify="start" shrinks>
          <OrderItems orderId={order.id} />
          <OrderTotals order={order} money={money} />
          <OrderCustomer order={order} />
          <OrderShipping order={order} />
          <OrderActions order={order} onDeleted={onDeleted} />
        </Stack>
        <Stack gap={5} justify="start" shrinks>
          {!isPacker && <PaymentRecordSection order={order} />}
          <InternalNotes notes={useInternalNotes(order.id)} add={useAddNote(order.id)} />
          <TimelineSection orderId={order.id} />
        </Stack>
      </Grid>
      <NextStepBar order={order} />
    </Stack>
  )
}

/** Shown on a cancelled order until its payment is refunded. */
function RefundDue({ order }: { order: StaffOrder }) {
  const task = order.refundTask
  if (!task) return null
  return (
    <Notice label="Refund due" actions={<RefundDueActions task={task} order={order} />}>
      <strong>Cancelled, {formatTotal(centsFromRand(task.outstanding))} to refund.</strong> We told the
      customer that you will refund it.
    </Notice>
  )
}

function OpenIssues({ issues }: Pick<OrderMoney, 'issues'>) {
  if (issues.length === 0) return null
  return (
    <Notice
      label="Needs attention"
      actions={<ButtonLink to="/admin/needs-attention">View issues</ButtonLink>}
    >
      <strong>Needs attention.</strong> {issues.join(', ')}.
    </Notice>
  )
}

interface NoticeProps {
  label: string
  actions: ReactNode
  children: ReactNode
}

function Notice({ label, actions, children }: NoticeProps) {
  return (
    <Panel as="section" kind="warning" gap={3} aria-label={label}>
      <p>{children}</p>
      <Row divided="above" gap={2} align="stretch" wrap className={styles.actions}>
        {actions}
      </Row>
    </Panel>
  )
}

/** `money` is absent until loaded. */
export function OrderTotals({
  order,
  money: { refundedCents, netCents, waivedCents } = NO_ORDER_MONEY,
}: {
  order: StaffOrder
  money?: OrderMoney
}) {
  return (
    <DescriptionList divided="above" kind="sums" gap={1} className={styles.money}>
      {orderSums(order).map((sum) => (
        <Sum key={sum.label} {...sum} />
      ))}
      <Sum label="Total Amount" cents={order.totalCents} className={styles.total} />
      {waivedCents > 0 && <Sum label="Waived" cents={-waivedCents} />}
      {refundedCents > 0 && (
        <>
          <Sum label="Refunded" cents={-refundedCents} />
          <Sum label="Net of refunds" cents={netCents} />
        </>
      )}
    </DescriptionList>
  )
}
