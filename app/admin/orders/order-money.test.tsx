import { QueryClient } from '@tanstack/react-query'
import type { ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { StaffOrderRow } from '#domain/order.ts'
import { renderHtml } from '#test/render-page.tsx'
import { aStaffOrder } from '#test/staff-order.ts'
import { PaymentBadges } from './order-badges.tsx'
import { OrderDetails, OrderTotals } from './order-details.tsx'
import {
  netCents,
  NO_ORDER_MONEY,
  refundedCents,
  waivedCents,
  type BalanceSum,
  type OrderMoney,
} from './order-money.ts'

/** The labels of an order's payment badges. The order costs R600. */
function badges(change: Partial<StaffOrderRow>, money: Partial<OrderMoney> = {}): string[] {
  return textsOf(<PaymentBadges order={aStaffOrder(change)} money={{ ...NO_ORDER_MONEY, ...money }} />)
}

function textsOf(element: ReactElement): string[] {
  return renderToStaticMarkup(element)
    .split(/<[^>]*>/)
    .filter(Boolean)
}

it('shows an order as refunded only when the shop keeps nothing of its price', () => {
  expect(badges({}, { refundedCents: 100_00, netCents: 500_00 })).toEqual(['Paid', 'R100.00 refunded'])
  expect(badges({}, { refundedCents: 600_00 })).toEqual(['Refunded'])
})

it('shows an order as refunded when all of its accepted short payment went back', () => {
  expect(badges({}, moneyOf(balance({ amount_gross: 580, given_back: 580 })))).toEqual(['Refunded'])
})

it('shows what is still to be refunded of a cancelled order, not what was due at first', () => {
  const task = { id: 't', order_id: '1', amount: 600, outstanding: 150, opened_at: '', is_open: true }

  expect(
    badges({ status: 'cancelled', refund_tasks: [task] }, { refundedCents: 450_00, netCents: 150_00 }),
  ).toEqual(['R150.00 to refund', 'R450.00 refunded'])
})

const balance = (change: Partial<BalanceSum>): BalanceSum => ({
  amount_gross: 600,
  given_back: 0,
  pays_order: true,
  ...change,
})
const PRICE = { totalCents: 600_00 }
const refunded = (...balances: BalanceSum[]) => refundedCents(PRICE, balances) / 100

function moneyOf(...balances: BalanceSum[]): OrderMoney {
  return {
    refundedCents: refundedCents(PRICE, balances),
    netCents: netCents(PRICE, balances),
    waivedCents: waivedCents(PRICE, balances),
    issues: [],
  }
}

describe('what refunds took off an order of R600', () => {
  it('is nothing while the shop still holds its whole price after a double payment, whichever payment went back', () => {
    const duplicate = { pays_order: false }

    expect(refunded(balance({ given_back: 600 }), balance(duplicate))).toBe(0)
    expect(refunded(balance({}), balance({ ...duplicate, given_back: 600 }))).toBe(0)
    expect(refunded(balance({ given_back: 600 }), balance({ ...duplicate, given_back: 40 }))).toBe(40)
    expect(refunded(balance({ given_back: 600 }), balance({ ...duplicate, given_back: 600 }))).toBe(600)
  })

  it('is all that went back of a short payment that was accepted', () => {
    expect(refunded(balance({ amount_gross: 580, given_back: 100 }))).toBe(100)
  })

  it('is nothing when no payment pays the order', () => {
    expect(refunded()).toBe(0)
    expect(refunded(balance({ amount_gross: 580, given_back: 580, pays_order: false }))).toBe(0)
  })
})

it('marks an order with an open payment issue', () => {
  expect(badges({}, { issues: ['Paid twice'] })).toEqual(['Needs attention', 'Paid'])
})

it('does not show a free or an unpaid order as paid', () => {
  expect(badges({ total_amount: 0 })).toEqual(['Nothing to pay'])
  expect(badges({ paid_at: null, status: 'cancelled' })).toEqual(['Not paid'])
})

const sums = (...balances: BalanceSum[]) =>
  textsOf(<OrderTotals order={aStaffOrder()} money={moneyOf(...balances)} />)

it('ends the sums of an order with what the shop keeps after its refunds', () => {
  expect(sums(balance({})).slice(-2)).toEqual(['Total Amount', 'R600.00'])
  expect(sums(balance({ given_back: 50 })).slice(-6)).toEqual([
    'Total Amount',
    'R600.00',
    'Refunded',
    '−R50.00',
    'Net of refunds',
    'R550.00',
  ])
  expect(
    sums(balance({ given_back: 600 }), balance({ given_back: 40, pays_order: false })).slice(-4),
  ).toEqual(['Refunded', '−R40.00', 'Net of refunds', 'R560.00'])
})

it('shows what was waived of a short payment without any refund, and nothing of an unpaid order', () => {
  expect(sums(balance({ amount_gross: 580 })).slice(-4)).toEqual([
    'Total Amount',
    'R600.00',
    'Waived',
    '−R20.00',
  ])
  expect(sums(balance({ amount_gross: 580, pays_order: false })).slice(-2)).toEqual([
    'Total Amount',
    'R600.00',
  ])
})

it('counts what was waived of a short payment neither as refunded nor as kept', () => {
  expect(sums(balance({ amount_gross: 580, given_back: 100 })).slice(-6)).toEqual([
    'Waived',
    '−R20.00',
    'Refunded',
    '−R100.00',
    'Net of refunds',
    'R480.00',
  ])
})

it('reads the money and the payments of an open order again and again, because no change of the order announces a second payment', () => {
  const queries = new QueryClient()
  renderHtml(<OrderDetails order={aStaffOrder({})} onDeleted={() => undefined} />, { queries })
  const refetched = queries
    .getQueryCache()
    .findAll({ queryKey: ['order-money'] })
    .map(({ queryKey, options }) => [queryKey[1], 'refetchInterval' in options && options.refetchInterval])

  expect(Object.fromEntries(refetched)).toMatchObject({ 'of-list': 30_000, record: 30_000 })
})
