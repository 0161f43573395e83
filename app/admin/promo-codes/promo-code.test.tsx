import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { PromoRevenue, PromoStatus } from './promo-cells.tsx'
import { discountText, isExpired, usageText, type PromoCode } from './promo-code.ts'

const PROMO: PromoCode = {
  id: '1',
  code: 'SAVE50',
  discount_type: 'fixed',
  discount_value: 50,
  min_order_amount: 0,
  usage_limit: null,
  per_customer_limit: null,
  first_order_only: false,
  free_shipping: false,
  starts_at: null,
  expires_at: null,
  is_active: true,
  created_at: '2026-11-01T08:00:00Z',
  updated_at: '2026-11-01T08:00:00Z',
  times_used: 3,
  paid_orders: 2,
  revenue: 1100,
  discounted: 100,
  state: 'live',
}
const PAST = '2020-01-01T00:00:00Z'

const textsOf = (element: React.ReactElement) =>
  renderToStaticMarkup(element)
    .split(/<[^>]*>/)
    .filter(Boolean)
const status = (change: Partial<PromoCode>) => textsOf(<PromoStatus promo={{ ...PROMO, ...change }} />)

it('shows the discount of a promo code as a percentage or in rand', () => {
  expect(discountText(PROMO)).toBe('R50.00')
  expect(discountText({ ...PROMO, discount_type: 'percentage', discount_value: 7.5 })).toBe('7.5%')
})

it('shows how often a promo code was used and how often it may be', () => {
  expect(usageText(PROMO)).toBe('3 / Unlimited')
  expect(usageText({ ...PROMO, usage_limit: 20 })).toBe('3 / 20')
})

it('treats a promo code as expired after its end, and without an end never', () => {
  const end = { expires_at: '2026-11-21T08:00:00Z' }

  expect(isExpired(end, new Date('2026-11-21T07:59:59Z'))).toBe(false)
  expect(isExpired(end, new Date('2026-11-21T08:00:01Z'))).toBe(true)
  expect(isExpired(PROMO)).toBe(false)
})

it('does not show a promo code as active when it is turned off or expired', () => {
  expect(status({})).toEqual(['Active'])
  expect(status({ is_active: false, state: 'switched_off' })).toEqual(['Inactive', 'Turned off'])
  expect(status({ expires_at: PAST, state: 'expired' })).toEqual(['Inactive', 'Expired'])
  expect(status({ state: 'used_up' })).toEqual(['Active', 'Used up'])
})

it('shows when a scheduled promo code starts', () => {
  expect(status({ state: 'scheduled', starts_at: '2026-12-01T08:00:00Z' }).join('')).toBe(
    'ActiveScheduled from 01 Dec 2026',
  )
})

it('shows the net revenue of a promo code’s paid orders and the discount given', () => {
  expect(
    textsOf(<PromoRevenue promo={PROMO} />)
      .join(' ')
      .replaceAll('\u00a0', ' '),
  ).toBe('R1 100.00 2 paid, R100.00 off')
  expect(textsOf(<PromoRevenue promo={{ ...PROMO, paid_orders: 0, revenue: 0 }} />)).toEqual(['Nothing yet'])
})
