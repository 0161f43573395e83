import { expect, it } from 'vitest'
import type { Product } from '#domain/catalogue.ts'
import { measuredLures, sizeOf } from './measured-lure.ts'

// covers S2.40
it.each([
  [100, 'shorter than Small'],
  [110, 'Small'],
  [150, 'between Medium and Large'],
  [180, 'between Medium and Large'],
  [400, 'Large'],
  [450, 'longer than Large'],
])('describes the size of a lure of %i mm as %s', (lengthMm, size) => {
  expect(sizeOf(lengthMm)).toBe(size)
})

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The function reads nothing else.
const lure = (category: string) => ({ slug: category, category, lengthMm: 150 }) as Product

// covers S2.40
it('draws each lure with the outline of the product category', () => {
  const [popper, stickBait] = measuredLures([lure('Poppers'), lure('Stick Baits')])

  expect([popper?.shape, stickBait?.shape]).toEqual(['popper', 'stick-bait'])
})
