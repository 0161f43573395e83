import { expect, it } from 'vitest'
import type { Concern } from './concern.ts'
import { concernFacts } from './concern-facts.ts'
import { concernWords } from './concern-words.ts'

it('sets what came beside what was asked for', () => {
  const detail = { amount_gross: 599, amount_asked: 600, order_total: 600, pf_payment_id: '1000001' }

  expect(
    concernFacts(concern({ payment_id: '1', amount_gross: 599, pf_payment_id: '1000001', detail })),
  ).toEqual([
    { label: 'Received', value: 'R599.00' },
    { label: 'Asked for', value: 'R600.00' },
    { label: 'Order total', value: 'R600.00' },
    { label: 'Missing', value: 'R1.00' },
    { label: 'PayFast payment', value: '1000001' },
  ])
})

it('shows the history beside what was recorded', () => {
  const detail = { amount: 240, recorded: null, pf_payment_id: '7' }

  expect(concernFacts(concern({ kind: 'missed_notice', detail }))).toEqual([
    { label: 'In PayFast’s history', value: 'R240.00' },
    { label: 'PayFast payment', value: '7' },
  ])
})

it('calls a payment that is a rand short paid too little, and one that is a rand over the wrong amount', () => {
  expect(titleOfPayment(599)).toBe('Paid too little')
  expect(titleOfPayment(601)).toBe('Not the right amount')
})

/** Of an order of R600. */
function titleOfPayment(amount_gross: number): string {
  return concernWords(concern({ payment_id: '1', amount_gross, detail: { order_total: 600 } })).title
}

function concern(part: Partial<Concern>): Concern {
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
    ...part,
  }
}
