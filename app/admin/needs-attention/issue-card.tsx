import { Link } from 'react-router'
import { Button } from '#app/ui/button.tsx'
import { DescriptionList, Fact } from '#app/ui/layout.tsx'
import type { OrderView } from '#domain/order.ts'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { orderStatusLabel } from '#domain/order-status.ts'
import { QueryWarning } from '../list/resource-list.tsx'
import { RefundActions, useBalance } from '../orders/orders.ts'
import { ShortPaymentActions } from './short-payment.tsx'
import { isMissedPayment, isShort, REFRESHES, type PaymentIssue } from './payment-issue.ts'
import { issueFacts } from './issue-facts.ts'
import { issueText } from './issue-text.ts'
import styles from './needs-attention.module.css'
import { Card } from './card.tsx'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'
import type { Toast } from '#app/ui/toast-stack.tsx'

/** The page renders the dialog, because the card unmounts when another admin resolves the issue. */
export type IssueAction = 'refund' | 'resolve'

interface Props {
  issue: PaymentIssue
  /** Null for an issue without an order; undefined until loaded. */
  order: OrderView | null | undefined
  onDecide: (decision: IssueAction) => void
}

export function IssueCard({ issue, order, onDecide }: Props) {
  const { title, advice } = issueText(issue)

  return (
    <Card title={title} actions={<Decisions issue={issue} order={order} onDecide={onDecide} />}>
      <p>{advice}</p>
      <DescriptionList
        kind="facts"
        columns="repeat(auto-fill, minmax(140px, 1fr))"
        gap={3}
        columnGap={4}
        numeric
        className={styles.facts}
      >
        {order && (
          <Fact term="Order">
            <Link to={`/admin/orders/${order.id}`}>#{order.number}</Link>,{' '}
            {order.customerName ?? order.customerEmail ?? 'N/A'}, {orderStatusLabel(order.status)}
          </Fact>
        )}
        {issueFacts(issue).map(({ label, value }) => (
          <Fact key={label} term={label}>
            {value}
          </Fact>
        ))}
        <Fact term="Since">
          <LocalDateTime at={issue.raised_at} />
        </Fact>
      </DescriptionList>
      {issue.refund_id && (
        <RefundActions
          refund={{
            id: issue.refund_id,
            amount: Number(issue.detail.amount ?? 0),
            state: issue.kind === 'refund_failed' ? 'failed' : 'unknown',
          }}
        />
      )}
    </Card>
  )
}

function Decisions({ issue, order, onDecide }: Props) {
  const { kind, payment_id } = issue
  const accept = useRpcMutation('accept_late_payment', {
    success: 'Payment accepted',
    invalidates: REFRESHES,
  })
  const record = useRpcMutation('record_missed_payment', {
    success: (_issue, outcome) => recordedToast(outcome),
    invalidates: REFRESHES,
  })

  return (
    <>
      {isMissedPayment(issue) && (
        <Button
          look="solid"
          disabled={record.isPending}
          onClick={() => record.mutate({ issue_id: issue.id })}
        >
          Record this payment
        </Button>
      )}
      {kind === 'sold_out' && payment_id && (
        <Button look="solid" disabled={accept.isPending} onClick={() => accept.mutate({ payment_id })}>
          Accept payment
        </Button>
      )}
      {payment_id && isShort(issue) && (
        <ShortPaymentActions paymentId={payment_id} order={order} issue={issue} />
      )}
      {payment_id && !issue.refund_id && (
        <RefundButton
          paymentId={payment_id}
          // The dialog of a payment without an order says that no e-mail is sent.
          isDisabled={order === undefined}
          onPress={() => onDecide('refund')}
        />
      )}
      <Button onClick={() => onDecide('resolve')}>Resolve with a note</Button>
    </>
  )
}

/** `outcome` is what the payment did to its order. */
function recordedToast(outcome: unknown): Toast {
  return outcome === 'paid' || outcome === 'reinstated'
    ? { title: 'Payment recorded', description: 'Its order is paid' }
    : { title: 'Payment recorded', description: 'It did not pay its order: see the new issue' }
}

interface RefundButtonProps {
  paymentId: string
  isDisabled: boolean
  onPress: () => void
}

function RefundButton({ paymentId, isDisabled, onPress }: RefundButtonProps) {
  const balance = useBalance(paymentId)
  const canRefund = balance.data !== undefined && balance.data.refundable > 0

  return (
    <>
      <QueryWarning query={balance}>What is left to refund could not be loaded.</QueryWarning>
      <Button disabled={isDisabled || !canRefund} onClick={onPress}>
        Refund
      </Button>
    </>
  )
}
