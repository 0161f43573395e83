import { centsFromRand, formatTotal } from '#domain/money.ts'
import { isShort, missingRand, type PaymentIssue } from './payment-issue.ts'

interface Fact {
  label: string
  value: string
}

export function issueFacts(issue: PaymentIssue): Fact[] {
  const { amount_gross, pf_payment_id, refund_id, detail } = issue
  const facts: (Fact | null)[] = [
    amount('Refund', refund_id === null ? null : detail.amount),
    amount('Received', amount_gross ?? detail.amount_gross),
    amount('Asked for', detail.amount_asked),
    amount('Order total', detail.order_total),
    amount('Missing', isShort(issue) ? missingRand(issue) : null),
    amount('In PayFast’s history', amount_gross === null && refund_id === null ? detail.amount : null),
    amount('We recorded', detail.recorded),
    text('PayFast payment', pf_payment_id ?? detail.pf_payment_id),
    text('PayFast said', detail.words),
  ]
  return facts.filter((fact) => fact !== null)
}

function amount(label: string, value: unknown): Fact | null {
  return typeof value === 'number' ? { label, value: formatTotal(centsFromRand(value)) } : null
}

function text(label: string, value: unknown): Fact | null {
  return typeof value === 'string' && value !== '' ? { label, value } : null
}
