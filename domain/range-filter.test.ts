import { describe, expect, it } from 'vitest'
import type { Product } from './catalogue.ts'
import { filterChoices, filterFrom, fits, isFiltering } from './range-filter.ts'

function lure(changes: Partial<Product> & { available?: number }): Product {
  const { available = 9, ...rest } = changes
  return {
    id: 'p',
    slug: 'lure',
    name: 'Lure',
    description: '',
    category: 'Poppers',
    priceCents: 110_00,
    priceWithHooksCents: 142_00,
    picture: null,
    morePictures: [],
    variants: [{ id: 'v', slug: 'blue', name: 'Blue', sku: null, picture: null, available }],
    model: null,
    lengthMm: 150,
    weightGrams: 30,
    hookSize: null,
    specs: [],
    isMadeToOrder: false,
    ...rest,
  }
}

const range = [
  lure({ slug: 'stick', category: 'Stick Baits', lengthMm: 180, weightGrams: 150, priceCents: 400_00 }),
  lure({ slug: 'small' }),
  lure({ slug: 'big', lengthMm: 200, weightGrams: 50, priceCents: 140_00, available: 0 }),
]
const found = (query: string) =>
  range.filter((product) => fits(product, filterFrom(new URLSearchParams(query)))).map(({ slug }) => slug)

it.each([
  ['', ['stick', 'small', 'big']],
  ['type=Poppers', ['small', 'big']],
  ['length=180', ['stick']],
  ['weight=50', ['big']],
  ['price=150', ['small', 'big']],
  ['stock=in', ['stick', 'small']],
  ['type=Poppers&stock=in', ['small']],
  ['type=Spoons', []],
  ['length=long&price=-1&weight=', ['stick', 'small', 'big']],
])('?%s finds %j', (query, slugs) => {
  expect(found(query)).toEqual(slugs)
})

it('counts what is made to order as not in stock', () => {
  const made = lure({ available: 0, isMadeToOrder: true })

  expect(fits(made, filterFrom(new URLSearchParams('stock=in')))).toBe(false)
})

it('knows whether anything is asked for', () => {
  expect(isFiltering(filterFrom(new URLSearchParams('q=popper&type=')))).toBe(false)
  expect(isFiltering(filterFrom(new URLSearchParams('stock=in')))).toBe(true)
})

describe('choices', () => {
  it('are what divides the range, smallest first', () => {
    expect(filterChoices(range)).toEqual({
      types: ['Stick Baits', 'Poppers'],
      lengthsMm: [150, 180, 200],
      weightsGrams: [30, 50, 150],
      maxPricesRand: [150],
    })
  })

  it('are none for a single lure', () => {
    expect(Object.values(filterChoices([lure({})])).flat()).toEqual([])
  })
})
