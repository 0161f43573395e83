import { HandCoins } from 'lucide-react'
import { Row, Text } from '#app/ui/layout.tsx'
import { Price } from '#app/ui/price.tsx'
import { centsFromRand } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import { DialogButton } from '../../form/dialog-button.tsx'
import { EntryHead } from './entry-head.tsx'
import type { Balance, WithdrawnPayment } from './payment-record-query.ts'
import { WithdrawPaymentDialog } from './withdraw-payment-dialog.tsx'

const WAYS = { payfast: 'Paid by PayFast', eft: 'Paid by EFT', cash: 'Paid in cash' }

/** Why a payment by hand did not pay its order, by its outcome. */
const UNPAID_BY: Partial<Record<Balance['outcome'], { label: string; text: string }>> = {
  sold_out: {
    label: 'Sold out',
    text: 'The lures were already sold, so this payment did not pay for the order.',
  },
  wrong_amount: {
    label: 'Wrong amount',
    text: 'This is less than the order costs, so it did not pay for the order.',
  },
  paid_twice: {
    label: 'Paid twice',
    text: 'This is more than the order costs, so it needs a refund.',
  },
}

interface ByHandEntryProps {
  payment: Balance
  order: StaffOrder
  /** Another payment of the whole total can pay the order in its place. */
  hasDuplicate: boolean
}

export function ByHandEntry({ payment, order, hasDuplicate }: ByHandEntryProps) {
  const { way, reference, amount_gross, received_at, received_on, pays_order, outcome } = payment
  const unpaid = pays_order ? undefined : UNPAID_BY[outcome]
  return (
    <>
      <EntryHead
        icon={HandCoins}
        at={received_at}
        isDay={received_on !== null}
        badge={unpaid && { label: unpaid.label, tone: 'warning' }}
      >
        {WAYS[way]}
      </EntryHead>
      <Text tone="muted" breakWords>
        Received <Price cents={centsFromRand(amount_gross)} as="total" />
        {reference && `, ${reference}`}. Recorded by staff; see the timeline for who.
        {unpaid && ` ${unpaid.text}`}
      </Text>
      {canBeWithdrawn(payment, { isShipped: isShipped(order) && !hasDuplicate }) && (
        <Row gap={2} align="stretch" wrap>
          <DialogButton
            renderDialog={(close) => (
              <WithdrawPaymentDialog payment={payment} order={order} onClose={close} />
            )}
          >
            Withdraw payment
          </DialogButton>
        </Row>
      )}
    </>
  )
}

/** The database refuses it also for an order that was shipped and then cancelled, and for one of two payments that paid together. */
function canBeWithdrawn(payment: Balance, order: { isShipped: boolean }): boolean {
  return isUntouched(payment) && !(payment.pays_order && order.isShipped)
}

const isShipped = ({ status }: StaffOrder) => status === 'shipped' || status === 'delivered'

/** Whether nothing of it was refunded. */
const isUntouched = ({ given_back, on_its_way }: Balance) => given_back === 0 && on_its_way === 0

/** Whether a payment of exactly the total came after the order was paid. */
export function isDuplicate(payment: Balance, { totalCents }: Pick<StaffOrder, 'totalCents'>): boolean {
  const { outcome, pays_order, amount_gross } = payment
  return (
    outcome === 'paid_twice' &&
    !pays_order &&
    centsFromRand(amount_gross) === totalCents &&
    isUntouched(payment)
  )
}

export function WithdrawnEntry({ withdrawal }: { withdrawal: WithdrawnPayment }) {
  const { created_at, reason, payments: payment } = withdrawal
  return (
    <>
      <EntryHead icon={HandCoins} at={created_at} badge={{ label: 'Withdrawn', tone: 'neutral' }}>
        {WAYS[payment.way]}
      </EntryHead>
      <Text tone="muted" breakWords>
        <Price cents={centsFromRand(payment.amount_gross)} as="total" />
        {payment.reference && `, ${payment.reference}`}. Recorded by mistake and withdrawn: {reason}
      </Text>
    </>
  )
}
