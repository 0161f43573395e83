import { expect, it } from 'vitest'
import { pageAddress, pageIn } from './page-number.ts'

it.each([
  ['', 1],
  ['?page=1', 1],
  ['?page=7', 7],
  ['?page=0', 1],
  ['?page=-2', 1],
  ['?page=2nd', 1],
  ['?page=99999', 1],
])('reads page %j as %i', (query, page) => {
  expect(pageIn(new URLSearchParams(query))).toBe(page)
})

it('keeps what else the address says, and gives the first page the address without a number', () => {
  const wishes = new URLSearchParams('?q=popper&page=3')

  expect(pageAddress('/products', wishes, 4)).toBe('/products?q=popper&page=4')
  expect(pageAddress('/products', wishes, 1)).toBe('/products?q=popper')
  expect(pageAddress('/gallery', new URLSearchParams(), 1)).toBe('/gallery')
})
