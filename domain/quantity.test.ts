import { expect, it } from 'vitest'
import { MAX_QUANTITY, parseQuantity } from './quantity.ts'

it('takes a whole number from 1 up', () => {
  expect(parseQuantity('1', 4)).toBe(1)
  expect(parseQuantity(' 12 ', 4)).toBe(12)
})

// covers S5.2
it('starts again at 1 when the field is emptied', () => {
  expect(parseQuantity('', 4)).toBe(1)
})

// covers S5.2 S9.8 S18
it.each(['0', '-1', '1.5', 'two', '1e3', 'NaN', '½'])('ignores %s', (typed) => {
  expect(parseQuantity(typed, 4)).toBe(4)
})

it('stops at what the cart takes', () => {
  expect(parseQuantity('9999', 4)).toBe(MAX_QUANTITY)
})
