import { formatTotal } from '#domain/money.ts'
import { queryBackend } from '#app/data/query-backend.ts'
import { backendError } from '#app/data/backend-error.ts'
import { useRpcMutation, useToastMutation } from '#app/data/use-toast-mutation.ts'

export const MONEY = [
  'orders',
  'order-events',
  'order-items',
  'order-mails',
  'order-money',
  'payment-issues',
] as const

export interface RefundInput {
  cents: number
  reason: string
  /** Quantities that the refund takes off the order: back to stock, or no longer to be made. */
  returned: { order_item_id: string; quantity: number }[]
  /** The refundable amount that the form showed, in rand. */
  was: number
  /** Defaults to the shop's setting. */
  way?: 'by_hand'
}

export function useRefund(paymentId: string) {
  return useToastMutation({
    mutationFn: ({ cents, way, ...refund }: RefundInput) =>
      queryBackend((backend) =>
        backend.rpc('record_refund', {
          payment_id: paymentId,
          amount: cents / 100,
          ...refund,
          ...(way && { way }),
        }),
      ),
    success: ({ cents }) => ({ title: 'Refund recorded', description: `Amount: ${formatTotal(cents)}` }),
    invalidates: MONEY,
  })
}

/** Returns what can be refunded now, in rand, when it differs from what the form showed; otherwise null. */
export function refundableNow(error: Error): number | null {
  const hint = backendError(error, 'refund_changed')?.hint
  return hint ? JSON.parse(hint).refundable : null
}

/** Withdraws a refund that was recorded by hand and never paid, or that failed. */
export const useWithdrawRefund = () =>
  useRpcMutation('withdraw_refund', {
    success: 'Refund withdrawn',
    invalidates: [...MONEY, 'products', 'profiles'],
    isShownByForm: isReturnedStockSold,
  })

/** Withdraws a payment by hand that was recorded by mistake. Its order may await payment again, with its lures reserved. */
export const useWithdrawPayment = () =>
  useRpcMutation('withdraw_payment', {
    success: 'Payment withdrawn',
    invalidates: [...MONEY, 'products', 'profiles'],
  })

/** Whether the lures that the refund put back in stock have been sold or reserved. The error's message names them. */
export function isReturnedStockSold(error: Error): boolean {
  return backendError(error, 'returned_lures_sold') !== null
}
