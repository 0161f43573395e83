import { formatTotal } from '#domain/money.ts'
import { callBackend } from '#app/session/query-backend.ts'
import { isBackendError } from '#app/session/backend-error.ts'
import { useChange } from '../../list/use-change.ts'

const SHOWN_IN = ['orders', 'payment-issues']

export interface RefundInput {
  cents: number
  reason: string
  /** What goes back in stock, line by line. */
  returned: { order_item_id: string; quantity: number }[]
  /** Absent: as the shop is set. */
  way?: 'by_hand'
}

export function useRefund(paymentId: string) {
  return useChange({
    change: ({ cents, reason, returned, way }: RefundInput) =>
      callBackend((backend) =>
        backend.rpc('record_refund', {
          payment_id: paymentId,
          amount: cents / 100,
          reason,
          returned,
          ...(way && { way }),
        }),
      ),
    done: ({ cents }) => ({ title: 'Refund recorded', description: `${formatTotal(cents)} goes back.` }),
    refreshes: SHOWN_IN,
  })
}

export function useRetryRefund() {
  return useChange({
    change: (refundId: string) =>
      callBackend((backend) => backend.rpc('retry_refund', { refund_id: refundId })),
    done: 'PayFast is asked again',
    refreshes: SHOWN_IN,
  })
}

/** An admin has looked at PayFast's dashboard and says how it is. */
export function useSettleRefund(refundId: string) {
  return useChange({
    change: ({ outcome, note }: { outcome: 'done' | 'failed'; note: string }) =>
      callBackend((backend) => backend.rpc('settle_refund', { refund_id: refundId, outcome, note })),
    done: 'Refund settled',
    refreshes: SHOWN_IN,
  })
}

/** Takes back a refund that was recorded by hand and never paid. */
export function useWithdrawRefund(refundId: string) {
  return useChange({
    change: (reason: string) =>
      callBackend((backend) => backend.rpc('withdraw_refund', { refund_id: refundId, reason })),
    done: 'Refund withdrawn',
    refreshes: [...SHOWN_IN, 'products', 'clients'],
    isShownByForm: isReturnedStockSold,
  })
}

/** Lures that the refund put back in stock were sold or reserved since; the message says which. */
export function isReturnedStockSold({ cause }: Error): boolean {
  return isBackendError(cause) && cause.details === 'returned_lures_sold'
}
