import { expect, it } from 'vitest'
import { centsFromRand, formatPrice, formatRate, formatTotal, parseRand, randText } from './money.ts'

it.each([
  ['400', 400_00],
  ['1.5', 1_50],
  ['1.05', 1_05],
  ['R1 234.50', 1_234_50],
  ['-140.00', -140_00],
  [285.1, 285_10],
])('reads the amount %s as %i cents', (amount, cents) => {
  expect(parseRand(amount)).toBe(cents)
})

it.each(['', '1.005', '1.', '.5', '1,50', '1e3', '--1', 'R'])('does not read %j as an amount', (amount) => {
  expect(parseRand(amount)).toBeNull()
})

it('reads sums of numbers whose binary fractions do not add up exactly', () => {
  expect(centsFromRand(0.1 + 0.2)).toBe(30)
  expect(centsFromRand(3 * 1.1)).toBe(3_30)
})

it('throws on a trusted value that is no amount', () => {
  expect(() => centsFromRand('1.005')).toThrow(RangeError)
})

it.each([
  [0, '0.00'],
  [5, '0.05'],
  [1_234_50, '1234.50'],
  [-7, '-0.07'],
])('writes %i cents as %s for PayFast and the database', (cents, text) => {
  expect(randText(cents)).toBe(text)
})

it.each([
  [1_234_567_89, 'R1\u00a0234\u00a0567.89'],
  [-140_00, '−R140.00'],
])('shows a total of %i cents as %s', (cents, text) => {
  expect(formatTotal(cents)).toBe(text)
})

it.each([
  [400_00, 'R400'],
  [400_50, 'R400.50'],
  [400_05, 'R400.05'],
])('shows a price of %i cents as %s', (cents, text) => {
  expect(formatPrice(cents)).toBe(text)
})

it.each([
  [1500_00, 'R1500'],
  [1249_50, 'R1249.50'],
])('shows a shipping rate of %i cents as %s', (cents, text) => {
  expect(formatRate(cents)).toBe(text)
})
