import type { Tables } from '#database'
import { centsFromRand } from '#domain/money.ts'
import type { OrderView } from '#domain/order.ts'
import { dateText } from '#app/ui/local-date.tsx'

/** Amounts in rand. */
export interface InvoicePayment extends Pick<
  Tables<'payments'>,
  'order_id' | 'way' | 'amount_gross' | 'created_at' | 'received_on'
> {
  /** An admin's acceptance of a short payment, with the waived rand; null if the payment needed none. */
  payment_acceptances: Pick<Tables<'payment_acceptances'>, 'shortfall'> | null
}

/** Amount in rand. */
export type InvoiceRefund = Pick<Tables<'refunds'>, 'order_id' | 'amount' | 'state_since'>

type InvoicedOrder = Pick<OrderView, 'totalCents' | 'discountCents' | 'promoCode' | 'paidAt' | 'status'>

export interface MoneyLine {
  label: string
  cents: number
  isTotal?: boolean
}

const PAYMENT_LABELS: Record<string, string> = {
  payfast: 'Paid by PayFast',
  eft: 'Paid by EFT',
  cash: 'Paid in cash',
}

/** The lines below an invoice's total: payments, what was waived of them, the amount due, refunds, any overpayment, and the net total. */
export function moneyLines(
  order: InvoicedOrder,
  { payments, refunds }: { payments: readonly InvoicePayment[]; refunds: readonly InvoiceRefund[] },
): MoneyLine[] {
  const total = order.totalCents
  const isClosed = order.paidAt !== null || order.status === 'cancelled'
  const refunded = refunds.reduce((sum, { amount }) => sum + centsFromRand(amount), 0)
  const received = payments.reduce((sum, { amount_gross }) => sum + centsFromRand(amount_gross), 0)
  const waived = payments.reduce((sum, payment) => sum + waivedCents(payment), 0)
  const hasNoLedgerPayment = order.paidAt !== null && payments.length === 0
  const net = (hasNoLedgerPayment ? total : received) - refunded
  // A cancelled order's whole payment is refunded, so nothing counts as overpaid.
  const overpaid = order.status === 'cancelled' ? 0 : net - total

  return [
    ...(total === 0 ? [freeLine(order)] : []),
    ...(hasNoLedgerPayment && total > 0 ? [{ label: 'Paid', cents: -total }] : []),
    ...payments.map((payment) => ({
      label: `${PAYMENT_LABELS[payment.way] ?? 'Paid'}, ${dateText(payment.received_on ?? payment.created_at)}`,
      cents: -centsFromRand(payment.amount_gross),
    })),
    ...(waived > 0 ? [{ label: 'Waived', cents: -waived }] : []),
    { label: 'To pay', cents: isClosed ? 0 : Math.max(0, total - net), isTotal: true },
    ...refunds.map(({ amount, state_since }) => ({
      label: `Refunded, ${dateText(state_since)}`,
      cents: centsFromRand(amount),
    })),
    ...(overpaid > 0 ? [{ label: 'Overpaid', cents: overpaid, isTotal: true }] : []),
    ...(refunded > 0
      ? [{ label: 'Net total', cents: Math.max(0, Math.min(total, net)), isTotal: true }]
      : []),
  ]
}

function waivedCents({ payment_acceptances: acceptance }: InvoicePayment): number {
  return acceptance === null ? 0 : centsFromRand(acceptance.shortfall)
}

function freeLine({ promoCode, discountCents }: InvoicedOrder): MoneyLine {
  if (discountCents === 0) return { label: 'Free of charge', cents: 0 }
  return {
    label: promoCode ? `Paid in full by promo code ${promoCode}` : 'Paid in full by discount',
    cents: 0,
  }
}
