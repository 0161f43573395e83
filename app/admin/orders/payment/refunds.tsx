import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { Badge, type BadgeTone } from '#app/ui/badge.tsx'
import { Button } from '#app/ui/button.tsx'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import type { Balance, PaymentRecord, Refund } from './payment-record-query.ts'
import styles from './payment-record.module.css'
import { useRetryRefund } from './refund-changes.ts'
import { balanceName, balanceText } from './balance-text.ts'
import { RefundDialog } from './refund-dialog.tsx'
import { SettleRefundDialog } from './settle-refund-dialog.tsx'
import { WithdrawRefundDialog } from './withdraw-refund-dialog.tsx'

/** The order's refunds, and what each payment can still refund. */
export function Refunds({ record, order }: { record: PaymentRecord; order: StaffOrder }) {
  return (
    <Stack gap={3}>
      {record.refunds.map((refund) => (
        <Panel padding="s" gap={2} size="s" key={refund.id}>
          <RefundEntry refund={refund} order={order} />
        </Panel>
      ))}
      {record.balances.map((balance) => (
        <BalanceLine key={balance.payment_id} balance={balance} order={order} />
      ))}
    </Stack>
  )
}

function BalanceLine({ balance, order }: { balance: Balance; order: StaffOrder }) {
  const [isRefunding, setIsRefunding] = useState(false)
  const refundable = centsFromRand(balance.refundable)

  return (
    <Row gap={2} columnGap={4} justify="between" wrap>
      <p className={styles.detail}>
        <strong>{balanceName(balance)}</strong>
        {!balance.pays_order && ', did not pay this order'}: {balanceText(balance)}
      </p>
      {refundable > 0 && (
        <Button onClick={() => setIsRefunding(true)}>
          <Undo2 size={18} aria-hidden /> Refund
        </Button>
      )}
      {isRefunding && <RefundDialog balance={balance} order={order} onClose={() => setIsRefunding(false)} />}
    </Row>
  )
}

const STATES: Record<Refund['state'], { label: string; tone: BadgeTone }> = {
  requested: { label: 'Being sent to PayFast', tone: 'warning' },
  sent: { label: 'Being sent to PayFast', tone: 'warning' },
  unknown: { label: 'No clear answer yet', tone: 'warning' },
  failed: { label: 'Failed', tone: 'danger' },
  done: { label: 'Refunded', tone: 'success' },
  withdrawn: { label: 'Withdrawn', tone: 'neutral' },
}

function RefundEntry({ refund, order }: { refund: Refund; order: StaffOrder }) {
  const { label, tone } = STATES[refund.state]

  return (
    <>
      <Row as="p" gap={1} columnGap={2} wrap className={styles.entryHead}>
        <Undo2 size={16} aria-hidden />
        <strong>
          Refund of <Price cents={centsFromRand(refund.amount)} as="total" />
        </strong>
        <LocalDateTime at={refund.created_at} />
        <Badge tone={tone}>{label}</Badge>
      </Row>
      <RefundDetail refund={refund} />
      {(refund.state === 'failed' || refund.state === 'unknown') && <RefundActions refund={refund} />}
      {refund.state === 'done' && refund.way === 'by_hand' && (
        <WithdrawRefund refund={refund} order={order} />
      )}
    </>
  )
}

function RefundDetail({ refund }: { refund: Refund }) {
  const { state, reason, way, restocked, detail, state_since } = refund
  const message = detail.note ?? detail.words
  if (state === 'withdrawn') {
    return (
      <p className={styles.detail}>
        {reason}. Recorded by mistake and withdrawn <LocalDateTime at={state_since} />: {message}
      </p>
    )
  }
  return (
    <>
      <p className={styles.detail}>
        {reason}. {way === 'payfast' ? 'Through PayFast' : 'Refunded by hand'}
        {restocked && ', with lures back in stock'}.
      </p>
      {state !== 'done' && message && <p className={styles.detail}>PayFast said: {message}</p>}
    </>
  )
}

function WithdrawRefund({ refund, order }: { refund: Refund; order: StaffOrder }) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Row gap={2} align="stretch" wrap>
      <Button onClick={() => setIsAsking(true)}>Withdraw refund</Button>
      {isAsking && <WithdrawRefundDialog refund={refund} order={order} onClose={() => setIsAsking(false)} />}
    </Row>
  )
}

/** For a failed or unconfirmed refund. */
export function RefundActions({ refund }: { refund: Pick<Refund, 'id' | 'amount' | 'state'> }) {
  const retry = useRetryRefund()
  const [isSettling, setIsSettling] = useState(false)

  return (
    <Row gap={2} align="stretch" wrap>
      {refund.state === 'failed' && (
        <Button disabled={retry.isPending} onClick={() => retry.mutate(refund.id)}>
          Retry refund
        </Button>
      )}
      <Button onClick={() => setIsSettling(true)}>Record outcome</Button>
      {isSettling && <SettleRefundDialog refund={refund} onClose={() => setIsSettling(false)} />}
    </Row>
  )
}
