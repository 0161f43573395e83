import { expect, it } from 'vitest'
import { aStaffOrder } from '#test/staff-order.ts'
import { defaultColour, sortInStockFirst, shortage, colourStockText } from './colour-choice.ts'
import { sumsOf } from './quote-summary.tsx'
import {
  deliveryFrom,
  deliveryProblems,
  linesFrom,
  typedQuantity,
  type OrderableColour,
} from './manual-order.ts'

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

it('lets staff clear the quantity of a line, and takes no negative one', () => {
  expect(['', '5', '-3', '2.5'].map(typedQuantity)).toEqual([0, 5, 0, 2])
})

it('keeps the delivery of an order whose items are changed', () => {
  const order = aStaffOrder({ shipping_method: 'locker', locker_location: 'Spar', notes: 'Ring twice' })

  expect(deliveryFrom(order)).toEqual({
    full_name: 'Thandi Mokoena',
    email: 'thandi@example.com',
    phone: '+27821234567',
    shipping_method: 'locker',
    locker_location: 'Spar',
    address: '14 Beach Road',
    city: 'Durban',
    state: 'KwaZulu-Natal',
    zip_code: '4001',
    notes: 'Ring twice',
  })
})

it('keeps the lines of an order whose items are changed, without colours that are no longer for sale', () => {
  const renamed = { ...aColour('Blue Reaper', 3), productName: 'Dart 150', variantId: 'blue dart' }
  const items = [
    { product_name: 'Dart', product_variant: 'Blue', variant_id: 'blue dart', with_hooks: true, quantity: 2 },
    { product_name: 'Kite', product_variant: 'Blue', variant_id: 'Blue', with_hooks: null, quantity: 1 },
    { product_name: 'Kite', product_variant: 'Hidden', variant_id: 'Hidden', with_hooks: true, quantity: 1 },
    { product_name: 'Kite', product_variant: 'Amber', variant_id: null, with_hooks: true, quantity: 1 },
  ]

  expect(linesFrom(items, [...COLOURS, renamed])).toEqual([
    { variant_id: 'blue dart', with_hooks: true, quantity: 2 },
    { variant_id: 'Blue', with_hooks: false, quantity: 1 },
  ])
})

it('shows a refused delivery at its fields, in the words of the form', () => {
  const hint = JSON.stringify({ state: 'Please choose a State/Province', city: 'Please enter a city' })
  const cause = { code: 'PT400', details: 'invalid_delivery', hint }

  expect(deliveryProblems(new Error('refused', { cause }))).toEqual({
    state: 'Please choose a Province',
    city: 'Please enter a city',
  })
})

it('shows the sums of an order that staff create, and what changed items cost more or less', () => {
  const quote = { subtotal: 500, shipping: 100, discount: 50, total: 550 }
  const sums = (before?: number) => sumsOf(quote, before).map(({ label, cents }) => `${label} ${cents}`)

  expect(sums()).toEqual(['Subtotal 50000', 'Shipping 10000', 'Discount -5000', 'Total 55000'])
  expect(sums(500_00).slice(-2)).toEqual(['Before 50000', 'Difference due 5000'])
  expect(sums(600_00).slice(-2)).toEqual(['Before 60000', 'Less than before 5000'])
  expect(sums(550_00).slice(-1)).toEqual(['Same as before 0'])
})
