import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { orderNumberText, orderStatusLabel } from '#domain/order-status.ts'
import { RefundActions } from '../orders/payment/refunds.tsx'
import { useBalance } from '../orders/payment/payment-record-query.ts'
import { ShortPaymentActions } from './short-payment.tsx'
import { isShort, useAcceptPayment, type Concern, type ConcernedOrder } from './concern.ts'
import { concernFacts } from './concern-facts.ts'
import { concernWords } from './concern-words.ts'
import styles from './needs-attention.module.css'

/** Decided in a dialog of the page's, which outlives the card: the concern may leave the list meanwhile. */
export type Decision = 'refund' | 'resolve'

interface Props {
  concern: Concern
  order: ConcernedOrder | null
  onDecide: (decision: Decision) => void
}

/** One concern: what happened, the figures, and what can be done about it. */
export function ConcernCard({ concern, order, onDecide }: Props) {
  const { title, advice } = concernWords(concern)

  return (
    <article className={styles.card} aria-label={title}>
      <h3>{title}</h3>
      <p>{advice}</p>
      <dl className={styles.facts}>
        {order && <OrderFact order={order} />}
        {concernFacts(concern).map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
        <div>
          <dt>Since</dt>
          <dd>
            <LocalDateTime at={concern.raised_at} />
          </dd>
        </div>
      </dl>
      <Decisions concern={concern} order={order} onDecide={onDecide} />
    </article>
  )
}

function OrderFact({ order }: { order: ConcernedOrder }) {
  return (
    <div>
      <dt>Order</dt>
      <dd>
        <Link to={`/admin/orders/${order.id}`}>#{orderNumberText(order.order_number)}</Link>,{' '}
        {order.customer_name ?? order.customer_email ?? 'N/A'}, {orderStatusLabel(order.status)}
      </dd>
    </div>
  )
}

function Decisions({ concern, order, onDecide }: Props) {
  const accept = useAcceptPayment()
  const { kind, payment_id, refund_id, detail } = concern

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
      <div className={styles.actions}>
        {kind === 'sold_out' && payment_id && (
          <Button look="solid" disabled={accept.isPending} onClick={() => accept.mutate(payment_id)}>
            Accept the payment
          </Button>
        )}
        {payment_id && isShort(concern) && (
          <ShortPaymentActions paymentId={payment_id} order={order} concern={concern} />
        )}
        {payment_id && !refund_id && (
          <RefundButton paymentId={payment_id} onPress={() => onDecide('refund')} />
        )}
        <Button onClick={() => onDecide('resolve')}>Settle with a note</Button>
      </div>
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
