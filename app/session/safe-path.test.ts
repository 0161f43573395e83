import { expect, it } from 'vitest'
import { safePath } from './safe-path.ts'

it('keeps a path on this site', () => {
  expect(safePath('/checkout?a=1#b')).toBe('/checkout?a=1#b')
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
])('refuses %j', (wanted) => {
  expect(safePath(wanted)).toBeNull()
})
