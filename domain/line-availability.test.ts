import { expect, it } from 'vitest'
import { bodiesWanted, mustBeMade, problemOf, type CartLine, type LineAvailability } from './cart.ts'
import { problemText } from './cart-texts.ts'

const rigged: CartLine = {
  id: 'a',
  createdAt: '',
  productName: 'Popper',
  productVariant: 'Blue',
  withHooks: true,
  priceCents: 142_00,
  quantity: 3,
  imageUrl: null,
}
const bare: CartLine = { ...rigged, id: 'b', withHooks: false, quantity: 2 }
const availability = (changes: Partial<LineAvailability>): LineAvailability => ({
  priceCents: 142_00,
  available: 10,
  isMadeToOrder: false,
  launchAt: null,
  ...changes,
})

function textOf(line: CartLine, lines: CartLine[], now: Partial<LineAvailability>): string | null {
  const problem = problemOf(line, availability(now), bodiesWanted(lines, line))
  return problem && problemText(problem, line.quantity)
}

it('reports how many lures are left and how many the cart contains', () => {
  expect(textOf(rigged, [rigged], { available: 3 })).toBeNull()
  expect(textOf(rigged, [rigged], { available: 2 })).toBe('Only 2 left; you have 3.')
})

it('counts cart lines with and without hooks together and suggests a quantity for each line', () => {
  expect(textOf(rigged, [rigged, bare], { available: 4 })).toBe(
    'Only 4 left; you have 5, with and without hooks.',
  )
  expect(problemOf(rigged, availability({ available: 4 }), 5)).toMatchObject({ changeTo: 2 })
  expect(problemOf(bare, availability({ available: 4 }), 5)).toMatchObject({ changeTo: 1 })
  expect(problemOf(bare, availability({ available: 2 }), 5)).toMatchObject({ changeTo: 0 })
})

it('does not count other colours and other lures against a colour’s stock', () => {
  const others = [
    { ...rigged, productVariant: 'Red' },
    { ...bare, productName: 'Stickbait' },
  ]

  expect(textOf(rigged, [rigged, ...others], { available: 3 })).toBeNull()
})

it('allows any quantity of a made-to-order colour and marks missing lures as made to order', () => {
  const madeToOrder = { isMadeToOrder: true, available: 1 }

  expect(textOf(rigged, [rigged], madeToOrder)).toBeNull()
  expect(mustBeMade(availability(madeToOrder), 3)).toBe(true)
  expect(mustBeMade(availability({ ...madeToOrder, available: 3 }), 3)).toBe(false)
})

it('reports sold-out and discontinued cart lines', () => {
  expect(textOf(rigged, [rigged], { available: 0 })).toBe('Sold out in the meantime. Please remove it.')
  expect(textOf(rigged, [rigged], { priceCents: null })).toBe('No longer sold. Please remove it.')
})

it('says when a cart line that was announced again goes on sale', () => {
  const announced = { priceCents: null, launchAt: '2026-11-24T17:00:00Z' }

  expect(textOf(rigged, [rigged], announced)).toBe(
    'On sale from Tuesday 24 November at 19:00. Please remove it for now.',
  )
})
