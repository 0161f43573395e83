import { expect, it } from 'vitest'
import { defaultColour, sortInStockFirst, shortage, stockText } from './colour-choice.ts'
import type { Colour } from './staff-order.ts'

const aColour = (colour: string, available: number, isMadeToOrder = false): Colour => ({
  variantId: colour,
  lure: 'Kite',
  colour,
  isSoldWithHooks: true,
  available,
  isMadeToOrder,
})
const COLOURS = [aColour('Amber', 0), aColour('Blue', 3), aColour('Coral', 0, true)]

it('offers colours in stock before sold-out ones, and begins a new line with the first of them', () => {
  expect(sortInStockFirst(COLOURS).map(({ colour }) => colour)).toEqual(['Blue', 'Coral', 'Amber'])
  expect(defaultColour(COLOURS)?.colour).toBe('Blue')
})

it('begins a new line with a sold-out colour when nothing else is left', () => {
  expect(defaultColour([aColour('Amber', 0)])?.colour).toBe('Amber')
})

it('says how much of a colour is left, and when it is sold out', () => {
  expect(COLOURS.map(stockText)).toEqual(['sold out', '3 left', 'made to order'])
  expect(COLOURS.map((colour) => shortage(colour, { quantity: 4 }))).toEqual([
    'This colour is sold out.',
    'Only 3 left.',
    null,
  ])
})
