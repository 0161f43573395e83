import { expect, it } from 'vitest'
import { aPaymentIssue } from '#test/payment-issue.ts'
import { isShort, missingRand } from './payment-issue.ts'
import { issueFacts } from './issue-facts.ts'
import { issueText } from './issue-text.ts'

it('shows the received and the expected amount of a payment issue', () => {
  const detail = { amount_gross: 599, amount_asked: 600, order_total: 600, pf_payment_id: '1000001' }

  expect(
    issueFacts(aPaymentIssue({ payment_id: '1', amount_gross: 599, pf_payment_id: '1000001', detail })),
  ).toEqual([
    { label: 'Received', value: 'R599.00' },
    { label: 'Asked for', value: 'R600.00' },
    { label: 'Order total', value: 'R600.00' },
    { label: 'Missing', value: 'R1.00' },
    { label: 'PayFast payment', value: '1000001' },
  ])
})

it('shows the amount in PayFast’s history when the shop has recorded no payment', () => {
  const detail = { amount: 240, recorded: null, pf_payment_id: '7' }

  expect(issueFacts(aPaymentIssue({ kind: 'missed_notice', detail }))).toEqual([
    { label: 'In PayFast’s history', value: 'R240.00' },
    { label: 'PayFast payment', value: '7' },
  ])
})

it('advises to record a payment whose notice is missing, unless it belongs to no order', () => {
  const missed = aPaymentIssue({ kind: 'missed_notice', order_id: '1' })

  expect(issueText(missed).advice).toContain('Record it here, not as EFT or cash')
  expect(issueText({ ...missed, order_id: null }).advice).toContain('belongs to no order of this shop')
})

it('shows first the amount of a refund that needs attention, not only that of its payment', () => {
  const refund = { kind: 'refund_failed', refund_id: '2', payment_id: '1', detail: { amount: 100 } } as const

  expect(issueFacts(aPaymentIssue({ ...refund, amount_gross: 500 }))).toEqual([
    { label: 'Refund', value: 'R100.00' },
    { label: 'Received', value: 'R500.00' },
  ])
  expect(issueFacts(aPaymentIssue(refund))).toEqual([{ label: 'Refund', value: 'R100.00' }])
})

it('distinguishes a short payment from an overpayment', () => {
  expect(titleOfPayment(599)).toBe('Paid too little')
  expect(titleOfPayment(601)).toBe('Wrong amount')
})

it('says that a customer paid too much, not twice, when only a part of a recorded payment was due', () => {
  const surplus = { kind: 'paid_twice', payment_id: '2', amount_gross: 30 } as const

  expect(issueText(aPaymentIssue({ ...surplus, detail: { received: 240 } })).title).toBe('Paid too much')
  expect(issueText(aPaymentIssue(surplus)).title).toBe('Paid twice')
})

it('advises to refund the second payment of an order, because only a refund of the first can return lures later', () => {
  const { advice } = issueText(aPaymentIssue({ kind: 'paid_twice', payment_id: '2' }))

  expect(advice).toContain('Refund this one;')
})

it('offers no acceptance of a short payment that was never received or that is no wrong amount', () => {
  const short = { amount_gross: 599, detail: { order_total: 600 } }

  expect(isShort(aPaymentIssue({ ...short, payment_id: '1' }))).toBe(true)
  expect(isShort(aPaymentIssue({ ...short, payment_id: null }))).toBe(false)
  expect(isShort(aPaymentIssue({ ...short, payment_id: '1', kind: 'paid_twice' }))).toBe(false)
  expect(isShort(aPaymentIssue({ payment_id: '1', amount_gross: 600, detail: { order_total: 600 } }))).toBe(
    false,
  )
})

it('computes what a payment lacks without rounding errors', () => {
  expect(missingRand(aPaymentIssue({ amount_gross: 0.1, detail: { order_total: 0.3 } }))).toBe(0.2)
})

/** The order costs R600. */
function titleOfPayment(amount_gross: number): string {
  return issueText(aPaymentIssue({ payment_id: '1', amount_gross, detail: { order_total: 600 } })).title
}
