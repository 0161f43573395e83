import { expect, it } from 'vitest'
import { pageAddress, parsePage } from './page-number.ts'

it.each([
  ['', 1],
  ['?page=1', 1],
  ['?page=7', 7],
  ['?page=0', 1],
  ['?page=-2', 1],
  ['?page=2nd', 1],
  ['?page=99999', 1],
])('reads the page number in the query %j as %i', (query, page) => {
  expect(parsePage(new URLSearchParams(query))).toBe(page)
})

it('keeps other URL parameters and omits the number of the first page', () => {
  const params = new URLSearchParams('?q=popper&page=3')

  expect(pageAddress('/products', params, 4)).toBe('/products?q=popper&page=4')
  expect(pageAddress('/products', params, 1)).toBe('/products?q=popper')
  expect(pageAddress('/gallery', new URLSearchParams(), 1)).toBe('/gallery')
})
