import { expect, it } from 'vitest'
import { balanceName, balanceText } from './balance-text.ts'
import type { Balance } from './payment-record-query.ts'
import { amountProblem } from './refund-dialog.tsx'
import { requestedWay, wayText } from './refund-way.ts'
import { returnedItems } from './return-fields.tsx'
import { priceOfReturns, returnedPriceText } from './returned-price.tsx'

it('does not ask PayFast for a refund that staff have paid back by hand', () => {
  expect(requestedWay({ refund_way: 'payfast' }, { isByHand: true })).toBe('by_hand')
})

it('asks PayFast for a refund that staff have not paid back', () => {
  expect(requestedWay({ refund_way: 'payfast' }, { isByHand: false })).toBeUndefined()
})

it('tells staff to pay a refund themselves only when PayFast is not asked to', () => {
  expect(wayText('R50.00', { isByHand: true, isMailed: true })).toContain('Pay it back yourself')
  expect(wayText('R50.00', { isByHand: false, isMailed: true })).toContain(
    'This asks PayFast to refund R50.00',
  )
})

it.each([true, false])(
  'promises an e-mail about a refund (by hand: %s) only if someone gets it',
  (isByHand) => {
    expect(wayText('R50.00', { isByHand, isMailed: true })).toMatch(/e-mails the customer|gets an e-mail/)
    expect(wayText('R50.00', { isByHand, isMailed: false })).toContain('No e-mail is sent.')
  },
)

it('accepts a refund up to what can still be refunded, and refuses one cent more', () => {
  expect(amountProblem(1, 500_00)).toBeNull()
  expect(amountProblem(500_00, 500_00)).toBeNull()
  expect(amountProblem(500_01, 500_00)).toBe('At most R500.00 can still be refunded')
})

it('refuses a refund of nothing or of a text that is no amount', () => {
  expect(amountProblem(0, 500_00)).toBe('Please enter an amount in rand, for example 120.50')
})

it('puts back in stock only the lines with a chosen quantity', () => {
  expect(returnedItems({ first: 2, second: 0 })).toEqual([{ order_item_id: 'first', quantity: 2 }])
})

const ITEMS = [
  { order_item_id: 'lure', price: 600, paid_price: 570 },
  { order_item_id: 'third', price: 100, paid_price: 66.666667 },
]

it('proposes what the customer paid for the chosen lures after the discount, rounded once', () => {
  expect(returnedPriceText(priceOfReturns(ITEMS, { lure: 1 }))).toBe(
    'These cost R570.00 after the discount. Shipping is not included.',
  )
  expect(priceOfReturns(ITEMS, { lure: 2, third: 3 }).paidCents).toBe(1340_00)
  expect(priceOfReturns(ITEMS, {}).paidCents).toBe(0)
})

it('names no discount for lures that were sold at their price', () => {
  const items = [{ order_item_id: 'lure', price: 600, paid_price: 600 }]

  expect(returnedPriceText(priceOfReturns(items, { lure: 1 }))).toBe(
    'These cost R600.00. Shipping is not included.',
  )
})

const BALANCE: Balance = {
  payment_id: 'p',
  order_id: 'o',
  way: 'payfast',
  pf_payment_id: '1089250',
  reference: null,
  received_at: '2026-11-22T12:05:00Z',
  amount_gross: 600,
  given_back: 0,
  on_its_way: 0,
  refundable: 600,
  refund_way: 'payfast',
  pays_order: true,
  received_on: null,
  outcome: 'paid',
}

it('names a payment by its method, its number or bank reference, and its time', () => {
  expect(balanceName(BALANCE)).toBe('PayFast payment 1089250 of 22 Nov, 14:05')
  expect(balanceName({ ...BALANCE, way: 'eft', pf_payment_id: null, reference: 'Mokoena 42' })).toBe(
    'EFT Mokoena 42 of 22 Nov, 14:05',
  )
  expect(balanceName({ ...BALANCE, way: 'cash', pf_payment_id: null })).toBe('Cash of 22 Nov, 14:05')
})

it('states what a payment received, what was refunded, and what PayFast has not paid back yet', () => {
  expect(balanceText(BALANCE)).toBe('R600.00 received, nothing refunded.')
  expect(balanceText({ ...BALANCE, given_back: 100, on_its_way: 50 })).toBe(
    'R600.00 received, R100.00 refunded, refund of R50.00 pending.',
  )
})
