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

export function ByHandEntry({ payment, order }: { payment: Balance; order: StaffOrder }) {
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
      {canBeWithdrawn(payment, order) && (
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
function canBeWithdrawn({ given_back, on_its_way, pays_order }: Balance, { status }: StaffOrder): boolean {
  const isShipped = status === 'shipped' || status === 'delivered'
  return given_back === 0 && on_its_way === 0 && !(pays_order && isShipped)
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
