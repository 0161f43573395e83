import { describe, expect, it } from 'vitest'
import { renderText } from '#test/render-page.tsx'
import { aStaffOrder } from '#test/staff-order.ts'
import type { Refund } from './payment-record-query.ts'
import { Refunds } from './refunds.tsx'

const ORDER = aStaffOrder()

/** What the order's page says about a refund that PayFast carried out, with other values in some columns. */
function textOf(change: Partial<Refund>): string {
  const refund: Refund = {
    id: 'r',
    payment_id: 'p',
    order_id: ORDER.id,
    amount: 100,
    reason: 'Bent hook',
    restocked: false,
    way: 'payfast',
    paid_by_hand: false,
    recorded_by: 'a',
    created_at: '2026-11-22T12:05:00Z',
    state: 'done',
    state_since: '2026-11-22T12:05:00Z',
    detail: { words: 'Refund done' },
    counts: true,
    ...change,
  }
  return renderText(
    <Refunds
      record={{ attempts: [], notices: [], balances: [], withdrawals: [], refunds: [refund] }}
      order={ORDER}
    />,
  )
}

describe('a refund on the page of its order', () => {
  it('calls a refund that PayFast refused and an admin paid by EFT refunded by hand, with the admin’s note', () => {
    const text = textOf({ paid_by_hand: true, detail: { note: 'By EFT, FNB 4711' } })

    expect(text).toContain('Refunded by hand')
    expect(text).toContain('Recorded by staff: By EFT, FNB 4711')
    expect(text).not.toContain('PayFast')
  })

  it('offers to withdraw a refund that an admin recorded as paid, and none that PayFast says it paid', () => {
    expect(textOf({ detail: { note: 'On the dashboard' } })).toContain('Withdraw refund')
    expect(textOf({ way: 'by_hand', paid_by_hand: true, detail: {} })).toContain('Withdraw refund')
    expect(textOf({})).not.toContain('Withdraw refund')
  })

  it('calls a withdrawn outcome recorded by mistake, and a withdrawn refusal failed', () => {
    const withdrawn = { state: 'withdrawn', counts: false } as const

    expect(textOf({ ...withdrawn, detail: { note: 'Another order', was: 'done' } })).toContain(
      'Recorded by mistake and withdrawn',
    )
    expect(textOf({ ...withdrawn, detail: { note: 'Another order', was: 'failed' } })).toContain(
      'Failed and withdrawn',
    )
  })
})
