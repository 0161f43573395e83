import { expect, it } from 'vitest'
import { MAX_QUANTITY, quantityAfter } from './quantity.ts'

it('takes a whole number from 1 up', () => {
  expect(quantityAfter('1', 4)).toBe(1)
  expect(quantityAfter(' 12 ', 4)).toBe(12)
})

// covers S5.2
it('starts again at 1 when the field is emptied', () => {
  expect(quantityAfter('', 4)).toBe(1)
})

// covers S5.2 S9.8 S18
it.each(['0', '-1', '1.5', 'two', '1e3', 'NaN', '½'])('ignores %s', (typed) => {
  expect(quantityAfter(typed, 4)).toBe(4)
})

it('stops at what the cart takes', () => {
  expect(quantityAfter('9999', 4)).toBe(MAX_QUANTITY)
})
