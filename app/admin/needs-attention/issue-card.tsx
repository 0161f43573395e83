import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { DescriptionList, Panel, Row } from '#app/ui/layout.tsx'
import type { OrderView } from '#domain/order.ts'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { orderStatusLabel } from '#domain/order-status.ts'
import { RefundActions, useBalance } from '../orders/orders.ts'
import { ShortPaymentActions } from './short-payment.tsx'
import { isShort, useAcceptPayment, type PaymentIssue } from './payment-issue.ts'
import { issueFacts } from './issue-facts.ts'
import { issueText } from './issue-text.ts'
import styles from './needs-attention.module.css'

/** The page renders the dialog, because the card unmounts when another admin resolves the issue. */
export type IssueAction = 'refund' | 'resolve'

interface Props {
  issue: PaymentIssue
  order: OrderView | null
  onDecide: (decision: IssueAction) => void
}

export function IssueCard({ issue, order, onDecide }: Props) {
  const { title, advice } = issueText(issue)

  return (
    <Panel as="article" gap={3} justify="start" breakWords className={styles.card} aria-label={title}>
      <h3>{title}</h3>
      <p>{advice}</p>
      <DescriptionList
        kind="facts"
        columns="repeat(auto-fill, minmax(140px, 1fr))"
        gap={3}
        columnGap={4}
        numeric
        className={styles.facts}
      >
        {order && <OrderFact order={order} />}
        {issueFacts(issue).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Since</dt>
          <dd>
            <LocalDateTime at={issue.raised_at} />
          </dd>
        </div>
      </DescriptionList>
      <Decisions issue={issue} order={order} onDecide={onDecide} />
    </Panel>
  )
}

function OrderFact({ order }: { order: OrderView }) {
  return (
    <div>
      <dt>Order</dt>
      <dd>
        <Link to={`/admin/orders/${order.id}`}>#{order.number}</Link>,{' '}
        {order.customerName ?? order.customerEmail ?? 'N/A'}, {orderStatusLabel(order.status)}
      </dd>
    </div>
  )
}

function Decisions({ issue, order, onDecide }: Props) {
  const accept = useAcceptPayment()
  const { kind, payment_id, refund_id, detail } = issue

  return (
    <>
      {refund_id && (
        <RefundActions
          refund={{
            id: refund_id,
            amount: Number(detail.amount ?? 0),
            state: kind === 'refund_failed' ? 'failed' : 'unknown',
          }}
        />
      )}
      <Row gap={2} align="stretch" wrap className={styles.actions}>
        {kind === 'sold_out' && payment_id && (
          <Button look="solid" disabled={accept.isPending} onClick={() => accept.mutate(payment_id)}>
            Accept payment
          </Button>
        )}
        {payment_id && isShort(issue) && (
          <ShortPaymentActions paymentId={payment_id} order={order} issue={issue} />
        )}
        {payment_id && !refund_id && (
          <RefundButton paymentId={payment_id} onPress={() => onDecide('refund')} />
        )}
        <Button onClick={() => onDecide('resolve')}>Resolve with a note</Button>
      </Row>
    </>
  )
}

function RefundButton({ paymentId, onPress }: { paymentId: string; onPress: () => void }) {
  const balance = useBalance(paymentId)
  const canRefund = balance.data !== undefined && balance.data.refundable > 0

  return (
    <Button disabled={!canRefund} onClick={onPress}>
      Refund
    </Button>
  )
}
