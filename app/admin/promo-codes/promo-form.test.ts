import { expect, it } from 'vitest'
import { draftOf, NEW_PROMO, rulesOf } from './promo-form.ts'

it('stores codes in upper case and reads blank limits as none', () => {
  const rules = rulesOf({ ...NEW_PROMO, code: ' spring-10 ', discount_value: '10' })

  expect(rules).toEqual({
    code: 'SPRING-10',
    discount_type: 'percentage',
    discount_value: 10,
    min_order_amount: 0,
    usage_limit: null,
    expires_at: null,
    is_active: true,
    free_shipping: false,
  })
})

it('shows a stored code so that saving it unchanged changes nothing', () => {
  const stored = {
    code: 'SAVE50',
    discount_type: 'fixed' as const,
    discount_value: 50.5,
    min_order_amount: 1500,
    usage_limit: 20,
    expires_at: '2026-12-24T22:00:00.000Z',
    is_active: false,
    free_shipping: true,
  }

  expect(rulesOf(draftOf(stored))).toEqual(stored)
})
