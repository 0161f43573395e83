import { expect, it, onTestFinished, vi } from 'vitest'
import { shop } from '#shop'
import { dateErrorOf, draftOf, duplicateOf, NEW_PROMO, rulesOf, welcomeWarning } from './promo-form.ts'

// covers A5.3 A9.3
it('stores promo codes in upper case and blank limits as unlimited', () => {
  const rules = rulesOf({ ...NEW_PROMO, code: ' spring-10 ', discount_value: '10' })

  expect(rules).toEqual({
    code: 'SPRING-10',
    discount_type: 'percentage',
    discount_value: 10,
    min_order_amount: 0,
    usage_limit: null,
    per_customer_limit: null,
    first_order_only: false,
    starts_at: null,
    expires_at: null,
    is_active: true,
    free_shipping: false,
  })
})

it('converts a stored promo code to form values and back without changes', () => {
  const stored = {
    code: 'SAVE50',
    discount_type: 'fixed' as const,
    discount_value: 50.5,
    min_order_amount: 1500,
    usage_limit: 20,
    per_customer_limit: 2,
    first_order_only: true,
    starts_at: '2026-12-01T06:30:00+00:00',
    expires_at: '2026-12-24T22:00:00+00:00',
    is_active: false,
    free_shipping: true,
  }

  expect(rulesOf(draftOf(stored))).toEqual(stored)
})

it('takes the dates of a promo code as South African time on a device in any zone', () => {
  vi.stubEnv('TZ', 'Asia/Dubai')
  onTestFinished(() => void vi.unstubAllEnvs())
  const stored = rulesOf({ ...NEW_PROMO, expires_at: '2026-12-31T23:59' })

  expect(stored.expires_at).toBe('2026-12-31T21:59:00+00:00')
  expect(draftOf(stored).expires_at).toBe('2026-12-31T23:59')
})

it('does not throw while a year of five digits is typed into the date of a promo code', () => {
  expect(rulesOf({ ...NEW_PROMO, expires_at: '20271-12-31T23:59' }).expires_at).toBeNull()
})

it('duplicates a promo code with another name and without past dates', () => {
  const now = new Date('2026-11-18T08:00:00Z')
  const stored = rulesOf({ ...NEW_PROMO, code: 'SAVE50', discount_value: '50', usage_limit: '5' })
  const over = { ...stored, starts_at: '2026-01-01T00:00:00+00:00', expires_at: '2026-02-01T00:00:00+00:00' }
  const coming = { ...stored, expires_at: '2027-02-01T00:00:00+00:00' }

  expect(rulesOf(duplicateOf(over, now))).toEqual({ ...stored, code: 'SAVE50-COPY' })
  expect(rulesOf(duplicateOf(coming, now))).toEqual({ ...coming, code: 'SAVE50-COPY' })
  expect(duplicateOf({ ...stored, code: 'A'.repeat(40) }, now).code).toHaveLength(40)
})

it('reports a promo code that would expire before it starts', () => {
  const rules = rulesOf({ ...NEW_PROMO, starts_at: '2026-12-01T08:00', expires_at: '2026-12-01T08:00' })

  expect(dateErrorOf(rules)).toBe('The code would expire before it starts.')
  expect(dateErrorOf({ ...rules, expires_at: null })).toBeNull()
})

it('warns about the code that the popup and the welcome e-mail promise, and about no other one', () => {
  expect(welcomeWarning(shop.welcomeCode)).toContain(
    `promise 5OFFFIRST: ${shop.welcomeOffer.percent}% off a first order of R${shop.welcomeOffer.fromRand} or more.`,
  )
  expect(welcomeWarning('SPRING-10')).toBeNull()
})
