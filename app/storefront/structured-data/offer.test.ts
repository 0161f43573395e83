import { expect, it } from 'vitest'
import type { Product, Variant } from '#domain/catalogue.ts'
import { offerOf } from './offer.ts'

const variant: Variant = {
  id: 'v1',
  slug: 'red-head',
  name: 'Redhead 150mm',
  sku: null,
  picture: null,
  available: 0,
}

const popper: Product = {
  id: 'p1',
  slug: 'chisel-nose-popper-150',
  name: 'Chisel Nose Popper 150mm/30G',
  description: '',
  category: 'Poppers',
  priceCents: 110_00,
  priceWithHooksCents: 142_00,
  picture: { url: '/main.jpg', alt: 'main' },
  morePictures: [],
  variants: [variant],
  lengthMm: 150,
  weightGrams: 30,
  hookSize: '3/0 treble',
  standardSpecs: [],
  specs: [],
  isMadeToOrder: false,
  launchAt: null,
  showsStock: false,
}

function availabilityOf(change: Partial<Product> & Partial<Pick<Variant, 'available'>>) {
  const { available = 0, ...product } = change
  const terms = { flatCents: 100_00, freeFromCents: 1500_00, offersLocker: true }
  const input = { product: { ...popper, ...product }, variant: { ...variant, available }, terms }
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
