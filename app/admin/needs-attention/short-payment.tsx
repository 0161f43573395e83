import type { OrderView } from '#domain/order.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { shortDateTimeText } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import { missingRand, REFRESHES, useTopUp, type PaymentIssue } from './payment-issue.ts'
import { DialogButton } from '../form/dialog-button.tsx'
import { QueryWarning } from '../list/resource-list.tsx'
import { useRpcMutation } from '#app/data/use-toast-mutation.ts'

interface Props {
  paymentId: string
  /** Undefined until loaded. */
  order: OrderView | null | undefined
  issue: PaymentIssue
}

/** Both actions ask for confirmation: one waives the missing amount, the other e-mails the customer. */
export function ShortPaymentActions({ paymentId, order, issue }: Props) {
  const accept = useRpcMutation('accept_short_payment', {
    success: 'Payment accepted, the order is paid',
    invalidates: REFRESHES,
  })
  const request = useRpcMutation('request_top_up', {
    success: 'Payment link sent to the customer',
    invalidates: REFRESHES,
  })
  const topUp = useTopUp(paymentId)
  const missing = formatTotal(centsFromRand(missingRand(issue)))
  if (!order || order.paidAt !== null) return null
  const payment = { payment_id: paymentId }

  return (
    <>
      <QueryWarning query={topUp}>Whether a payment link was sent could not be loaded.</QueryWarning>
      {topUp.data && (
        <p role="status">
          Link for {formatTotal(centsFromRand(topUp.data.amount))} sent{' '}
          {shortDateTimeText(topUp.data.created_at)}. The order becomes paid when the customer pays it.
        </p>
      )}
      <DialogButton
        look="solid"
        // The customer may be about to pay the difference that this waives.
        disabled={topUp.data === undefined}
        renderDialog={(close) => (
          <ConfirmDialog
            title="Accept payment"
            question={`The order becomes paid although ${missing} is missing. The shortfall stays on record, and the customer gets the order confirmation.`}
            confirm={{
              label: 'Accept payment',
              busyLabel: 'Accepting...',
              isBusy: accept.isPending,
              look: 'action',
            }}
            isOpen
            onConfirm={() => accept.mutate(payment, { onSuccess: close })}
            onClose={close}
          />
        )}
      >
        Accept as it is
      </DialogButton>
      {topUp.data === null && order.status === 'pending_payment' && (
        <DialogButton
          renderDialog={(close) => (
            <ConfirmDialog
              title="Send payment link"
              question={`This e-mails ${order.customerEmail ?? 'the customer'} a link to pay the missing ${missing} by PayFast. The order becomes paid when exactly that arrives.`}
              confirm={{
                label: 'Send link',
                busyLabel: 'Sending...',
                isBusy: request.isPending,
                look: 'action',
              }}
              isOpen
              onConfirm={() => request.mutate(payment, { onSuccess: close })}
              onClose={close}
            />
          )}
        >
          Send payment link
        </DialogButton>
      )}
    </>
  )
}
