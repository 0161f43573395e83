import type { PaymentIssue } from '#app/admin/needs-attention/payment-issue.ts'

/** A payment of a wrong amount, with other values in some columns. */
export function aPaymentIssue(change: Partial<PaymentIssue>): PaymentIssue {
  return {
    id: '1',
    kind: 'wrong_amount',
    order_id: null,
    notice_id: null,
    payment_id: null,
    pf_payment_id: null,
    amount_gross: null,
    refund_id: null,
    detail: {},
    raised_at: '2026-11-21T08:00:00Z',
    ...change,
  }
}
