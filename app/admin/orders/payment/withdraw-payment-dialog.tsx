import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import type { Balance } from './payment-record-query.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { useWithdrawPayment } from './refund-changes.ts'

interface Props {
  payment: Balance
  order: StaffOrder
  onClose: () => void
}

/** Confirms the withdrawal of a payment that was recorded by mistake, and states its effects. */
export function WithdrawPaymentDialog({ payment, order, onClose }: Props) {
  const withdraw = useWithdrawPayment()
  const amount = formatTotal(centsFromRand(payment.amount_gross))

  return (
    <ReasonDialog
      title={`Withdraw payment of ${amount}`}
      submit={withdraw.isPending ? 'Withdrawing...' : 'Withdraw payment'}
      isBusy={withdraw.isPending}
      onConfirm={(reason) =>
        withdraw.mutate({ payment_id: payment.payment_id, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <p>
        Only for a payment that was recorded by mistake: this {amount} did not arrive, or belongs to another
        order. Record it on that order afterwards. To pay money back, record a refund instead.
      </p>
      {payment.pays_order && <OrderEffects order={order} />}
    </ReasonDialog>
  )
}

function OrderEffects({ order }: { order: StaffOrder }) {
  if (order.status === 'cancelled')
    return <p>The order stays cancelled, and this money is no longer due back.</p>
  return (
    <>
      <p>
        The order becomes what it was before this payment: awaiting payment with its lures reserved, or
        cancelled. If its full price was paid a second time, that payment pays it now, and nothing else
        changes.
      </p>
      <p>
        {order.customerEmail
          ? `If the order is no longer paid, ${order.customerEmail} gets an e-mail: “Correction to your payment for order ${order.number}”.`
          : 'This order has no e-mail address, so no e-mail is sent. Please tell the customer yourself.'}
      </p>
    </>
  )
}
