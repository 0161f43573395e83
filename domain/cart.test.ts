import { expect, it } from 'vitest'
import {
  addition,
  applyChange,
  countItems,
  lineKey,
  orderableLines,
  priceChangeText,
  showChanges,
  type CartChange,
  type CartLine,
  type LineProblem,
  type NewLine,
} from './cart.ts'
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
  const key = lineKey(popper)

  expect(after(addition(popper), { kind: 'set-quantity', key, quantity: 0 })).toEqual([])
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
  const key = lineKey(popper)
  const quantities = (change: CartChange) =>
    after(addition(popper), addition(other), change).map(({ quantity }) => quantity)

  expect(quantities({ kind: 'set-quantity', key, quantity: 7 })).toEqual([1, 7])
  expect(quantities({ kind: 'set-quantity', key, quantity: 1 })).toEqual([1, 1])
  expect(quantities({ kind: 'set-quantity', key, quantity: 5000 })).toEqual([1, 999])
  expect(quantities({ kind: 'set-quantity', key, quantity: 0 })).toEqual([1])
  expect(quantities({ kind: 'remove', key })).toEqual([1])
})

it('takes over current prices, and keeps the last one of a lure that is no longer sold', () => {
  const pricesAt = (priceCents: number | null) => {
    const availability = new Map([
      [lineKey(popper), { priceCents, available: 9, isMadeToOrder: false, launchAt: null }],
    ])
    return after(addition(popper), { kind: 'reprice', availability }).map((line) => line.priceCents)
  }

  expect(pricesAt(150_00)).toEqual([150_00])
  expect(pricesAt(null)).toEqual([142_00])
  expect(after(addition(popper), { kind: 'reprice', availability: new Map() })).toMatchObject([popper])
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
