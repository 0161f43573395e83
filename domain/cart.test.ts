import { expect, it } from 'vitest'
import {
  addition,
  applyChange,
  bodiesWanted,
  countItems,
  lineKey,
  orderableLines,
  showChanges,
  type CartChange,
  type CartLine,
  type LineAvailability,
  type LineProblem,
  type LineVariant,
  type NewLine,
} from './cart.ts'
import { catalogueChange, isOutdated } from './follow-catalogue.ts'
import { leftOutText, priceChangeText } from './cart-texts.ts'
import { freeShippingProgress, subtotalOf } from './pricing.ts'

const popper: NewLine = {
  productName: 'Chisel Nose Popper 150mm/30G',
  productVariant: 'Blue Reaper 150mm',
  withHooks: true,
  priceCents: 142_00,
  quantity: 2,
  imageUrl: null,
}
const after = (...changes: CartChange[]) =>
  changes.reduce<CartLine[]>((lines, change) => applyChange(lines, change), [])

// covers S4.10
it('increases the quantity when a product is already in the cart', () => {
  const lines = after(addition(popper), addition({ ...popper, quantity: 3 }))

  expect(lines.map((line) => line.quantity)).toEqual([5])
})

// covers S4.10
it('keeps cart lines with and without hooks apart, newest first', () => {
  const lines = after(addition(popper), addition({ ...popper, withHooks: false }))

  expect(lines.map((line) => line.withHooks)).toEqual([false, true])
  expect(countItems(lines)).toBe(4)
})

// covers S4.11
it('removes a cart line whose quantity falls below one', () => {
  expect(after(addition(popper), { kind: 'set-quantity', line: popper, quantity: 0 })).toEqual([])
})

it('limits the quantity of a cart line to 999', () => {
  const lines = after(addition(popper), addition({ ...popper, quantity: 998 }))

  expect(lines[0]?.quantity).toBe(999)
})

// covers S4.11
it('removes all lines when the cart is cleared', () => {
  expect(after(addition(popper), { kind: 'clear' })).toEqual([])
})

it.each<[LineProblem['kind'], LineProblem]>([
  ['not-sold', { kind: 'not-sold' }],
  ['not-launched', { kind: 'not-launched', launchAt: '2026-11-24T17:00:00Z' }],
  ['sold-out', { kind: 'sold-out' }],
])('excludes a cart line that is %s from count, total and free shipping', (_, problem) => {
  const lines = [
    { ...popper, problem: null },
    { ...popper, quantity: 10, problem },
  ]
  const orderable = orderableLines(lines)

  expect(countItems(orderable)).toBe(2)
  expect(subtotalOf(orderable)).toBe(284_00)
  expect(freeShippingProgress(subtotalOf(orderable)).isReached).toBe(false)
})

it('counts all units of a cart line, even if the quantity exceeds the stock', () => {
  const problem: LineProblem = { kind: 'too-many', available: 1, wanted: 2, changeTo: 1 }

  expect(countItems(orderableLines([{ ...popper, problem }]))).toBe(2)
})

it('changes and removes only the cart line that is meant', () => {
  const other = { ...popper, withHooks: false, quantity: 1 }
  const quantities = (change: CartChange) =>
    after(addition(popper), addition(other), change).map(({ quantity }) => quantity)

  expect(quantities({ kind: 'set-quantity', line: popper, quantity: 7 })).toEqual([1, 7])
  expect(quantities({ kind: 'set-quantity', line: popper, quantity: 1 })).toEqual([1, 1])
  expect(quantities({ kind: 'set-quantity', line: popper, quantity: 5000 })).toEqual([1, 999])
  expect(quantities({ kind: 'set-quantity', line: popper, quantity: 0 })).toEqual([1])
  expect(quantities({ kind: 'remove', line: popper })).toEqual([1])
})

it('takes over current prices, and keeps the last one of a lure that is no longer sold', () => {
  const pricesAt = (priceCents: number | null) => {
    const availability = new Map([
      [lineKey(popper), { priceCents, available: 9, isMadeToOrder: false, launchAt: null }],
    ])
    return after(addition(popper), catalogueChange(availability)).map((line) => line.priceCents)
  }

  expect(pricesAt(150_00)).toEqual([150_00])
  expect(pricesAt(null)).toEqual([142_00])
  expect(after(addition(popper), catalogueChange(new Map()))).toMatchObject([popper])
})

