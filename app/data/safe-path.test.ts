import { afterEach, expect, it, vi } from 'vitest'
import { safePath } from './safe-path.ts'

afterEach(() => vi.restoreAllMocks())

it('accepts a redirect path on the same site, with query and fragment', () => {
  expect(safePath('/checkout?a=1#b')).toBe('/checkout?a=1#b')
})

it('accepts a redirect path in a browser without URL.parse, such as Safari 17', () => {
  vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function')
  })
  expect(safePath('/checkout')).toBe('/checkout')
})

it.each([
  null,
  '',
  'checkout',
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
  '/..//evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/..\\\\evil.example',
  '/%2e%2e//evil.example',
])('rejects the redirect %j, which leads to another site', (url) => {
  expect(safePath(url)).toBeNull()
})

it.each(['/..//evil.example', '/%2e//evil.example', '/x//evil.example'])(
  'returns no redirect path for %j, which a browser would resolve to another host',
  (url) => {
    const page = 'https://shop.example/auth'
    expect(new URL(safePath(url) ?? '/', page).origin).toBe('https://shop.example')
  },
)
