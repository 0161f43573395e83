import { afterEach, expect, it, vi } from 'vitest'
import { safePath } from './safe-path.ts'

afterEach(() => vi.restoreAllMocks())

it('accepts a path with its query and fragment on this site', () => {
  expect(safePath('/checkout?a=1#b')).toBe('/checkout?a=1#b')
})

it('accepts a path in a browser without URL.parse, such as Safari 17', () => {
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
])('refuses %j, which leads to another site', (url) => {
  expect(safePath(url)).toBeNull()
})

it.each(['/..//evil.example', '/%2e//evil.example', '/x//evil.example'])(
  'returns no path for %j that a browser would resolve to another host',
  (url) => {
    const page = 'https://shop.example/auth'
    expect(new URL(safePath(url) ?? '/', page).origin).toBe('https://shop.example')
  },
)