const red = { ...popper, variantId: 'v-red', productId: 'p-1', productVariant: 'Red' }
const blue = { ...popper, variantId: 'v-blue', productId: 'p-1', productVariant: 'Blue', quantity: 1 }
const offered = (variant: LineVariant): LineAvailability => ({
  priceCents: 142_00,
  available: 9,
  isMadeToOrder: false,
  launchAt: null,
  variant,
})

it('gives the lines of the cart the present names of their colours, also when two swapped theirs', () => {
  const { variantId, productId, productName } = red
  const availability = new Map([
    [lineKey(red), offered({ variantId, productId, productName, productVariant: 'Blue' })],
    [lineKey(blue), offered({ ...blue, productVariant: 'Red' })],
  ])
  const before = after(addition(red), addition(blue))
  const lines = applyChange(before, catalogueChange(availability))

  expect(lines.map((line) => [line.variantId, line.productVariant, line.quantity])).toEqual([
    ['v-blue', 'Red', 1],
    ['v-red', 'Blue', 2],
  ])
  expect(lines.map(lineKey)).toEqual(before.map(lineKey))
  expect([isOutdated(before, availability), isOutdated(lines, availability)]).toEqual([true, false])
})

it('makes one line of two that turn out to be the same colour', () => {
  const formerName = { ...popper, productVariant: 'Crimson' }
  const current = offered({ ...red, productVariant: 'Red' })
  const availability = new Map([
    [lineKey(formerName), current],
    [lineKey(red), current],
  ])
  const lines = after(addition(formerName), addition(red), catalogueChange(availability))

  expect(lines.map((line) => [line.productVariant, line.quantity])).toEqual([['Red', 4]])
})

it('adds a lure to the line of its colour, not to one that still has its new name', () => {
  const swapped = { ...blue, productVariant: 'Red' }

  expect(after(addition(red), addition(swapped)).map(({ quantity }) => quantity)).toEqual([1, 2])
  expect(bodiesWanted(after(addition(red), addition(swapped)), swapped)).toBe(1)
  expect(after(addition(red), addition({ ...red, productVariant: 'Crimson' }))).toMatchObject([
    { quantity: 4 },
  ])
})

it('finds a line that was stored without an id by its names', () => {
  const stored = { ...popper, productVariant: 'Red' }

  expect(after(addition(stored), addition(red))).toMatchObject([{ quantity: 4 }])
  expect(after(addition(red), { kind: 'remove', line: stored })).toEqual([])
})

it.each([
  [
    'one lure',
    [popper],
    "Chisel Nose Popper 150mm/30G, Blue Reaper 150mm isn't for sale right now, so it's not in your cart.",
  ],
  [
    'several lures',
    [red, blue],
    "These lures aren't for sale right now, so they're not in your cart: Chisel Nose Popper 150mm/30G, Red; Chisel Nose Popper 150mm/30G, Blue.",
  ],
])('tells that %s of the visitor’s cart cannot be bought', (_case, lines, text) => {
  expect(leftOutText(lines)).toBe(text)
})

it('shows the price that the buyer last saw, and what is wrong with a line', () => {
  const lines = after(addition(popper))
  const key = lineKey(popper)
  const shown = (seenCents: number) =>
    showChanges(lines, {
      prices: { [key]: seenCents },
      availability: new Map([
        [key, { priceCents: 142_00, available: 1, isMadeToOrder: false, launchAt: null }],
      ]),
    })

  expect(shown(142_00)).toMatchObject([
    { ...popper, previousPriceCents: null, mustBeMade: false, problem: { kind: 'too-many', changeTo: 1 } },
  ])
  expect(shown(130_00)).toMatchObject([{ previousPriceCents: 130_00 }])
  expect(showChanges(lines, { prices: {}, availability: new Map() })).toMatchObject([
    { previousPriceCents: null, mustBeMade: false, problem: null },
  ])
  expect(priceChangeText(130_00, 142_00)).toBe('The price changed from R130 to R142.')
})
