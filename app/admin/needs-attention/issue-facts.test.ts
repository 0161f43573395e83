import { expect, it } from 'vitest'
import { isShort, missingRand, type PaymentIssue } from './payment-issue.ts'
import { issueFacts } from './issue-facts.ts'
import { issueText } from './issue-text.ts'

it('shows the received and the expected amount of a payment issue', () => {
  const detail = { amount_gross: 599, amount_asked: 600, order_total: 600, pf_payment_id: '1000001' }

  expect(issueFacts(issue({ payment_id: '1', amount_gross: 599, pf_payment_id: '1000001', detail }))).toEqual(
    [
      { label: 'Received', value: 'R599.00' },
      { label: 'Asked for', value: 'R600.00' },
      { label: 'Order total', value: 'R600.00' },
      { label: 'Missing', value: 'R1.00' },
      { label: 'PayFast payment', value: '1000001' },
    ],
  )
})

it('shows the amount in PayFast’s history when the shop has recorded no payment', () => {
  const detail = { amount: 240, recorded: null, pf_payment_id: '7' }

  expect(issueFacts(issue({ kind: 'missed_notice', detail }))).toEqual([
    { label: 'In PayFast’s history', value: 'R240.00' },
    { label: 'PayFast payment', value: '7' },
  ])
})

it('distinguishes a short payment from an overpayment', () => {
  expect(titleOfPayment(599)).toBe('Paid too little')
  expect(titleOfPayment(601)).toBe('Wrong amount')
})

it('offers no acceptance of a short payment that was never received or that is no wrong amount', () => {
  const short = { amount_gross: 599, detail: { order_total: 600 } }

  expect(isShort(issue({ ...short, payment_id: '1' }))).toBe(true)
  expect(isShort(issue({ ...short, payment_id: null }))).toBe(false)
  expect(isShort(issue({ ...short, payment_id: '1', kind: 'paid_twice' }))).toBe(false)
  expect(isShort(issue({ payment_id: '1', amount_gross: 600, detail: { order_total: 600 } }))).toBe(false)
})

it('computes what a payment lacks without rounding errors', () => {
  expect(missingRand(issue({ amount_gross: 0.1, detail: { order_total: 0.3 } }))).toBe(0.2)
})

/** The order costs R600. */
function titleOfPayment(amount_gross: number): string {
  return issueText(issue({ payment_id: '1', amount_gross, detail: { order_total: 600 } })).title
}

function issue(details: Partial<PaymentIssue>): PaymentIssue {
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
    ...details,
  }
}
