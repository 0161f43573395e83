import { expect, it } from 'vitest'
import type { Product, Variant } from '#domain/catalogue.ts'
import { shop } from '#shop'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { offerOf } from './offer.ts'

type Change = Partial<Product> & Partial<Pick<Variant, 'available'>>

function offerFor({ available = 0, ...product }: Change) {
  const terms = { flatCents: 100_00, freeFromCents: 1500_00, offersLocker: true }
  const input = { product: { ...POPPER, ...product }, variant: { ...REDHEAD, available }, terms }
  return offerOf(input, { urlOf: (path) => `https://shop.example${path}`, path: '/' })
}

const availabilityOf = (change: Change) => offerFor(change).availability
const rateOf = (priceCents: number) =>
  offerFor({ priceCents, priceWithHooksCents: null }).shippingDetails.shippingRate.value
const daysOf = (change: Change) => offerFor(change).shippingDetails.deliveryTime.handlingTime

it('tells search engines which lures can be bought, made or not ordered', () => {
  expect(availabilityOf({ available: 6 })).toBe('https://schema.org/InStock')
  expect(availabilityOf({ isMadeToOrder: true })).toBe('https://schema.org/BackOrder')
  expect(availabilityOf({})).toBe('https://schema.org/OutOfStock')
  expect(availabilityOf({ available: 6, launchAt: '2030-01-01T08:00:00Z' })).toBe(
    'https://schema.org/OutOfStock',
  )
})

it('tells search engines the lowest price of a lure, as its page does', () => {
  expect(offerFor({ priceCents: 110_00, priceWithHooksCents: 100_00 }).price).toBe('100.00')
  expect(offerFor({ priceCents: 110_00, priceWithHooksCents: 142_00 }).price).toBe('110.00')
})

it('tells search engines that a lure ships free from the subtotal on that the settings name', () => {
  expect([rateOf(1499_99), rateOf(1500_00)]).toEqual([100, 0])
})

it('tells search engines how many days a lure takes that must be made first', () => {
  const { processingDays, makingDays } = shop.shipping

  expect(daysOf({ isMadeToOrder: true })).toMatchObject({
    minValue: processingDays[0] + makingDays[0],
    maxValue: processingDays[1] + makingDays[1],
  })
  expect(daysOf({ isMadeToOrder: true, available: 1 })).toMatchObject({ maxValue: processingDays[1] })
})

it('tells search engines from when an announced lure can be ordered', () => {
  const launchAt = '2030-01-01T08:00:00Z'

  expect(offerFor({ launchAt }).availabilityStarts).toBe(launchAt)
})
