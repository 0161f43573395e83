import { CircleHelp, HandCoins, LogOut } from 'lucide-react'
import { Badge } from '#app/ui/badge.tsx'
import { Panel, Row, Stack } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { LocalDateTime } from '#app/ui/local-date.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { QueryFailure } from '../../list/resource-list.tsx'
import { NoticeEntry } from './notice-entry.tsx'
import {
  usePaymentRecord,
  type Attempt,
  type PaymentNotice,
  type Balance,
  type PaymentRecord as Ledger,
} from './payment-record-query.ts'
import styles from './payment-record.module.css'
import { RecordPayment } from './record-payment.tsx'
import { Refunds } from './refunds.tsx'

/** The payment attempts, notices and refunds of an order. It is evidence, so nothing here can be edited. */
export function PaymentRecordSection({ order }: { order: StaffOrder }) {
  const record = usePaymentRecord(order.id)

  return (
    <Stack as="section" gap={3} aria-label="Payment record" aria-busy={record.isPending}>
      <h3>Payment record</h3>
      {record.isPending && <Skeleton height={96} />}
      {record.isError && !record.data && <QueryFailure what="The payment record" query={record} />}
      {record.data && <Entries record={record.data} order={order} />}
      {order.status === 'pending_payment' && <RecordPayment order={order} />}
    </Stack>
  )
}

function Entries({ record, order }: { record: Ledger; order: StaffOrder }) {
  const { attempts, notices, balances } = record
  const byHand = balances.filter(({ way }) => way !== 'payfast')
  if (attempts.length === 0 && byHand.length === 0) return <NothingYet order={order} />
  const entries = [
    ...attempts.map((attempt) => ({
      id: attempt.id,
      at: attempt.created_at,
      entry: <AttemptEntry attempt={attempt} isAnswered={isAnswered(attempt, notices)} />,
    })),
    ...notices.map((notice) => ({
      id: notice.id,
      at: notice.received_at,
      entry: <NoticeEntry notice={notice} />,
    })),
    ...byHand.map((payment) => ({
      id: payment.payment_id,
      at: payment.received_at,
      entry: <ByHandEntry payment={payment} />,
    })),
  ].toSorted((a, b) => a.at.localeCompare(b.at))

  return (
    <>
      <Stack as="ol" gap={3}>
        {entries.map(({ id, entry }) => (
          <Panel as="li" padding="s" gap={2} size="s" key={id}>
            {entry}
          </Panel>
        ))}
      </Stack>
      <Refunds record={record} order={order} />
    </>
  )
}

function isAnswered(attempt: Attempt, notices: PaymentNotice[]): boolean {
  return notices.some(({ m_payment_id }) => m_payment_id === attempt.m_payment_id)
}

function AttemptEntry({ attempt, isAnswered: hasNotice }: { attempt: Attempt; isAnswered: boolean }) {
  return (
    <>
      <Row as="p" gap={1} columnGap={2} wrap className={styles.entryHead}>
        <LogOut size={16} aria-hidden />
        <strong>Sent to PayFast</strong>
        <LocalDateTime at={attempt.created_at} />
        {!hasNotice && <Badge>No notice yet</Badge>}
      </Row>
      <p className={styles.detail}>
        Requested <Price cents={centsFromRand(attempt.amount)} as="total" /> as{' '}
        <code>{attempt.m_payment_id}</code>, merchant {attempt.merchant_id}
      </p>
    </>
  )
}

const WAYS = { payfast: 'Paid by PayFast', eft: 'Paid by EFT', cash: 'Paid in cash' }

function ByHandEntry({ payment: { way, reference, amount_gross, received_at } }: { payment: Balance }) {
  return (
    <>
      <Row as="p" gap={1} columnGap={2} wrap className={styles.entryHead}>
        <HandCoins size={16} aria-hidden />
        <strong>{WAYS[way]}</strong>
        <LocalDateTime at={received_at} />
      </Row>
      <p className={styles.detail}>
        Received <Price cents={centsFromRand(amount_gross)} as="total" />
        {reference && `, ${reference}`}. Recorded by staff; see the timeline for who.
      </p>
    </>
  )
}

function NothingYet({ order }: { order: StaffOrder }) {
  return (
    <Row as="p" gap={2} size="s" className={styles.empty}>
      <CircleHelp size={18} aria-hidden />
      {order.payment === 'free'
        ? 'This order was free, so there is no payment.'
        : 'The buyer has not been sent to the payment page yet.'}
    </Row>
  )
}
