import { CircleHelp, LogOut } from 'lucide-react'
import { Panel, Row, Section, Stack, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { Loaded } from '../../list/resource-list.tsx'
import { ByHandEntry, isDuplicate, WithdrawnEntry } from './by-hand-entry.tsx'
import { EntryHead } from './entry-head.tsx'
import { NoticeEntry } from './notice-entry.tsx'
import {
  usePaymentRecord,
  type Attempt,
  type PaymentNotice,
  type PaymentRecord as Ledger,
} from './payment-record-query.ts'
import { RecordPayment } from './record-payment.tsx'
import { Refunds } from './refunds.tsx'

/** The payment attempts, notices and refunds of an order. It is evidence, so nothing here can be edited. */
export function PaymentRecordSection({ order }: { order: StaffOrder }) {
  const record = usePaymentRecord(order.id)

  return (
    <Section title="Payment record" aria-busy={record.isPending}>
      <Loaded what="The payment record" query={record} height={96}>
        {(ledger) => <Entries record={ledger} order={order} />}
      </Loaded>
      {order.payment !== 'free' && record.data && (
        <RecordPayment order={order} balances={record.data.balances} />
      )}
    </Section>
  )
}

function Entries({ record, order }: { record: Ledger; order: StaffOrder }) {
  const { attempts, notices, balances, withdrawals } = record
  const byHand = balances.filter(({ way }) => way !== 'payfast')
  if (attempts.length + byHand.length + withdrawals.length === 0) return <NothingYet order={order} />
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
      entry: (
        <ByHandEntry
          payment={payment}
          order={order}
          hasDuplicate={balances.some((other) => isDuplicate(other, order))}
        />
      ),
    })),
    ...withdrawals.map((withdrawal) => ({
      id: withdrawal.payment_id,
      at: withdrawal.created_at,
      entry: <WithdrawnEntry withdrawal={withdrawal} />,
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
      <EntryHead icon={LogOut} at={attempt.created_at} badge={!hasNotice && { label: 'No notice yet' }}>
        Sent to PayFast
      </EntryHead>
      <Text tone="muted" breakWords>
        Requested <Price cents={centsFromRand(attempt.amount)} as="total" /> as{' '}
        <code>{attempt.m_payment_id}</code>, merchant {attempt.merchant_id}
      </Text>
    </>
  )
}

function NothingYet({ order }: { order: StaffOrder }) {
  return (
    <Row as="p" gap={2} tone="muted" size="s" breakWords>
      <CircleHelp size={18} aria-hidden />
      {order.payment === 'free'
        ? 'This order was free, so there is no payment.'
        : order.customerId === null
          ? 'No payment is recorded yet.'
          : 'The buyer has not been sent to the payment page yet.'}
    </Row>
  )
}
