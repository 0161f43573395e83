import { expect, it } from 'vitest'
import { MAX_QUANTITY, parseQuantity } from './quantity.ts'

it('accepts whole numbers from 1 as a quantity', () => {
  expect(parseQuantity('1', 4)).toBe(1)
  expect(parseQuantity(' 12 ', 4)).toBe(12)
})

// covers S5.2
it('resets the quantity to 1 when the quantity field is emptied', () => {
  expect(parseQuantity('', 4)).toBe(1)
})

// covers S5.2 S9.8 S18
it.each(['0', '-1', '1.5', 'two', '1e3', 'NaN', '½'])('ignores the invalid typed quantity %s', (typed) => {
  expect(parseQuantity(typed, 4)).toBe(4)
})

it('limits a typed quantity to 999', () => {
  expect(parseQuantity('9999', 4)).toBe(MAX_QUANTITY)
})
