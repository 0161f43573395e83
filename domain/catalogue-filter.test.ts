import { describe, expect, it } from 'vitest'
import type { CatalogueSummary } from './catalogue.ts'
import { filterChoices, parseCatalogueFilter, hasActiveFilter } from './catalogue-filter.ts'

const everything = { type: null, lengthMm: null, weightGrams: null, maxPriceRand: null, isInStock: false }

// covers S4
it.each([
  ['', {}],
  ['type=Poppers', { type: 'Poppers' }],
  ['length=180&weight=50', { lengthMm: 180, weightGrams: 50 }],
  ['price=150&stock=in', { maxPriceRand: 150, isInStock: true }],
  ['length=long&price=-1&weight=&stock=out', {}],
])('parses the catalogue filter ?%s as %j', (query, wishes) => {
  expect(parseCatalogueFilter(new URLSearchParams(query))).toEqual({ ...everything, ...wishes })
})

it('detects whether a catalogue filter is active', () => {
  expect(hasActiveFilter(parseCatalogueFilter(new URLSearchParams('q=popper&type=')))).toBe(false)
  expect(hasActiveFilter(parseCatalogueFilter(new URLSearchParams('stock=in')))).toBe(true)
})

describe('filter choices', () => {
  const category = { productCount: 1, fromCents: 110_00, lengthsMm: [] }
  const summary: CatalogueSummary = {
    productCount: 3,
    categories: [
      { ...category, name: 'Stick Baits' },
      { ...category, name: 'Poppers' },
    ],
    lengthsMm: [150, 180, 200],
    weightsGrams: [30, 50, 150],
    pricesCents: [110_00, 140_00, 400_00],
  }

  it('offers only filter values that narrow the catalogue', () => {
    expect(filterChoices(summary)).toEqual({
      types: ['Stick Baits', 'Poppers'],
      lengthsMm: [150, 180, 200],
      weightsGrams: [30, 50, 150],
      maxPricesRand: [150],
    })
  })

  it('offers no filters for a single product', () => {
    const single = {
      productCount: 1,
      categories: [{ ...category, name: 'Poppers' }],
      lengthsMm: [150],
      weightsGrams: [30],
    }

    expect(Object.values(filterChoices({ ...single, pricesCents: [110_00] })).flat()).toEqual([])
  })
})
