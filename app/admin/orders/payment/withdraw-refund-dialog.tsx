import { ErrorText } from '#app/ui/layout.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import type { StaffOrder } from '#domain/order.ts'
import type { Refund } from './payment-record-query.ts'
import { ReasonDialog } from './reason-dialog.tsx'
import { isReturnedStockSold, useWithdrawRefund } from './refund-changes.ts'

interface Props {
  refund: Refund
  order: StaffOrder
  onClose: () => void
}

/** Confirms the withdrawal of a refund that was recorded by mistake or failed, and states its effects. */
export function WithdrawRefundDialog({ refund, order, onClose }: Props) {
  const withdraw = useWithdrawRefund()
  const amount = formatTotal(centsFromRand(refund.amount))
  const isCancelled = order.status === 'cancelled'

  return (
    <ReasonDialog
      title={`Withdraw refund of ${amount}`}
      submit={withdraw.isPending ? 'Withdrawing...' : 'Withdraw refund'}
      isBusy={withdraw.isPending}
      onConfirm={(reason) => withdraw.mutate({ refund_id: refund.id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    >
      {refund.state === 'failed' ? (
        <p>This refund failed, so no money moved. It will not be tried again.</p>
      ) : (
        <MoneyEffects amount={amount} isCancelled={isCancelled} />
      )}
      {refund.restocked && (
        <p>
          {isCancelled
            ? 'This order is cancelled, so the lures that its cancellation put back in stock stay there. Others are taken out of stock again.'
            : 'The lures that this refund put back in stock return to the order. If some of them have been sold, correct the stock first.'}
        </p>
      )}
      {refund.state !== 'failed' && (
        <p>
          {order.customerEmail
            ? `${order.customerEmail} gets an e-mail: “Correction to your refund for order ${order.number}”.`
            : 'This order has no e-mail address, so no e-mail is sent. Please tell the customer yourself.'}
        </p>
      )}
      {withdraw.error && isReturnedStockSold(withdraw.error) && (
        <ErrorText size="s" role="alert">
          {withdraw.error.message}
        </ErrorText>
      )}
    </ReasonDialog>
  )
}

function MoneyEffects({ amount, isCancelled }: { amount: string; isCancelled: boolean }) {
  return (
    <>
      <p>
        Only for a refund that was recorded by mistake: this {amount} was not paid back. If you paid another
        amount, record that refund afterwards.
      </p>
      <p>
        {isCancelled
          ? `The ${amount} counts as received again, and the refund of this cancelled order is due again.`
          : `The ${amount} counts as received again: on this order, on its invoice and in your revenue.`}
      </p>
    </>
  )
}
