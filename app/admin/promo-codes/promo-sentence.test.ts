import { expect, it } from 'vitest'
import { NEW_PROMO, rulesOf } from './promo-form.ts'
import { promoSentence } from './promo-sentence.ts'

/** A Wednesday in South Africa. */
const NOW = new Date('2026-11-18T08:00:00+02:00')
const FIVE_PERCENT = { ...rulesOf({ ...NEW_PROMO, code: 'FIVE', discount_value: '5' }) }

// covers A26
it.each([
  ['5% off any order', {}],
  [
    '5% off orders of R1500 or more, once per person, until Sunday',
    { min_order_amount: 1500, per_customer_limit: 1, expires_at: '2026-11-22T23:59:00+02:00' },
  ],
  ['R50 off a first order', { discount_type: 'fixed' as const, discount_value: 50, first_order_only: true }],
  [
    'R12.50 off a first order of R99.99 or more',
    {
      discount_type: 'fixed' as const,
      discount_value: 12.5,
      first_order_only: true,
      min_order_amount: 99.99,
    },
  ],
  [
    'Free shipping on orders of R500 or more',
    { discount_value: 0, free_shipping: true, min_order_amount: 500 },
  ],
  ['5% off and free shipping on any order', { free_shipping: true }],
  ['5% off any order, twice per person, for 20 orders in all', { per_customer_limit: 2, usage_limit: 20 }],
  ['5% off any order, 3 times per person, for one order in all', { per_customer_limit: 3, usage_limit: 1 }],
])('summarises a promo code as "%s"', (sentence, rules) => {
  expect(promoSentence({ ...FIVE_PERCENT, ...rules }, NOW)).toBe(sentence)
})

it.each([
  ['until today 18:00', '2026-11-18T18:00:00+02:00'],
  ['until tomorrow', '2026-11-19T23:59:00+02:00'],
  ['until Sunday', '2026-11-23T00:00:00+02:00'],
  ['until 25 November', '2026-11-25T23:59:00+02:00'],
  ['until 3 January 2027 09:30', '2027-01-03T09:30:00+02:00'],
  ['ended yesterday 18:00', '2026-11-17T18:00:00+02:00'],
  ['ended 3 May', '2026-05-04T00:00:00+02:00'],
])('describes the end of a promo code as "%s"', (ending, expires_at) => {
  expect(promoSentence({ ...FIVE_PERCENT, expires_at }, NOW)).toBe(`5% off any order, ${ending}`)
})

it('mentions the start of a promo code only while it is in the future', () => {
  const started = { ...FIVE_PERCENT, starts_at: '2026-11-17T00:00:00+02:00' }
  const coming = { ...FIVE_PERCENT, starts_at: '2026-11-20T00:00:00+02:00' }

  expect(promoSentence(started, NOW)).toBe('5% off any order')
  expect(promoSentence(coming, NOW)).toBe('5% off any order, from Friday')
})

it('mentions that a promo code is turned off', () => {
  expect(promoSentence({ ...FIVE_PERCENT, is_active: false }, NOW)).toBe('5% off any order; turned off')
})
