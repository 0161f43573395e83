import { expect, it } from 'vitest'
import { cacheKeyOf } from './cache-key.ts'

it.each([
  ['/', '/'],
  ['/products/popper-150/red-head', '/products/popper-150/red-head'],
  ['/products?utm_source=mail&utm_campaign=november&fbclid=x', '/products'],
  ['/products?page=2&utm_source=mail', '/products?page=2'],
  ['/products.data?_routes=routes%2Fproducts', '/products.data?_routes=routes%2Fproducts'],
])('caches the page %s under the key %s', (url, key) => {
  expect(cacheKeyOf('GET', url)).toBe(key)
  expect(cacheKeyOf('HEAD', url)).toBe(key)
})

it.each([
  ['GET', '/products?q=popper'],
  ['GET', '/products?q=popper&utm_source=mail'],
  ['GET', '/products.data?q=popper'],
  ['GET', '/products?_routes=x'],
  ['GET', '/products?page=two'],
  ['GET', '/products?page=0'],
  ['GET', '/products?page=10000'],
  ['GET', '/products?page=2&type=Poppers'],
  ['GET', '/faq?page=2'],
  ['GET', '//other.example/'],
  ['POST', '/'],
])('does not cache the page for %s %s', (method, url) => {
  expect(cacheKeyOf(method, url)).toBeNull()
})
