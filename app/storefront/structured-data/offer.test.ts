import { expect, it } from 'vitest'
import type { Product, Variant } from '#domain/catalogue.ts'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import { offerOf } from './offer.ts'

function availabilityOf(change: Partial<Product> & Partial<Pick<Variant, 'available'>>) {
  const { available = 0, ...product } = change
  const terms = { flatCents: 100_00, freeFromCents: 1500_00, offersLocker: true }
  const input = { product: { ...POPPER, ...product }, variant: { ...REDHEAD, available }, terms }
  return offerOf(input, { urlOf: (path) => `https://shop.example${path}`, path: '/' }).availability
}

it('tells search engines which lures can be bought, made or not ordered', () => {
  expect(availabilityOf({ available: 6 })).toBe('https://schema.org/InStock')
  expect(availabilityOf({ isMadeToOrder: true })).toBe('https://schema.org/BackOrder')
  expect(availabilityOf({})).toBe('https://schema.org/OutOfStock')
  expect(availabilityOf({ available: 6, launchAt: '2030-01-01T08:00:00Z' })).toBe(
    'https://schema.org/OutOfStock',
  )
})
