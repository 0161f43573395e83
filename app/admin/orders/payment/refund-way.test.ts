import { expect, it } from 'vitest'
import { requestedWay } from './refund-way.ts'

it('does not ask PayFast for a refund that staff have paid back by hand', () => {
  expect(requestedWay({ refund_way: 'payfast' }, { isByHand: true })).toBe('by_hand')
})

it('asks PayFast for a refund that staff have not paid back', () => {
  expect(requestedWay({ refund_way: 'payfast' }, { isByHand: false })).toBeUndefined()
})
