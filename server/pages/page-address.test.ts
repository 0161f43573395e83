import { expect, it } from 'vitest'
import { keptAddress } from './page-address.ts'

it.each([
  ['/', '/'],
  ['/products/popper-150/red-head', '/products/popper-150/red-head'],
  ['/products?utm_source=mail&utm_campaign=november&fbclid=x', '/products'],
  ['/products?page=2&utm_source=mail', '/products?page=2'],
  ['/products.data?_routes=routes%2Fproducts', '/products.data?_routes=routes%2Fproducts'],
])('%s is kept as %s', (asked, address) => {
  expect(keptAddress('GET', asked)).toBe(address)
  expect(keptAddress('HEAD', asked)).toBe(address)
})

it.each([
  ['GET', '/products?q=popper'],
  ['GET', '/products?q=popper&utm_source=mail'],
  ['GET', '/products.data?q=popper'],
  ['GET', '/products?_routes=x'],
  ['GET', '/products?page=two'],
  ['GET', '/products?page=2&type=Poppers'],
  ['GET', '/faq?page=2'],
  ['GET', '//elsewhere.example/'],
  ['POST', '/'],
])('%s %s is not kept', (method, asked) => {
  expect(keptAddress(method, asked)).toBeNull()
})
