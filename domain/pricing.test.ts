import { expect, it } from 'vitest'
import { effectiveDiscountCents, freeShippingProgress, priceCart, type Promo } from './pricing.ts'

const fivePercent: Promo = {
  code: '5OFFFIRST',
  discount: { type: 'percentage', percent: 5 },
  minOrderCents: 1500_00,
  grantsFreeShipping: false,
}

// covers S9.2
it('charges R100 shipping up to R1499.99 and nothing from R1500.00', () => {
  expect(priceCart(1499_99).shippingCents).toBe(100_00)
  expect(priceCart(1500_00).shippingCents).toBe(0)
})

// covers S20
it('returns the amount that is missing for free shipping', () => {
  expect(freeShippingProgress(1499_99)).toMatchObject({ leftCents: 1, isReached: false })
  expect(freeShippingProgress(1500_00)).toMatchObject({ leftCents: 0, isReached: true, part: 1 })
})

it('shows half of the free-shipping progress at half of the limit, and never more than all of it', () => {
  expect(freeShippingProgress(750_00).part).toBe(0.5)
  expect(freeShippingProgress(3000_00)).toEqual({ leftCents: 0, isReached: true, part: 1 })
})

it('keeps shipping free when the discount takes the order below the limit', () => {
  expect(priceCart(1500_00, { promo: fivePercent })).toEqual({
    subtotalCents: 1500_00,
    shippingCents: 0,
    discountCents: 75_00,
    totalCents: 1425_00,
  })
})

it('ignores a promo code below the minimum order', () => {
  expect(priceCart(1499_99, { promo: fivePercent }).discountCents).toBe(0)
})

it('rounds half a cent of a percentage discount up', () => {
  const promo: Promo = { ...fivePercent, discount: { type: 'percentage', percent: 12.5 }, minOrderCents: 0 }

  expect(priceCart(1_00, { promo }).discountCents).toBe(13)
  expect(priceCart(4, { promo }).discountCents).toBe(1)
})

// covers S9.4
it('applies a fixed discount to shipping too, down to a total of zero', () => {
  const promo: Promo = { ...fivePercent, discount: { type: 'fixed', cents: 150_00 }, minOrderCents: 0 }

  expect(priceCart(110_00, { promo }).totalCents).toBe(60_00)
  expect(priceCart(40_00, { promo }).totalCents).toBe(0)
})

it('limits the shown discount so that all amounts add up to the total', () => {
  const promo: Promo = { ...fivePercent, discount: { type: 'fixed', cents: 99_999_00 }, minOrderCents: 0 }

  expect(effectiveDiscountCents(priceCart(1640_00, { promo }))).toBe(1640_00)
  expect(effectiveDiscountCents(priceCart(40_00, { promo }))).toBe(140_00)
  expect(effectiveDiscountCents(priceCart(2000_00, { promo: fivePercent }))).toBe(100_00)
})

// covers S9.2
it('grants free shipping with a promo code', () => {
  const promo: Promo = { ...fivePercent, minOrderCents: 0, grantsFreeShipping: true }

  expect(priceCart(110_00, { promo }).shippingCents).toBe(0)
})
