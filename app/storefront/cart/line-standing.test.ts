import { expect, it } from 'vitest'
import type { CartLine } from '#domain/cart.ts'
import { isMadeFirst, problemOf, wantedBodies, type LineStanding } from './line-standing.ts'
import { problemText } from './line-texts.ts'

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
const standing = (changes: Partial<LineStanding>): LineStanding => ({
  priceCents: 142_00,
  available: 10,
  isMadeToOrder: false,
  ...changes,
})

function said(line: CartLine, lines: CartLine[], now: Partial<LineStanding>): string | null {
  const problem = problemOf(line, standing(now), wantedBodies(lines, line))
  return problem && problemText(problem, line.quantity)
}

it('says what is left and what is wanted', () => {
  expect(said(rigged, [rigged], { available: 3 })).toBeNull()
  expect(said(rigged, [rigged], { available: 2 })).toBe('Only 2 left; you have 3.')
})

it('counts the bodies of both hook choices together, and says to what each can be changed', () => {
  expect(said(rigged, [rigged, bare], { available: 4 })).toBe(
    'Only 4 left; you have 5, with and without hooks.',
  )
  expect(problemOf(rigged, standing({ available: 4 }), 5)).toMatchObject({ changeTo: 2 })
  expect(problemOf(bare, standing({ available: 4 }), 5)).toMatchObject({ changeTo: 1 })
  expect(problemOf(bare, standing({ available: 2 }), 5)).toMatchObject({ changeTo: 0 })
})

it('has no limit for what is made to order, and knows that it has to be made first', () => {
  const made = { isMadeToOrder: true, available: 1 }

  expect(said(rigged, [rigged], made)).toBeNull()
  expect(isMadeFirst(standing(made), 3)).toBe(true)
  expect(isMadeFirst(standing({ ...made, available: 3 }), 3)).toBe(false)
})

it('tells sold out and not sold from too many', () => {
  expect(said(rigged, [rigged], { available: 0 })).toBe('Sold out in the meantime. Please remove it.')
  expect(said(rigged, [rigged], { priceCents: null })).toBe('No longer sold. Please remove it.')
})
