import { describe, expect, it } from 'vitest'
import { POPPER, REDHEAD } from '#test/sample-product.ts'
import {
  canSell,
  cardPictures,
  hooksExtraCents,
  lengthsText,
  priceCents,
  sizeText,
  stockNote,
  stockOf,
  stockText,
  type Product,
} from './catalogue.ts'

const popper: Product = {
  ...POPPER,
  variants: [REDHEAD, { ...REDHEAD, id: 'v2', slug: 'bare', name: 'Bare', picture: null }],
}

describe('price', () => {
  // covers S3.6 S5.4
  it('returns a product’s price without hooks until hooks are chosen', () => {
    expect(priceCents(popper, null)).toBe(110_00)
    expect(priceCents(popper, 'without-hooks')).toBe(110_00)
    expect(priceCents(popper, 'with-hooks')).toBe(142_00)
  })

  it('returns the lower price until hooks are chosen when a product costs less with hooks', () => {
    const cheaper = { ...popper, priceWithHooksCents: 100_00 }

    expect(priceCents(cheaper, null)).toBe(100_00)
    expect(priceCents(cheaper, 'without-hooks')).toBe(110_00)
    expect(priceCents(cheaper, 'with-hooks')).toBe(100_00)
  })

  it('returns the extra price of hooks, or null for products without hooks', () => {
    expect(hooksExtraCents(popper)).toBe(32_00)
    expect(hooksExtraCents({ ...popper, priceWithHooksCents: null })).toBeNull()
  })
})

const withLeft = (...left: number[]): Product => ({
  ...popper,
  variants: left.map((available) => ({ ...REDHEAD, available })),
})

describe('stock', () => {
  it.each([
    [6, 'In stock'],
    [5, 'Only 5 left'],
    [1, 'Only 1 left'],
    [0, 'Sold out'],
  ])('describes a stock of %i as "%s"', (available, words) => {
    expect(stockText(stockOf(popper, { ...REDHEAD, available }))).toBe(words)
  })

  // covers S5
  it('adds up the stock of all colours while none is chosen', () => {
    expect(stockText(stockOf(withLeft(4, 3), null))).toBe('In stock')
    expect(stockText(stockOf(withLeft(0, 2), null))).toBe('Only 2 left')
    expect(stockText(stockOf(withLeft(0, 0), null))).toBe('Sold out')
  })

  it('describes a sold-out made-to-order product as made to order', () => {
    const made = { ...popper, isMadeToOrder: true }

    expect(stockText(stockOf(made, { ...REDHEAD, available: 0 }))).toBe('Made to order')
    expect(canSell(made, { ...REDHEAD, available: 0 }, 50)).toBe(true)
  })

  it('sells the last unit in stock but no more units', () => {
    expect(canSell(popper, REDHEAD, 6)).toBe(true)
    expect(canSell(popper, REDHEAD, 7)).toBe(false)
  })
})

// covers S2.27
it('shows a product’s main picture first and skips colours without pictures', () => {
  expect(cardPictures(popper).map(({ variant }) => variant?.slug ?? 'main')).toEqual(['main', 'red-head'])
})

it('lists up to four lengths of a product, or the range of more lengths', () => {
  expect(lengthsText([])).toBe('')
  expect(lengthsText([150, 200])).toBe('150 mm, 200 mm')
  expect(lengthsText([90, 120, 150, 180, 200])).toBe('90–200 mm')
})

const limited = (...left: number[]): Product => ({ ...withLeft(...left), showsStock: true })

describe('a limited run', () => {
  it('shows how many are left also when there are many, and nothing more once it is sold out', () => {
    expect(stockText(stockOf(limited(40, 2), null))).toBe('42 left')
    expect(stockText(stockOf(limited(3), null))).toBe('Only 3 left')
    expect(stockText(stockOf(limited(0), null))).toBe('Sold out')
  })

  it('shows before its launch how many there will be, if any', () => {
    const launchAt = '2026-11-24T17:00:00Z'

    expect(stockText(stockOf({ ...limited(40), launchAt }, null))).toBe('40 at the launch')
    expect(stockText(stockOf({ ...limited(0), launchAt }, null))).toBe('Not on sale yet')
    expect(stockText(stockOf({ ...withLeft(40), launchAt }, null))).toBe('Not on sale yet')
  })
})

it('sells no announced product, even one that is made to order', () => {
  const launchAt = '2026-11-24T17:00:00Z'

  expect(canSell({ ...popper, launchAt }, REDHEAD, 1)).toBe(false)
  expect(canSell({ ...popper, launchAt, isMadeToOrder: true }, REDHEAD, 1)).toBe(false)
})

const note = (change: Partial<Product>, available: number) =>
  stockNote({ ...popper, ...change }, { ...REDHEAD, available })

it('notes the stock of a colour only where it matters', () => {
  const launchAt = '2026-11-24T17:00:00Z'

  expect(note({}, 6)).toBeNull()
  expect(note({ launchAt }, 6)).toBeNull()
  expect(note({}, 5)).toBe('Only 5 left')
  expect(note({}, 0)).toBe('Sold out')
  expect(note({ showsStock: true }, 6)).toBe('6 left')
  expect(note({ showsStock: true, launchAt }, 6)).toBe('6 at the launch')
})

it('writes the size of a product by what is known of it', () => {
  expect(sizeText({ lengthMm: 180, weightGrams: 150 })).toBe('180 mm · 150 g')
  expect(sizeText({ lengthMm: 180, weightGrams: null })).toBe('180 mm')
  expect(sizeText({ lengthMm: null, weightGrams: 150 })).toBe('150 g')
  expect(sizeText({ lengthMm: null, weightGrams: null })).toBe('')
})
