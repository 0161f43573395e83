import { expect, it } from 'vitest'
import { defaultColour, sortInStockFirst, shortage, colourStockText } from './colour-choice.ts'
import type { OrderableColour } from './staff-order.ts'

const aColour = (colour: string, available: number, isMadeToOrder = false): OrderableColour => ({
  variantId: colour,
  productName: 'Kite',
  colour,
  isSoldWithHooks: true,
  available,
  isMadeToOrder,
})
const COLOURS = [aColour('Amber', 0), aColour('Blue', 3), aColour('Coral', 0, true)]

it('lists colours in stock before sold-out ones and preselects the first', () => {
  expect(sortInStockFirst(COLOURS).map(({ colour }) => colour)).toEqual(['Blue', 'Coral', 'Amber'])
  expect(defaultColour(COLOURS)?.colour).toBe('Blue')
})

it('preselects a sold-out colour when every colour is sold out', () => {
  expect(defaultColour([aColour('Amber', 0)])?.colour).toBe('Amber')
})

it('describes the stock of a colour and any shortage', () => {
  expect(COLOURS.map(colourStockText)).toEqual(['sold out', '3 left', 'made to order'])
  expect(COLOURS.map((colour) => shortage(colour, { quantity: 4 }))).toEqual([
    'This colour is sold out.',
    'Only 3 left.',
    null,
  ])
})
