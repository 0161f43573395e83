import { useState } from 'react'
import { Button } from '#app/ui/button.tsx'
import type { OrderView } from '#domain/order.ts'
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx'
import { shortDateTimeText } from '#app/ui/local-date.tsx'
import { centsFromRand, formatTotal } from '#domain/money.ts'
import {
  missingRand,
  useAcceptShortPayment,
  useRequestTopUp,
  useTopUp,
  type PaymentIssue,
} from './payment-issue.ts'

interface Props {
  paymentId: string
  order: OrderView | null
  issue: PaymentIssue
}

/** Both actions ask for confirmation: one waives the missing amount, the other e-mails the customer. */
export function ShortPaymentActions({ paymentId, order, issue }: Props) {
  const accept = useAcceptShortPayment()
  const request = useRequestTopUp()
  const topUp = useTopUp(paymentId)
  const [confirming, setConfirming] = useState<'accept' | 'request' | null>(null)
  const missing = formatTotal(centsFromRand(missingRand(issue)))
  const close = () => setConfirming(null)
  if (!order || order.paidAt !== null) return null

  return (
    <>
      {topUp.data && (
        <p role="status">
          Link for {formatTotal(centsFromRand(topUp.data.amount))} sent{' '}
          {shortDateTimeText(topUp.data.created_at)}. The order becomes paid when the customer pays it.
        </p>
      )}
      <Button look="solid" onClick={() => setConfirming('accept')}>
        Accept as it is
      </Button>
      {topUp.data === null && order.status === 'pending_payment' && (
        <Button onClick={() => setConfirming('request')}>Send payment link</Button>
      )}
      <ConfirmDialog
        title="Accept payment"
        question={`The order becomes paid although ${missing} is missing. The shortfall stays on record, and the customer gets the order confirmation.`}
        confirm={{
          label: 'Accept payment',
          busyLabel: 'Accepting...',
          isBusy: accept.isPending,
          look: 'action',
        }}
        isOpen={confirming === 'accept'}
        onConfirm={() => accept.mutate(paymentId, { onSuccess: close })}
        onClose={close}
      />
      <ConfirmDialog
        title="Send payment link"
        question={`This e-mails ${order.customerEmail ?? 'the customer'} a link to pay the missing ${missing} by PayFast. The order becomes paid when exactly that arrives.`}
        confirm={{ label: 'Send link', busyLabel: 'Sending...', isBusy: request.isPending, look: 'action' }}
        isOpen={confirming === 'request'}
        onConfirm={() => request.mutate(paymentId, { onSuccess: close })}
        onClose={close}
      />
    </>
  )
}
